/* Conditions that hold between events, by an exhaustive check. In debug builds only (CAROM_INVARIANTS). */
#ifndef CAROM_VARIATIONAL_INVARIANTS_H
#define CAROM_VARIATIONAL_INVARIANTS_H

#include "variational/kernel/world.h"

/* Checks four conditions. All nodes are within tau of their nominal motions. No two elements that may touch are
 * within an inactive layer. Each contact with active layers has entries in both lists. No two come within an
 * inactive layer from now to `until`, for pairs that fly on straight lines relative to each other. Returns the
 * condition that does not hold, or NULL. */
static const char *invariants_broken(const world *w, double until);

#endif
