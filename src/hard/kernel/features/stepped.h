/* What pairs that interact beyond contact do next, and what they do then. */
#ifndef CAROM_HARD_KERNEL_STEPPED_H
#define CAROM_HARD_KERNEL_STEPPED_H

#include "hard/kernel/features/stepped_bonds.h"

/* Carries out what the pair does at local time t. */
static carom_status stepped_event(gas *g, uint32_t i, uint32_t j, real t, error *e);

#endif
