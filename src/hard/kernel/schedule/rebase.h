/* Re-basing of clocks. */
#ifndef CAROM_HARD_KERNEL_REBASE_H
#define CAROM_HARD_KERNEL_REBASE_H

#include "hard/kernel/gas.h"

static uint64_t rebase_after(const gas *g); /* physical events from one re-basing to the next */
static bool rebase_due(const gas *g);

/* Advances all bodies to g->now, makes it the origin of local time, and rescales velocities that have become small. The
 * time of a re-basing depends on counts of physical events and on simulated time only, so that it is the same on all
 * paths. */
static void rebase(gas *g);

/* Its parts: of each body; of the clock; of what depends on the velocities of all bodies. */
static void bring_to(gas *g, uint32_t i, real t);
static void rebase_clock(gas *g);
static void rebase_speeds(gas *g);
static int exponent_of(const gas *g, double speed); /* for this r.m.s. velocity */
static int cooled_bits(const gas *g, int exponent);

/* Subtracts the velocity of the centre of mass along the free axes; `velocity` (may be NULL) receives it. */
static void remove_drift(gas *g, real velocity[DIM]);

#endif
