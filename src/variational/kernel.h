/* What each compiled copy of the kernel (dimension) offers to the engine. */
#ifndef CAROM_VARIATIONAL_KERNEL_H
#define CAROM_VARIATIONAL_KERNEL_H

#include "engine/engine.h"

typedef struct variational_kernel {
    carom_status (*create)(void **self, const scene *s, const initial_state *state, error *e);
    carom_status (*advance)(void *self, const engine_limits *limits, carom_stop *stop, error *e);
    double (*time)(const void *self);
    const uint64_t *(*events)(const void *self);
    void (*fill_frame)(void *self, double time, carom_frame *frame);
    carom_status (*save)(const void *self, snapshot *out, error *e);
    carom_status (*load)(void *self, const snapshot *in, error *e);
    void (*destroy)(void *self);
} variational_kernel;

extern const variational_kernel variational_kernel_2d, variational_kernel_3d;

#endif
