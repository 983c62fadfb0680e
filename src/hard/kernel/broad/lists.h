/* Neighbour lists: creation, renewal and plans. */
#ifndef CAROM_HARD_KERNEL_LISTS_H
#define CAROM_HARD_KERNEL_LISTS_H

#include "hard/kernel/broad/rows.h"

static carom_status lists_create(gas *g, error *e);
static void lists_destroy(gas *g);

/* Makes a new plan of body i. */
static void lists_plan(gas *g, uint32_t i);

/* Builds all lists from the positions at local time g->now. */
static carom_status lists_rebuild(gas *g, error *e);

/* Builds all lists from the list origins in the plans. */
static carom_status lists_restore(gas *g, error *e);

/* Whether the list of i is valid at local time g->now. */
static bool lists_hold(const gas *g, uint32_t i);

/* Builds the list of body i and updates those of its old and new neighbours. */
static carom_status lists_renew(gas *g, uint32_t i, error *e);

/* The list of a body that enters a domain of a parallel run, or leaves it, at its position at g->now. */
static carom_status lists_enter(gas *g, uint32_t i, error *e);
static void lists_leave(gas *g, uint32_t i);

/* Whether the list of a body with a new state remains valid, at local time g->now. */
static bool lists_stay(const gas *g, uint32_t i);

/* Sheared boxes: whether the list origins have to be moved with the flow; moves them, after which all plans have to be
 * renewed. */
static bool lists_follow_flow(const gas *g);
static carom_status lists_move_with_flow(gas *g, error *e);

static size_t lists_bytes(uint32_t count);

#endif
