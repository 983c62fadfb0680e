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

HOT void damp_triangles(const shells *s, const shell_set *set, const element_block *b, node_sums *to)
{
    const double *number[LANES], *place[3][LANES], *velocity[3][LANES];
    const uint32_t *corner[LANES];
    for (int n = 0; n < LANES; n++) {
        const shell_triangle *one = &set->triangle[b->at[n]];
        number[n] = (const double *)one;
        corner[n] = one->at;
        for (int q = 0; q < 3; q++) {
            place[q][n] = s->at[set->node[one->at[q]]].x;
            velocity[q][n] = s->stage[one->at[q]].v;
        }
    }
    lanes row[ELEMENT_ROW], x[3][ELEMENT_ROW], v[3][ELEMENT_ROW], force[3][3];
    lanes_transpose(number, row);
    for (int q = 0; q < 3; q++) {
        lanes_transpose(place[q], x[q]);
        lanes_transpose(velocity[q], v[q]);
    }
    triangle_lanes_drag(row, x, v, force);
    add_block(to, b, corner, 3, force);
}

HOT void damp_hinges(const shells *s, const damping_group *g, const element_block *b, node_sums *to)
{
    const double *velocity[4][LANES];
    const uint32_t *corner[LANES];
    uint32_t of[LANES];
    lanes gradient[4][3], v[4][ELEMENT_ROW], viscous = {0};
    for (int n = 0; n < LANES; n++) {
        const shell_hinge *h = &g->set.hinge[b->at[n]];
        corner[n] = h->at;
        of[n] = g->hinge_of[b->at[n]];
        viscous[n] = h->viscous;
        for (int q = 0; q < 4; q++) velocity[q][n] = s->stage[h->at[q]].v;
    }
    gradient_lanes(s, of, gradient);
    for (int q = 0; q < 4; q++) lanes_transpose(velocity[q], v[q]);
    turn_block(to, b, corner, -2 * viscous * hinge_lanes_rate(gradient, v), gradient);
}

static void damp_triangle(const shells *s, const shell_set *set, uint32_t n, node_sums *to)
{
    const shell_triangle *one = &set->triangle[n];
    const uint32_t *at = one->at, *whole = set->node;
    const double *x = s->at[whole[at[0]]].x, *y = s->at[whole[at[1]]].x, *z = s->at[whole[at[2]]].x;
    const double *u = s->stage[at[0]].v, *v = s->stage[at[1]].v, *w = s->stage[at[2]].v;
    vector3 on_y, on_z;
    if (set->membrane != NULL)
        membrane_drag(&set->membrane[n], one, x, y, z, u, v, w, on_y, on_z);
    else
        triangle_drag(one, x, y, z, u, v, w, on_y, on_z);
    add_triangle(to, at, on_y, on_z);
}

static void damp_part(const shells *s, const damping_group *g, const shell_part *part)
{
    node_sums to = begin_sums(part, s->stage_force);
    for (uint32_t n = 0; g->membrane != NULL && n < span_count(&part->triangles); n++)
        damp_triangle(s, &g->set, span_element(&part->triangles, n), &to);
    for (uint32_t n = 0; g->membrane == NULL && n < span_count(&part->triangles); n += LANES) {
        const element_block b = block_of(&part->triangles, n);
        damp_triangles(s, &g->set, &b, &to);
    }
    for (uint32_t n = 0; n < span_count(&part->hinges); n += LANES) {
        const element_block b = block_of(&part->hinges, n);
        damp_hinges(s, g, &b, &to);
    }
}

/* The same, one element after the other. */
static void damp_one_by_one(const shells *s, const damping_group *g, const shell_part *part)
{
    node_sums to = begin_sums(part, s->stage_force);
    for (uint32_t n = 0; n < span_count(&part->triangles); n++)
        damp_triangle(s, &g->set, span_element(&part->triangles, n), &to);
    for (uint32_t n = 0; n < span_count(&part->hinges); n++) {
        const uint32_t at = span_element(&part->hinges, n);
        const shell_hinge *h = &g->set.hinge[at];
        const vector3 *gradient = s->gradient[g->hinge_of[at]];
        double rate = 0;
        for (int q = 0; q < 4; q++) rate += dot3(gradient[q], s->stage[h->at[q]].v);
        add_hinge(&to, h->at, -2 * h->viscous * rate, gradient);
    }
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
        const double *force = s->stage_force[n];
        if (j == 1) memcpy(q->first, force, sizeof q->first);
        for (int k = 0; k < 3; k++) {
            const double mean = weight.last * q->last[k] + weight.before_last * q->before_last[k] +
                                weight.force * force[k] + weight.first * q->first[k];
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
        SHARED
        for (uint32_t n = 0; n < g->set.part_count; n++) {
            if (in_lanes(w))
                damp_part(w->shells, g, &g->set.part[n]);
            else
                damp_one_by_one(w->shells, g, &g->set.part[n]);
        }
        end_stage(w, c, g, step, j);
    }
    end_group(w, g);
}

/* ---- a kick ------------------------------------------------------------------------------------------------------ */

/* Drag uses the velocities under steady forces, in the middle of the elastic kick. Those before the kick differ by half
 * of the change that a steady load gives between two kicks, and by kicks of other classes: nodes at rest would seem to
 * move. */
static void take_ahead(const world *w, const shell_class *c, double step)
{
    const shells *s = w->shells;
    const uint32_t class = (uint32_t)(c - s->class);
    SHARED
    for (uint32_t n = 0; n < c->set.node_count; n++) {
        const double half = 0.5 * step * w->inverse_mass[c->set.node[n]];
        const components ahead = c->shares ? shells_velocity_ahead(w, c->set.node[n], class) : (components){0};
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
    take_ahead(w, c, step);
    for (int k = 0; k < DAMPING_GROUPS; k++)
        if (c->group[k].set.node_count > 0) damp_group(w, c, &c->group[k], step);
    book_drag(w, c, step, t);
}
