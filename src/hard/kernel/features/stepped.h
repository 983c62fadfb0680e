/* Events of pairs with stepped potentials, liquid bridges or bonds. */
#ifndef CAROM_HARD_KERNEL_STEPPED_H
#define CAROM_HARD_KERNEL_STEPPED_H

#include "hard/kernel/features/stepped_bonds.h"

/* Carries out the event of the pair at local time t; i has the smaller id. */
static carom_status stepped_event(gas *g, uint32_t i, uint32_t j, real t, error *e);

#endif
