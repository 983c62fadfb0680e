/* Cell grids of neighbour lists. */
#ifndef CAROM_HARD_KERNEL_GRID_H
#define CAROM_HARD_KERNEL_GRID_H

#include "hard/kernel/broad/rows.h"

static carom_status grid_create(gas *g, error *e);
static void grid_destroy(neighbor_lists *l);

/* Chooses the cells and empties them. */
static void grid_clear(gas *g);

/* Sets the list origin of body i to its current position and inserts it into the cell there; removes it from its
 * cell. */
static carom_status grid_insert(gas *g, uint32_t i, error *e);
static carom_status grid_place(gas *g, uint32_t i, error *e); /* with its list origin as it is */
static void grid_remove(gas *g, uint32_t i);

/* Sheared boxes: moves all list origins with the flow, from the time of the grid to the present. */
static carom_status grid_renew_sheared(gas *g, error *e);

/* Writes to `found` all bodies that belong in the list of i and have an index less than `below`. */
static carom_status grid_find(gas *g, uint32_t i, uint32_t below, error *e);

#endif
