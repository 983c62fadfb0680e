/* What pairs that interact beyond contact do next, and what they do then. */
#ifndef CAROM_HARD_KERNEL_STEPS_H
#define CAROM_HARD_KERNEL_STEPS_H

#include "hard/kernel/features/steps_links.h"

/* Improves the plan of i by all that it is linked with; by those on a list (as for predict) that it is not linked
 * with. */
static void plan_links(const gas *g, uint32_t i, plan *p);
static void plan_unlinked(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p);

/* Carries out what the pair does at local time t. */
static carom_status steps_event(gas *g, uint32_t i, uint32_t j, real t, error *e);

#endif
