/* Checkpoints: the state, and the places of the bodies in lists or cells. */
#ifndef CAROM_HARD_KERNEL_CHECKPOINT_H
#define CAROM_HARD_KERNEL_CHECKPOINT_H

#include "hard/kernel/gas.h"

static carom_status gas_save(void *self, snapshot *out, error *e);
static carom_status gas_load(void *self, const snapshot *in, error *e);

#endif
