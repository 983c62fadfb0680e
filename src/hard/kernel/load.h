/* Loading of checkpoints. */
#ifndef CAROM_HARD_KERNEL_LOAD_H
#define CAROM_HARD_KERNEL_LOAD_H

#include "hard/kernel/gas.h"

/* Restores the members of the tallies that follow from the scene. */
static void restore_known(frame_tallies *t, const frame_tallies *known);

static carom_status gas_load(void *self, const snapshot *in, error *e);

#endif
