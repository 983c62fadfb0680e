#include "variational/kernel/response/contact_motion.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/narrow/elements.h"

static bool in_one_body(const world *w, const uint32_t *ends, int count)
{
    for (int q = 0; q < count; q++)
        if (!is_rigid(w, ends[q]) || w->rigid.body_of[ends[q]] != w->rigid.body_of[ends[0]]) return false;
    return true;
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
    return 1 / (mobility(w, c->i, c, 0, along, t) + (c->j < NODES ? mobility(w, c->j, c, 1, along, t) : 0));
}

static void velocity_of_side(const world *w, uint32_t element, const contact *c, int side, double t, double v[DIM])
{
    uint32_t ends[3];
    double u[DIM], first[DIM];
    if (element >= NODES) {
        memcpy(v, w->domain.surface[element - NODES].velocity, DIM * sizeof *v);
        return;
    }
    int count = ends_of(w, element, ends);
    node_velocity(w, ends[0], t, first);
    memcpy(v, first, sizeof first);
    for (int q = 1; q < count; q++) {
        node_velocity(w, ends[q], t, u);
        for (int k = 0; k < DIM; k++) v[k] += c->share[side][q] * (u[k] - first[k]);
    }
}

static void linked_velocity(const world *w, const contact *c, double t, double v[DIM])
{
    double u[DIM];
    velocity_of_side(w, c->i, c, 0, t, v);
    velocity_of_side(w, c->j, c, 1, t, u);
    for (int k = 0; k < DIM; k++) v[k] -= u[k];
}

static void contact_velocity(const world *w, const contact *c, double t, double v[DIM])
{
    components_put(relative_velocity(w, c, t), v);
}
