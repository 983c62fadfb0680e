/* Forces of thin shells. All elements of a class act on the same positions, and each node receives one kick. */
#include "variational/kernel/features/shells.h"

#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/kicks.h"

/* Loops that the threads of shells_fire share. */
#define SHARED _Pragma("omp for schedule(static)")

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static void place_nodes(const world *w, const shell_class *c, double t)
{
    shell_place *at = w->shells->at;
    SHARED
    for (uint32_t n = 0; n < c->node_count; n++) {
        at[n].x[2] = at[n].v[2] = 0;
        node_place(w, c->node[n], t, at[n].x);
        if (c->damped) node_velocity(w, c->node[n], t, at[n].v);
    }
}

/* The force on the first corner is opposite to the sum of those on the other two. */
static inline void balance(double (*slot)[3])
{
    for (int k = 0; k < 3; k++) slot[0][k] = -(slot[1][k] + slot[2][k]);
}

static void stretch_triangles(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->triangle_count; n++) {
        const shell_triangle *one = &c->triangle[n];
        double(*slot)[3] = s->slot + 3 * (size_t)n;
        triangle_force(one, s->at[one->at[0]].x, s->at[one->at[1]].x, s->at[one->at[2]].x, slot[1], slot[2]);
        balance(slot);
    }
}

static void damp_stretch(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->triangle_count; n++) {
        const shell_triangle *one = &c->triangle[n];
        const shell_place *x = &s->at[one->at[0]], *y = &s->at[one->at[1]], *z = &s->at[one->at[2]];
        double(*slot)[3] = s->slot + 3 * (size_t)n;
        triangle_drag(one, x->x, y->x, z->x, x->v, y->v, z->v, slot[1], slot[2]);
        balance(slot);
    }
}

static inline bool hinge_of_class(const shells *s, const shell_hinge *h, hinge_shape *shape, vector3 gradient[4])
{
    const uint32_t *at = h->at;
    if (!hinge_look(s->at[at[0]].x, s->at[at[1]].x, s->at[at[2]].x, s->at[at[3]].x, shape)) return false;
    hinge_gradient(shape, gradient);
    return true;
}

static inline void turn_hinge(double (*slot)[3], double moment, vector3 gradient[4])
{
    for (int q = 0; q < 4; q++)
        for (int k = 0; k < 3; k++) slot[q][k] = moment * gradient[q][k];
}

static void bend_hinges(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->hinge_count; n++) {
        shell_hinge *h = &c->hinge[n];
        hinge_shape shape;
        vector3 gradient[4] = {{0}};
        double off = 0;
        if (hinge_of_class(s, h, &shape, gradient)) off = angle_from(hinge_angle(&shape), h->rest);
        if (c->plastic) s->lost[n] = hinge_flow(h, &off);
        turn_hinge(s->slot + 4 * (size_t)n, -2 * h->stiff * off, gradient);
    }
}

static void damp_bend(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->hinge_count; n++) {
        const shell_hinge *h = &c->hinge[n];
        hinge_shape shape;
        vector3 gradient[4] = {{0}};
        double rate = 0;
        if (h->viscous > 0 && hinge_of_class(s, h, &shape, gradient))
            for (int q = 0; q < 4; q++) rate += dot3(gradient[q], s->at[h->at[q]].v);
        turn_hinge(s->slot + 4 * (size_t)n, -2 * h->viscous * rate, gradient);
    }
}

/* Adds the slots of each node to the present sums. */
static void add_slots(const world *w, const shell_class *c, const slot_list *of, bool anew, double (*force)[3])
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->node_count; n++) {
        double sum[3] = {0};
        if (!anew) memcpy(sum, force[n], sizeof sum);
        for (uint32_t q = of->first[n]; q < of->first[n + 1]; q++)
            for (int k = 0; k < 3; k++) sum[k] += s->slot[of->at[q]][k];
        memcpy(force[n], sum, sizeof sum);
    }
}

/* Drag uses the velocities in the middle of the elastic kick. Those before the kick differ by half of the change
 * that a steady load gives between two kicks, and nodes at rest would seem to move. */
static void damp(const world *w, const shell_class *c, double step)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->node_count; n++) {
        const double half = 0.5 * step * w->inverse_mass[c->node[n]];
        for (int k = 0; k < 3; k++) s->at[n].v[k] += half * s->force[n][k];
    }
    damp_stretch(w, c);
    add_slots(w, c, &c->triangle_slots, true, s->drag);
    damp_bend(w, c);
    add_slots(w, c, &c->hinge_slots, false, s->drag);
    SHARED
    for (uint32_t n = 0; n < c->node_count; n++) {
        /* the work of this part of the kick uses the mean of the velocities before and after the whole kick */
        const double half = 0.5 * step * w->inverse_mass[c->node[n]];
        s->damped[n] = 0;
        for (int k = 0; k < 3; k++) {
            s->damped[n] -= step * s->drag[n][k] * (s->at[n].v[k] + half * s->drag[n][k]);
            s->force[n][k] += s->drag[n][k];
        }
    }
}

static void push_class(const world *w, const shell_class *c, double step, double t, kick *out)
{
    place_nodes(w, c, t);
    stretch_triangles(w, c);
    add_slots(w, c, &c->triangle_slots, true, w->shells->force);
    bend_hinges(w, c);
    add_slots(w, c, &c->hinge_slots, false, w->shells->force);
    if (c->damped) damp(w, c, step);
    SHARED
    for (uint32_t n = 0; n < c->node_count; n++) {
        out[n] = (kick){.i = c->node[n], .j = NONE};
        for (int k = 0; k < DIM; k++) out[n].impulse[k] = step * w->shells->force[n][k];
        for (int k = 0; c->kick != NULL && k < DIM; k++)
            c->kick[n][k] = w->inverse_mass[c->node[n]] * out[n].impulse[k];
    }
}

/* A team of one thread for few elements: unshared loops must not belong to the team of a caller. */
static void shells_fire(world *w, const clock *from, double t)
{
    shells *s = w->shells;
    const shell_class *c = &s->class[from->group];
    kick *out = add_kicks(w, c->node_count);
    if (out == NULL) return;
#pragma omp parallel num_threads(c->triangle_count + c->hinge_count > FEW_ELEMENTS ? w->threads : 1)
    push_class(w, c, from->step, t, out);
    for (uint32_t n = 0; c->plastic && n < c->hinge_count; n++) w->totals.ledger.plastic += s->lost[n];
    for (uint32_t n = 0; c->damped && n < c->node_count; n++) w->totals.ledger.damping += s->damped[n];
    w->totals.events[EVENT_FORCE] += c->triangle_count + c->hinge_count;
    s->middle[from->group] = t + 0.5 * from->step;
}

static void shells_velocity_ahead(const world *w, uint32_t i, double t, double v[DIM])
{
    const shells *s = w->shells;
    for (int k = 0; k < DIM; k++) v[k] = 0;
    for (uint32_t q = s->first_seat[i]; q < s->first_seat[i + 1]; q++) {
        const uint32_t class = s->seat[q].class;
        const double share = (s->middle[class] - t) / s->step[class];
        for (int k = 0; k < DIM; k++) v[k] += share * s->class[class].kick[s->seat[q].local][k];
    }
}

static void shells_forget_kicks(world *w, uint32_t i)
{
    const shells *s = w->shells;
    if (s == NULL || s->kick == NULL) return;
    for (uint32_t q = s->first_seat[i]; q < s->first_seat[i + 1]; q++)
        memset(s->class[s->seat[q].class].kick[s->seat[q].local], 0, sizeof *s->kick);
}
