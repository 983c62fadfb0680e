/* Neighbour lists and predictions of large bodies. */
#ifndef CAROM_HARD_KERNEL_LARGE_BODIES_H
#define CAROM_HARD_KERNEL_LARGE_BODIES_H

#include "hard/kernel/broad/rows.h"

static carom_status large_bodies_create(gas *g, error *e);
static void large_bodies_destroy(neighbor_lists *l);

/* Finds their numbers, and empties their lists. */
static void large_bodies_clear(gas *g);

/* Changes to the list of the large body i: one comes, one goes, all go. */
static carom_status large_bodies_append(gas *g, uint32_t i, uint32_t j, error *e);
static void large_bodies_drop(gas *g, uint32_t i, uint32_t j);
static void large_bodies_empty(gas *g, uint32_t i);

/* Improves the plan of the large body i, which holds all else that it may do, by its neighbours. */
static void large_bodies_plan(gas *g, uint32_t i, plan *p);

/* Body i, no large body, has changed: the large bodies on its list learn when they may meet it. */
static void large_bodies_renew_bounds(gas *g, uint32_t i);

#endif
