/* Places of bodies in the frame of reference and the box that results have. */
#ifndef CAROM_HARD_KERNEL_TRUE_PLACE_H
#define CAROM_HARD_KERNEL_TRUE_PLACE_H

#include "hard/kernel/gas.h"

/* Displacement of the frame of reference at a time, in whole boxes and a rest, and its velocity. */
typedef struct drifted {
    double rest[DIM], speed[DIM], boxes[DIM];
} drifted;
static drifted drifted_until(const gas *g, double time);

/* Position, velocity and images of a body in the sheared box. */
static void place_sheared(const gas *g, uint32_t i, real t, real r[DIM], real v[DIM], int64_t image[DIM]);

#endif
