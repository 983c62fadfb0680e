/* The shapes of ellipsoids, and how they turn. */
#ifndef CAROM_HARD_KERNEL_ELLIPSOID_SHAPE_H
#define CAROM_HARD_KERNEL_ELLIPSOID_SHAPE_H

#include "geometry/ellipsoid.h"
#include "hard/kernel/gas.h"

typedef struct ellipsoids {
    real (*axis)[3]; /* [count]: unit, at each body's stored time */
    real (*semi)[2]; /* [kind]: along the axis and across */
    bool *round;     /* [kind]: spheres */
} ellipsoids;

static bool is_sphere(const gas *g, uint32_t i);

/* Is one of the two no sphere? */
static bool ellipsoids_any(const gas *g, uint32_t i, uint32_t j);

/* Semi-axes: along the axis and across. */
static const real *semi_of(const gas *g, uint32_t i);

/* Body i at local time t, and its spin. */
static void shape_at(const gas *g, uint32_t i, real t, ellipsoid *e, real w[3]);

/* As `fly`, for the axis of an ellipsoid alone. */
static void ellipsoids_fly(gas *g, uint32_t i, real t);

/* 1 / I about axes across that of the body. */
static real turns_by(const gas *g, uint32_t i);

/* The body feels a unit torque times `impulse`; what rounding adds along the axis is taken away again. */
static void ellipsoid_apply_torque(gas *g, uint32_t i, const real torque[3], real impulse);

#endif
