#include "hard/kernel/features/ellipsoid_shape.h"
#include "hard/kernel/features/rotation.h"

#include <string.h>

static bool is_sphere(const gas *g, uint32_t i)
{
    return g->ellipsoids->round[g->body[i].kind];
}

static bool ellipsoids_any(const gas *g, uint32_t i, uint32_t j)
{
    return !is_sphere(g, i) || !is_sphere(g, j);
}

static void spin_of(const gas *g, uint32_t i, real w[3])
{
    for (int k = 0; k < 3; k++) w[k] = DIM == 3 ? g->rotation->spin[i][k % TURN] : k == 2 ? g->rotation->spin[i][0] : 0;
}

static const real *semi_of(const gas *g, uint32_t i)
{
    return g->ellipsoids->semi[g->body[i].kind];
}

static void shape_at(const gas *g, uint32_t i, real t, ellipsoid *e, real w[3])
{
    e->along = semi_of(g, i)[0];
    e->across = semi_of(g, i)[1];
    memcpy(e->axis, g->ellipsoids->axis[i], sizeof e->axis);
    spin_of(g, i, w);
    ellipsoid_turn(e->axis, w, t - g->body[i].t);
}

static void ellipsoids_fly(gas *g, uint32_t i, real t)
{
    real w[3];
    spin_of(g, i, w);
    ellipsoid_turn(g->ellipsoids->axis[i], w, t - g->body[i].t);
}

static real turns_by(const gas *g, uint32_t i)
{
    const double radius = (double)radius_of(g, i);
    return (real)(1 / (scene_inertia(g->scene, species_of(g, i)) * mass_of(g, i) * radius * radius));
}

static void ellipsoid_apply_torque(gas *g, uint32_t i, const real torque[3], real impulse)
{
    const real by = impulse * turns_by(g, i);
    real w[3];
    if (is_sphere(g, i)) return;
    spin_of(g, i, w);
    for (int k = 0; k < 3; k++) w[k] -= by * torque[k];
#if CAROM_DIM == 3
    const real *axis = g->ellipsoids->axis[i], along = dot3(w, axis);
    for (int k = 0; k < 3; k++) g->rotation->spin[i][k] = w[k] - along * axis[k];
#else
    g->rotation->spin[i][0] = w[2];
#endif
}
