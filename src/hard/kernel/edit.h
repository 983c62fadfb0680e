/* Changes of the state from outside, between two calls of `advance` (engine_kernel). */
#ifndef CAROM_HARD_KERNEL_EDIT_H
#define CAROM_HARD_KERNEL_EDIT_H

#include "hard/kernel/gas.h"

static carom_status gas_set_velocities(void *self, double time, size_t count, const uint32_t *particles,
                                       const double *velocities, error *e);
static carom_status gas_adopt(void *self, void *from, double time, const uint32_t *numbers, error *e);
static carom_status gas_record(void *self, double time, unsigned tallies, error *e);

#endif
