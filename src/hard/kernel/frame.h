/* Frames, and the hash of the state. */
#ifndef CAROM_HARD_KERNEL_FRAME_H
#define CAROM_HARD_KERNEL_FRAME_H

#include "hard/kernel/gas.h"

/* Displacement of the frame of reference at a time, in whole boxes and a rest, and its velocity. */
typedef struct drifted {
    double rest[DIM], speed[DIM], boxes[DIM];
} drifted;
static drifted drifted_until(const gas *g, double time);

/* Position, velocity and images of a body in the sheared box. */
static void place_sheared(const gas *g, uint32_t i, real t, real r[DIM], real v[DIM], int64_t image[DIM]);

static void gas_fill_frame(void *self, double time, carom_frame *frame);
static void gas_fill_columns(void *self, unsigned columns, carom_frame *frame);
static bool gas_fills_parts(const void *self);
static double time_of(const void *self);
static const uint64_t *events_of(const void *self);

#endif
