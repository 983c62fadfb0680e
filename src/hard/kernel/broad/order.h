/* Order of the bodies in memory. */
#ifndef CAROM_HARD_KERNEL_ORDER_H
#define CAROM_HARD_KERNEL_ORDER_H

#include "hard/kernel/gas.h"

/* Sorts the bodies in space. Plans become invalid. */
static void order_bodies(gas *g);

/* Places of the bodies along the curve, at local time g->now. */
static void find_places(const gas *g, struct curve_place *p);

/* Moves body from[i].item to index i in all arrays. */
static void arrange_bodies(gas *g, struct curve_place *from);

#endif
