/* Loading of checkpoints. */
#ifndef CAROM_HARD_KERNEL_LOAD_H
#define CAROM_HARD_KERNEL_LOAD_H

#include "hard/kernel/gas.h"

static carom_status gas_load(void *self, const snapshot *in, error *e);

#endif
