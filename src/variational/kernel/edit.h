/* Changes of the state from outside, between two calls of `advance` (engine_kernel). */
#ifndef CAROM_VARIATIONAL_EDIT_H
#define CAROM_VARIATIONAL_EDIT_H

#include "variational/kernel/world.h"

static carom_status world_set_velocities(void *self, double time, size_t count, const uint32_t *particles,
                                         const double *velocities, error *e);
/* The end of a run without events is determined anew from this time on. */
static void begin_moment(world *w, double time);
static carom_status world_adopt(void *self, void *from, double time, const uint32_t *numbers, error *e);

#endif
