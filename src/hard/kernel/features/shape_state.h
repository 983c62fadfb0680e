/* Shapes of bodies that are not spheres (geometry/shapes.h), and their rotation. */
#ifndef CAROM_HARD_KERNEL_SHAPE_STATE_H
#define CAROM_HARD_KERNEL_SHAPE_STATE_H

#include "geometry/shapes.h"
#include "hard/kernel/gas.h"

typedef struct shape_bodies {
    real (*axis)[3];          /* [count]: unit, at each body's stored time */
    real (*half)[2];          /* [kind]: extents along the axis and across */
    const body_shape **shape; /* [kind]; NULL for spheres */
} shape_bodies;

/* NULL: a sphere. */
static const body_shape *shape_of(const gas *g, uint32_t i);

static bool is_sphere(const gas *g, uint32_t i);

/* Whether one of the two is not a sphere. */
static bool shapes_any(const gas *g, uint32_t i, uint32_t j);

/* Half extents along the axis and across. */
static const real *half_of(const gas *g, uint32_t i);

/* Body i at local time t, and its spin. */
static void pose_at(const gas *g, uint32_t i, real t, posed *p, real w[3]);

/* Rotates the axis of a body to local time t. */
static void shapes_fly(gas *g, uint32_t i, real t);

/* The shapes of two bodies of which at least one is not a sphere. A sphere has the shape of the other body. */
static void shapes_of(const gas *g, uint32_t i, uint32_t j, const body_shape *of[2]);

/* 1 / I about axes perpendicular to that of the body. */
static real inverse_inertia(const gas *g, uint32_t i);

/* Applies a torque times `impulse`. The component of the spin along the axis, which is rounding, is removed. */
static void shape_apply_torque(gas *g, uint32_t i, const real torque[3], real impulse);

#endif
