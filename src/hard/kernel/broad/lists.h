/* Neighbour lists: the parts they are made of. */
#ifndef CAROM_HARD_KERNEL_LISTS_H
#define CAROM_HARD_KERNEL_LISTS_H

#include "hard/kernel/broad/rows.h"

/* ---- grid.c: where the list origins are --------------------------------------------------------------------------------- */

static carom_status grid_create(gas *g, error *e);
static void grid_destroy(neighbor_lists *l);

/* Chooses the cells anew, and empties them. */
static void grid_clear(gas *g);

/* Sets the list origin of body i to its current position and puts the body into the cell there; removes it from its cell. */
static carom_status grid_settle(gas *g, uint32_t i, error *e);
static void grid_unsettle(gas *g, uint32_t i);

/* List origins go with a flow: puts them all where they are now. */
static carom_status grid_stand_up(gas *g, error *e);

/* Finds all that belong on the list of i and has an id below `below`: into `found`. */
static carom_status grid_find(gas *g, uint32_t i, uint32_t below, error *e);

/* ---- large_bodies.c ---------------------------------------------------------------------------------------------------- */

static carom_status large_bodies_create(gas *g, error *e);
static void large_bodies_destroy(neighbor_lists *l);

/* Finds their numbers, and empties their lists. */
static void large_bodies_clear(gas *g);

/* Changes to the list of the large body i: one comes, one goes, all go. */
static carom_status large_bodies_append(gas *g, uint32_t i, uint32_t j, error *e);
static void large_bodies_drop(gas *g, uint32_t i, uint32_t j);
static void large_bodies_leave(gas *g, uint32_t i);

/* Improves the plan of the large body i, which holds all else that it may do, by its neighbours. */
static void large_bodies_plan(gas *g, uint32_t i, plan *p);

/* Body i, no large body, has changed: the large bodies on its list learn when they may meet it. */
static void large_bodies_learn(gas *g, uint32_t i);

/* ---- lists.c ----------------------------------------------------------------------------------------------------- */

static carom_status lists_create(gas *g, error *e);
static void lists_destroy(gas *g);

/* Plans body i from nothing. */
static void lists_plan(gas *g, uint32_t i);

/* Builds all lists anew from the positions at local time g->now. */
static carom_status lists_rebuild(gas *g, error *e);

/* Builds the list of body i anew and updates those of its old and new neighbours. */
static carom_status lists_renew(gas *g, uint32_t i, error *e);

static size_t lists_bytes(uint32_t count);

#endif
