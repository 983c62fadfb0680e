/* The re-basing of clocks. */
#ifndef CAROM_HARD_KERNEL_REBASE_H
#define CAROM_HARD_KERNEL_REBASE_H

#include "hard/kernel/gas.h"

static bool rebase_due(const gas *g);

/* Brings all bodies to g->now, makes that the origin of local time, and rescales velocities when they have become
 * small. Happens at counts of physical events and at times of its own, so that it does not depend on the way events
 * are found. */
static void rebase(gas *g);

/* Takes the velocity of the centre of mass away along the free axes; `velocity` (may be NULL) receives it. */
static void remove_drift(gas *g, real velocity[DIM]);

#endif
