/* Order of the bodies in memory. */
#ifndef CAROM_HARD_KERNEL_ORDER_H
#define CAROM_HARD_KERNEL_ORDER_H

#include "hard/kernel/gas.h"

/* Sorts the bodies in space. Plans become invalid. */
static void order_bodies(gas *g);

#endif
