/* Loading of checkpoints. */
#ifndef CAROM_HARD_KERNEL_LOAD_H
#define CAROM_HARD_KERNEL_LOAD_H

#include "hard/kernel/gas.h"

/* Without the places of the bodies in lists or cells. */
static carom_status state_load(gas *g, const snapshot *in, error *e);

#endif
