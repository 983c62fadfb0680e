/* Cell grids of neighbour lists. */
#ifndef CAROM_HARD_KERNEL_GRID_H
#define CAROM_HARD_KERNEL_GRID_H

#include "hard/kernel/broad/rows.h"

static carom_status grid_create(gas *g, error *e);
static void grid_destroy(neighbor_lists *l);

/* Chooses the cells anew, and empties them. */
static void grid_clear(gas *g);

/* Sets the list origin of body i to its current position and puts the body into the cell there; removes it from its cell. */
static carom_status grid_insert(gas *g, uint32_t i, error *e);
static void grid_remove(gas *g, uint32_t i);

/* List origins go with a flow: puts them all where they are now. */
static carom_status grid_renew_sheared(gas *g, error *e);

/* Finds all that belong on the list of i and has an id below `below`: into `found`. */
static carom_status grid_find(gas *g, uint32_t i, uint32_t below, error *e);

#endif
