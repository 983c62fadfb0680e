/* Re-basing of clocks. */
#ifndef CAROM_HARD_KERNEL_REBASE_H
#define CAROM_HARD_KERNEL_REBASE_H

#include "hard/kernel/gas.h"

static bool rebase_due(const gas *g);

/* Advances all bodies to g->now, makes it the origin of local time, and rescales velocities that have become small. The
 * time of a re-basing depends on counts of physical events and on simulated time only, so that it is the same on all
 * paths. */
static void rebase(gas *g);

/* Subtracts the velocity of the centre of mass along the free axes; `velocity` (may be NULL) receives it. */
static void remove_drift(gas *g, real velocity[DIM]);

#endif
