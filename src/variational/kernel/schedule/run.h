/* The event loop, and the output of the state. */
#ifndef CAROM_VARIATIONAL_RUN_H
#define CAROM_VARIATIONAL_RUN_H

#include "variational/kernel/world.h"

static carom_status world_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e);
static void world_fill_frame(void *self, double time, carom_frame *frame);
static void world_fill_columns(void *self, unsigned columns, carom_frame *frame);
static carom_status world_save(void *self, snapshot *out, error *e);
static carom_status world_load(void *self, const snapshot *in, error *e);

/* The error of a run that ends because a pair is squeezed: no step is small enough. */
static carom_status world_squeezed(world *w, error *e);

#endif
