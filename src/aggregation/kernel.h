/* What each compiled copy of a kernel (method, dimension) offers to the engine. */
#ifndef CAROM_AGGREGATION_KERNEL_H
#define CAROM_AGGREGATION_KERNEL_H

#include "engine/engine.h"

typedef struct aggregation_kernel {
    size_t (*memory)(const scene *s, size_t count); /* bytes, about */
    carom_status (*create)(void **self, const scene *s, const initial_state *state, error *e);
    carom_status (*advance)(void *self, const engine_limits *limits, carom_stop *stop, error *e);
    double (*time)(const void *self);
    const uint64_t *(*events)(const void *self);
    uint64_t (*clusters)(const void *self);
    void (*fill_frame)(void *self, double time, carom_frame *frame);
    carom_status (*save)(const void *self, snapshot *out, error *e);
    carom_status (*load)(void *self, const snapshot *in, error *e);
    void (*destroy)(void *self);
} aggregation_kernel;

extern const aggregation_kernel aggregation_events_2d, aggregation_events_3d;
extern const aggregation_kernel aggregation_steps_2d, aggregation_steps_3d;
extern const aggregation_kernel aggregation_rotating_2d, aggregation_rotating_3d;

#endif
