#include "variational/kernel/response/contact_motion.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/narrow/elements.h"

static bool in_one_body(const world *w, const uint32_t *ends, int count)
{
    for (int q = 0; q < count; q++)
        if (!is_rigid(w, ends[q]) || w->rigid.body_of[ends[q]] != w->rigid.body_of[ends[0]]) return false;
    return true;
}

/* Of an element without nodes of bodies: the same along all directions. */
HOT double free_mobility(const world *w, uint32_t element, const contact *c, int side)
{
    uint32_t ends[3];
    const int count = ends_of(w, element, ends);
    if (count == 1) return w->inverse_mass[element];
    double sum = 0;
    for (int q = 0; q < count; q++) sum += c->share[side][q] * c->share[side][q] * w->inverse_mass[ends[q]];
    return sum;
}

static double mobility(const world *w, uint32_t element, const contact *c, int side, const double n[DIM], double t)
{
    uint32_t ends[3];
    const double *share = c->share[side];
    int count = ends_of(w, element, ends);
    double sum = 0, x[3][DIM] = {{0}}, one[3];
    bool rigid = in_one_body(w, ends, count);
    for (int q = 0; q < count; q++) {
        one[q] = count == 1 ? 1 : share[q];
        if (is_rigid(w, ends[q])) node_place(w, ends[q], t, x[q]);
    }
    if (rigid) {
        double place[DIM];
        for (int k = 0; k < DIM; k++) {
            place[k] = x[0][k];
            for (int q = 1; q < count; q++) place[k] += (x[q][k] - x[0][k]) * one[q];
        }
        return body_mobility(w, w->rigid.body_of[ends[0]], place, n, t);
    }
    for (int q = 0; q < count; q++)
        sum +=
            one[q] * one[q] *
            (is_rigid(w, ends[q]) ? body_mobility(w, w->rigid.body_of[ends[q]], x[q], n, t) : w->inverse_mass[ends[q]]);
    return sum;
}

static double contact_mass(const world *w, const contact *c, const double along[DIM], double t)
{
    if (!c->linked) return c->mass;
    if (w->rigid.bodies == NULL)
        return 1 / (free_mobility(w, c->i, c, 0) + (c->j < NODES ? free_mobility(w, c->j, c, 1) : 0));
    return 1 / (mobility(w, c->i, c, 0, along, t) + (c->j < NODES ? mobility(w, c->j, c, 1, along, t) : 0));
}

HOT components velocity_of_node(const world *w, uint32_t i, double t)
{
    double v[DIM];
    if (!node_is_rigid(&w->node[i])) return node_flight_velocity(w, &w->node[i], t);
    body_velocity(w, i, t, v);
    return components_from(v);
}

HOT components velocity_of_side(const world *w, uint32_t element, const contact *c, int side, double t)
{
    uint32_t ends[3];
    if (element >= NODES) return components_from(w->domain.surface[element - NODES].velocity);
    const int count = ends_of(w, element, ends);
    const components first = velocity_of_node(w, ends[0], t);
    components v = first;
    for (int q = 1; q < count; q++) v += c->share[side][q] * (velocity_of_node(w, ends[q], t) - first);
    return v;
}

static components linked_velocity(const world *w, const contact *c, double t)
{
    return velocity_of_side(w, c->i, c, 0, t) - velocity_of_side(w, c->j, c, 1, t);
}

static void contact_velocity(const world *w, const contact *c, double t, double v[DIM])
{
    components_put(relative_velocity(w, c, t), v);
}
