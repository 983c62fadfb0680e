/* Creation and destruction of the gas. */
#ifndef CAROM_HARD_KERNEL_CREATE_H
#define CAROM_HARD_KERNEL_CREATE_H

#include "hard/kernel/gas.h"

static carom_status gas_create(void **self, const scene *s, const initial_state *state, unsigned tallies,
                               const engine_workers *workers, error *e);
/* As engine_kernel.begin. */
static carom_status gas_begin(void *self, error *e);
static void gas_destroy(void *self);

/* Bytes of memory for n bodies. */
static size_t memory_of(size_t n);

/* As hard_kernel.grow. */
static carom_status grow(void *self, double rate, double factor, error *e);

#endif
