/* A parallel run: all domains, window after window. */
#ifndef CAROM_HARD_KERNEL_CREW_H
#define CAROM_HARD_KERNEL_CREW_H

#include "hard/kernel/parallel/domain.h"

/* Prepares a run of the gas by domains: one for each thread of each rank. All ranks have the same number of threads, and
 * the same gas. */
static carom_status crew_create(gas *g, int threads, transport *ranks, error *e);
static void crew_destroy(gas *g);

/* As gas_advance. */
static carom_status crew_advance(gas *g, const engine_limits *limits, carom_stop *stop, error *e);

static bool gas_domains(const void *self, engine_domains *out);

/* The part of crew_advance on each rank. */
static carom_status advance_domains(crew *c, const engine_limits *limits, carom_stop *stop, error *e);

#endif
