/* The next check of an element: one entry per element in the queue. */
#ifndef CAROM_VARIATIONAL_RECHECK_H
#define CAROM_VARIATIONAL_RECHECK_H

#include "variational/kernel/world.h"

/* A little later than t >= 0, by a few roundings. */
static inline double just_after(double t)
{
    return t * (1 + 0x1p-51) + 0x1p-1000;
}

/* Enters element i into the queue at the end of its flight bound or at its next certificate, whichever is first. */
static void recheck_schedule(world *w, uint32_t i);

#endif
