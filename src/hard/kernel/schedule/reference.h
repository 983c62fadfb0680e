/* The reference path: all pairs and a linear scan, the oracle of tests. */
#ifndef CAROM_HARD_KERNEL_REFERENCE_H
#define CAROM_HARD_KERNEL_REFERENCE_H

#include "hard/kernel/gas.h"

static void reference_all(gas *g);
static void reference_resume(gas *g);                        /* with the times of transfers in plan.second, as before */
static void reference_after(gas *g, uint32_t i, uint32_t j); /* j == i: one body changed */
static void reference_enter(gas *g, uint32_t i);             /* of a body that enters */
static bool reference_first(const gas *g, uint32_t *i, next_event *e);

#endif
