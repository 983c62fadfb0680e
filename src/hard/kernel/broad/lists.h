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

/* Builds the list of body i and updates those of its old and new neighbours. */
static carom_status lists_renew(gas *g, uint32_t i, error *e);

static size_t lists_bytes(uint32_t count);

#endif
