/* Forces of thin shells. All elements of a class act on the same positions, and each node receives one kick. */
#include "variational/kernel/features/shells_damping.h"
#include "variational/kernel/features/shells_plates.h"
#include "variational/kernel/features/vertex_loads.h"

#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/kicks.h"

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static void place_nodes(const world *w, const shell_class *c, double t)
{
    shell_place *at = w->shells->at;
    SHARED
    for (uint32_t n = 0; n < c->set.node_count; n++) {
        at[n].x[2] = at[n].v[2] = 0;
        node_place(w, c->set.node[n], t, at[n].x);
        if (c->damped) node_velocity(w, c->set.node[n], t, at[n].v);
    }
}

static void stretch_triangles(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->set.triangle_count; n++) {
        const shell_triangle *one = &c->set.triangle[n];
        double(*slot)[3] = s->slot + 3 * (size_t)n;
        triangle_force(one, s->at[one->at[0]].x, s->at[one->at[1]].x, s->at[one->at[2]].x, slot[1], slot[2]);
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

static void bend_hinges(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->set.hinge_count; n++) {
        shell_hinge *h = &c->set.hinge[n];
        hinge_shape shape;
        vector3 own[4], *gradient = c->damped || c->plate_count > 0 ? s->gradient[n] : own;
        double off = 0;
        memset(gradient, 0, sizeof own);
        if (hinge_of_class(s, h, &shape, gradient)) off = angle_from(hinge_angle(&shape), h->rest);
        if (c->plastic) s->lost[n] = hinge_flow(h, &off);
        if (c->plate_count > 0) s->off[n] = off;
        turn_hinge(s->slot + 4 * (size_t)n, -2 * h->stiff * off, gradient);
    }
}

static void add_to_force(const world *w, const shell_class *c, const slot_list *of, bool anew)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->set.node_count; n++) add_slots_of(s, of, n, anew, s->force[n]);
}

static void push_class(world *w, const shell_class *c, double step, double t, kick *out)
{
    place_nodes(w, c, t);
    stretch_triangles(w, c);
    add_to_force(w, c, &c->set.triangle_slots, true);
    bend_hinges(w, c);
    if (c->plate_count > 0) bend_plates(w, c);
    add_to_force(w, c, &c->set.hinge_slots, false);
    if (c->loaded) {
#pragma omp single
        vertex_loads_act(w, c, t);
    }
    if (c->damped) damp(w, c, step, t);
    SHARED
    for (uint32_t n = 0; n < c->set.node_count; n++) {
        out[n] = (kick){.i = c->set.node[n], .j = NONE};
        for (int k = 0; k < DIM; k++) out[n].impulse[k] = step * w->shells->force[n][k];
        for (int k = 0; c->kick != NULL && k < DIM; k++)
            c->kick[n][k] = w->inverse_mass[c->set.node[n]] * out[n].impulse[k];
    }
}

/* A team of one thread for few elements: unshared loops must not belong to the team of a caller. */
static void shells_fire(world *w, const clock *from, double t)
{
    shells *s = w->shells;
    const shell_class *c = &s->class[from->group];
    kick *out = add_kicks(w, c->set.node_count);
    if (out == NULL) return;
#pragma omp parallel num_threads(c->set.triangle_count + c->set.hinge_count > FEW_ELEMENTS ? w->threads : 1)
    push_class(w, c, from->step, t, out);
    for (uint32_t n = 0; c->plastic && n < c->set.hinge_count; n++) w->totals.ledger.plastic += s->lost[n];
    for (uint32_t n = 0; c->damped && n < c->set.node_count; n++) w->totals.ledger.damping += s->damped[n];
    w->totals.events[EVENT_FORCE] += c->set.triangle_count + c->set.hinge_count;
    s->middle[from->group] = t + 0.5 * from->step;
}

static void shells_velocity_ahead(const world *w, uint32_t i, double t, uint32_t but, double v[DIM])
{
    const shells *s = w->shells;
    for (int k = 0; k < DIM; k++) v[k] = 0;
    for (uint32_t q = s->first_seat[i]; q < s->first_seat[i + 1]; q++) {
        const uint32_t class = s->seat[q].class;
        if (class == but) continue;
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
