/* The division of space, and of the bodies, among domains. */
#ifndef CAROM_HARD_KERNEL_DIVIDE_H
#define CAROM_HARD_KERNEL_DIVIDE_H

#include "hard/kernel/parallel/domain.h"

/* Cuts for the bodies of the whole, or, if they have been dispersed, for those of the domains by domain.weight.
 * before: cuts whose axes are kept if possible; or NULL. */
static carom_status divide_space(crew *c, const cuts *before, error *e);

/* The owners of all bodies of the whole. The caller frees the ownership. */
static carom_status divide_bodies(crew *c, error *e);
static void ownership_free(ownership *o);

#endif
