/* What holds between events, checked in full, by brute force; in debug builds only (CAROM_INVARIANTS). */
#ifndef CAROM_VARIATIONAL_INVARIANTS_H
#define CAROM_VARIATIONAL_INVARIANTS_H

#include "variational/kernel/world.h"

/* All nodes are within tau of their nominal motions; no two that may touch have come within a layer that sleeps; what
 * shares a layer that is awake knows so in both lists. And from now to `until`, while all fly on, none will: those that
 * fly on straight lines with respect to each other, that is. The condition that does not hold, or NULL. */
static const char *invariants_broken(const world *w, double until);

#endif
