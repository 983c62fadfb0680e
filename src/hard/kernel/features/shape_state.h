/* The shapes of bodies that are no spheres (geometry/shapes.h), and how they turn. */
#ifndef CAROM_HARD_KERNEL_SHAPE_STATE_H
#define CAROM_HARD_KERNEL_SHAPE_STATE_H

#include "geometry/shapes.h"
#include "hard/kernel/gas.h"

typedef struct shape_bodies {
    real (*axis)[3];          /* [count]: unit, at each body's stored time */
    real (*half)[2];          /* [kind]: extents along the axis and across */
    const body_shape **shape; /* [kind]; of spheres NULL */
} shape_bodies;

/* NULL: a sphere. */
static const body_shape *shape_of(const gas *g, uint32_t i);

static bool is_sphere(const gas *g, uint32_t i);

/* Is one of the two no sphere? */
static bool shapes_any(const gas *g, uint32_t i, uint32_t j);

/* Half extents: along the axis and across. */
static const real *half_of(const gas *g, uint32_t i);

/* Body i at local time t, and its spin. */
static void pose_at(const gas *g, uint32_t i, real t, posed *p, real w[3]);

/* As `fly`, for the axis of a body that is no sphere alone. */
static void shapes_fly(gas *g, uint32_t i, real t);

/* The shape of each of two bodies, of which one is no sphere: a sphere is one of the other's shape. */
static void shapes_of(const gas *g, uint32_t i, uint32_t j, const body_shape *of[2]);

/* 1 / I about axes across that of the body. */
static real inverse_inertia(const gas *g, uint32_t i);

/* The body feels a unit torque times `impulse`; what rounding adds along the axis is taken away again. */
static void shape_apply_torque(gas *g, uint32_t i, const real torque[3], real impulse);

#endif
