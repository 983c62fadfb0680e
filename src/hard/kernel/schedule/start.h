/* The first search for neighbours and events. */
#ifndef CAROM_HARD_KERNEL_START_H
#define CAROM_HARD_KERNEL_START_H

#include "hard/kernel/gas.h"

/* Makes lists (or cells) and queue, and finds all events. */
static carom_status start(gas *g, error *e);

/* Whether cells are faster than lists. */
static bool cells_are_faster(const gas *g);

#endif
