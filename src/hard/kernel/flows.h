/* Bodies that enter and leave, between two calls of `advance` (engine_kernel). */
#ifndef CAROM_HARD_KERNEL_FLOWS_H
#define CAROM_HARD_KERNEL_FLOWS_H

#include "hard/kernel/gas.h"

static carom_status gas_enter(void *self, double time, uint32_t particle, const double position[3], bool *entered,
                              double *energy, error *e);
static carom_status gas_leave(void *self, double time, size_t count, const uint32_t *particles, double *energy,
                              error *e);

#endif
