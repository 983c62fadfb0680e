/* Neighbour lists and predictions of large bodies. */
#ifndef CAROM_HARD_KERNEL_LARGE_BODIES_H
#define CAROM_HARD_KERNEL_LARGE_BODIES_H

#include "hard/kernel/broad/rows.h"

static carom_status large_bodies_create(gas *g, error *e);
static void large_bodies_destroy(neighbor_lists *l);

/* Numbers the large bodies and empties their lists. */
static carom_status large_bodies_clear(gas *g, error *e);

/* Body i enters the lists, which may be large, with an empty list; it leaves them. */
static carom_status large_bodies_enter(gas *g, uint32_t i, error *e);
static void large_bodies_leave(gas *g, uint32_t i);

/* Body i has a state that does not continue the one before: its bounds do not hold. */
static void large_bodies_forget(gas *g, uint32_t i);

/* Changes of the list of the large body i: appends one, removes one, removes all. */
static carom_status large_bodies_append(gas *g, uint32_t i, uint32_t j, error *e);
static void large_bodies_drop(gas *g, uint32_t i, uint32_t j);
static void large_bodies_empty(gas *g, uint32_t i);

/* Improves the plan of the large body i by its neighbours. The plan has to contain all other events of i. */
static void large_bodies_plan(gas *g, uint32_t i, plan *p);

/* Renews the bounds of body i in the lists of its large neighbours, after a change of i, which is not large. */
static void large_bodies_renew_bounds(gas *g, uint32_t i);

#endif
