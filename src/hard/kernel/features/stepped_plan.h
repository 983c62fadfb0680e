/* Predictions for pairs with stepped potentials, liquid bridges or bonds. */
#ifndef CAROM_HARD_KERNEL_STEPPED_PLAN_H
#define CAROM_HARD_KERNEL_STEPPED_PLAN_H

#include "hard/kernel/gas.h"

/* Improves the plan of i by all linked bodies; by the bodies of a list (as for `predict`) that are not linked. */
static void plan_links(const gas *g, uint32_t i, plan *p);
static void plan_unlinked(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p);

#endif
