/* The damping of shells.
 *
 * The damping of a group of elements, m dv/dt = -C v with the matrix C of the present positions, acts over the step h of
 * their class at once. One explicit stage is stable for h < 2 / c, c the highest decay rate of C / m. s stages of
 * Runge, Kutta and Legendre (RKL2: Meyer, Balsara and Aslam, J. Comput. Phys. 257, 594 (2014), eqs. 16 to 20) are stable
 * for (s^2 + s - 2) / 4 times this step, and of second order for slow modes. The cost of strong damping thus grows as the
 * root of its rate, and the step of the class follows from its elasticity.
 *
 * All stages are sums of forces of the elements: they conserve momentum and angular momentum to rounding. A mode is
 * multiplied by a factor between 0 and 1, so that no number of stages adds kinetic energy. The groups of a class act one
 * after the other. */
#include "variational/kernel/features/shells_damping.h"

static double stages_span(uint32_t stages)
{
    return stages == 1 ? 1 : 0.25 * (stages * (stages + 1.0) - 2);
}

static uint32_t stages_for(double step, double rate)
{
    uint32_t stages = 1;
    while (stages < MOST_STAGES && step * rate > 2 * SHELL_SAFE * stages_span(stages))
        stages = stages == 1 ? 3 : stages + 1; /* two stages span no more than one */
    return stages;
}

/* Coefficients of stage j of several, for mean forces: of that up to the last stage, of that before, of the force at the last
 * stage, and of the first force. */
typedef struct stage_weights {
    double last, before_last, force, first;
} stage_weights;

static double legendre_part(uint32_t j)
{
    return j < 2 ? 1.0 / 3 : (j * (j + 1.0) - 2) / (2 * j * (j + 1.0));
}

static stage_weights weights_of(uint32_t j, uint32_t stages)
{
    if (stages == 1) return (stage_weights){.force = 1};
    const double part = legendre_part(j), span = 1 / stages_span(stages);
    if (j == 1) return (stage_weights){.force = part * span};
    const double last = (2.0 * j - 1) / j * part / legendre_part(j - 1);
    return (stage_weights){.last = last,
                           .before_last = (1.0 - j) / j * part / legendre_part(j - 2),
                           .force = last * span,
                           .first = (legendre_part(j - 1) - 1) * last * span};
}

/* ---- forces at the velocities of a stage ------------------------------------------------------------------------- */

static void damp_stretch(const world *w, const damping_group *g)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < g->set.triangle_count; n++) {
        const shell_triangle *one = &g->set.triangle[n];
        const uint32_t *at = one->at;
        double(*slot)[3] = s->slot + 3 * (size_t)n;
        triangle_drag(one, s->at[g->set.node[at[0]]].x, s->at[g->set.node[at[1]]].x, s->at[g->set.node[at[2]]].x,
                      s->stage[at[0]].v, s->stage[at[1]].v, s->stage[at[2]].v, slot[1], slot[2]);
        balance(slot);
    }
}

static void damp_bend(const world *w, const damping_group *g)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < g->set.hinge_count; n++) {
        const shell_hinge *h = &g->set.hinge[n];
        const vector3 *gradient = s->gradient[g->hinge_of[n]];
        double rate = 0;
        for (int q = 0; q < 4; q++) rate += dot3(gradient[q], s->stage[h->at[q]].v);
        turn_hinge(s->slot + 4 * (size_t)n, -2 * h->viscous * rate, gradient);
    }
}

static void add_to_stage(const world *w, const damping_group *g, const slot_list *of, bool anew)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < g->set.node_count; n++) add_slots_of(s, of, n, anew, s->stage[n].force);
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

static void begin_group(const world *w, const damping_group *g)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < g->set.node_count; n++) {
        s->stage[n] = (shell_stage){0};
        memcpy(s->stage[n].v, s->at[g->set.node[n]].v, sizeof s->stage[n].v);
    }
}

/* The mean force up to stage j, and the velocity there. */
static void end_stage(const world *w, const shell_class *c, const damping_group *g, double step, uint32_t j)
{
    const stage_weights weight = weights_of(j, g->stages);
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < g->set.node_count; n++) {
        const double change = step * w->inverse_mass[c->set.node[g->set.node[n]]];
        shell_stage *q = &s->stage[n];
        if (j == 1) memcpy(q->first, q->force, sizeof q->first);
        for (int k = 0; k < 3; k++) {
            const double mean = weight.last * q->last[k] + weight.before_last * q->before_last[k] +
                                weight.force * q->force[k] + weight.first * q->first[k];
            q->v[k] += change * (mean - q->last[k]);
            q->before_last[k] = q->last[k];
            q->last[k] = mean;
        }
    }
}

static void end_group(const world *w, const damping_group *g)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < g->set.node_count; n++) {
        memcpy(s->at[g->set.node[n]].v, s->stage[n].v, sizeof s->stage[n].v);
        for (int k = 0; k < 3; k++) s->drag[g->set.node[n]][k] += s->stage[n].last[k];
    }
}

static void damp_group(const world *w, const shell_class *c, const damping_group *g, double step)
{
    begin_group(w, g);
    for (uint32_t j = 1; j <= g->stages; j++) {
        damp_stretch(w, g);
        add_to_stage(w, g, &g->set.triangle_slots, true);
        damp_bend(w, g);
        add_to_stage(w, g, &g->set.hinge_slots, false);
        end_stage(w, c, g, step, j);
    }
    end_group(w, g);
}

/* ---- a kick ------------------------------------------------------------------------------------------------------ */

/* Drag uses the velocities under steady forces, in the middle of the elastic kick. Those before the kick differ by half
 * of the change that a steady load gives between two kicks, and by kicks of other classes: nodes at rest would seem to
 * move. */
static void take_ahead(const world *w, const shell_class *c, double step, double t)
{
    const shells *s = w->shells;
    const uint32_t class = (uint32_t)(c - s->class);
    SHARED
    for (uint32_t n = 0; n < c->set.node_count; n++) {
        const double half = 0.5 * step * w->inverse_mass[c->set.node[n]];
        double ahead[DIM] = {0};
        if (c->shares) shells_velocity_ahead(w, c->set.node[n], t, class, ahead);
        for (int k = 0; k < DIM; k++) s->at[n].v[k] += half * s->force[n][k] - ahead[k];
        memset(s->drag[n], 0, sizeof s->drag[n]);
    }
}

/* Adds the mean force of the damping. Its work uses the mean of the velocities before and after the whole kick. */
static void book_drag(const world *w, const shell_class *c, double step, double t)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->set.node_count; n++) {
        const double half = 0.5 * step * w->inverse_mass[c->set.node[n]];
        double v[DIM];
        node_velocity(w, c->set.node[n], t, v);
        s->damped[n] = 0;
        for (int k = 0; k < DIM; k++) {
            s->damped[n] -= step * s->drag[n][k] * (v[k] + half * (s->force[n][k] + s->drag[n][k]));
            s->force[n][k] += s->drag[n][k];
        }
    }
}

static void damp(const world *w, const shell_class *c, double step, double t)
{
    take_ahead(w, c, step, t);
    for (int k = 0; k < DAMPING_GROUPS; k++)
        if (c->group[k].set.node_count > 0) damp_group(w, c, &c->group[k], step);
    book_drag(w, c, step, t);
}
