#include "hard/kernel/features/shape_state.h"
#include "hard/kernel/features/rotation.h"

#include <string.h>

static const body_shape *shape_of(const gas *g, uint32_t i)
{
    return g->shapes->shape[g->body[i].kind];
}

static bool is_sphere(const gas *g, uint32_t i)
{
    return shape_of(g, i) == NULL;
}

static bool shapes_any(const gas *g, uint32_t i, uint32_t j)
{
    return !is_sphere(g, i) || !is_sphere(g, j);
}

static void spin_of(const gas *g, uint32_t i, real w[3])
{
    for (int k = 0; k < 3; k++) w[k] = DIM == 3 ? g->rotation->spin[i][k % TURN] : k == 2 ? g->rotation->spin[i][0] : 0;
}

static const real *half_of(const gas *g, uint32_t i)
{
    return g->shapes->half[g->body[i].kind];
}

static void pose_at(const gas *g, uint32_t i, real t, posed *p, real w[3])
{
    p->along = half_of(g, i)[0];
    p->across = half_of(g, i)[1];
    memcpy(p->axis, g->shapes->axis[i], sizeof p->axis);
    spin_of(g, i, w);
    posed_turn(p->axis, w, t - g->body[i].t);
}

static void shapes_fly(gas *g, uint32_t i, real t)
{
    real w[3];
    spin_of(g, i, w);
    posed_turn(g->shapes->axis[i], w, t - g->body[i].t);
}

static void shapes_of(const gas *g, uint32_t i, uint32_t j, const body_shape *of[2])
{
    of[0] = is_sphere(g, i) ? shape_of(g, j) : shape_of(g, i);
    of[1] = is_sphere(g, j) ? of[0] : shape_of(g, j);
}

static real inverse_inertia(const gas *g, uint32_t i)
{
    const double radius = (double)radius_of(g, i);
    return (real)(1 / (scene_inertia(g->scene, species_of(g, i)) * mass_of(g, i) * radius * radius));
}

static void shape_apply_torque(gas *g, uint32_t i, const real torque[3], real impulse)
{
    const real by = impulse * inverse_inertia(g, i);
    real w[3];
    if (is_sphere(g, i)) return;
    spin_of(g, i, w);
    for (int k = 0; k < 3; k++) w[k] -= by * torque[k];
#if CAROM_DIM == 3
    const real *axis = g->shapes->axis[i], along = dot3(w, axis);
    for (int k = 0; k < 3; k++) g->rotation->spin[i][k] = w[k] - along * axis[k];
#else
    g->rotation->spin[i][0] = w[2];
#endif
}
