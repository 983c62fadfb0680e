/* Ranks other than 0. */
#ifndef CAROM_HARD_KERNEL_FOLLOW_H
#define CAROM_HARD_KERNEL_FOLLOW_H

#include "hard/kernel/gas.h"

/* Carries out the orders of rank 0 until the last one. */
static carom_status gas_follow(void *self, error *e);

#endif
