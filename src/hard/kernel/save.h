/* Checkpoints. */
#ifndef CAROM_HARD_KERNEL_SAVE_H
#define CAROM_HARD_KERNEL_SAVE_H

#include "hard/kernel/gas.h"

static carom_status gas_save(const void *self, snapshot *out, error *e);
static carom_status gas_load(void *self, const snapshot *in, error *e);

#endif
