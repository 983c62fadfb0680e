/* Neighbours in gases: the cells around a body. */
#ifndef CAROM_HARD_KERNEL_CELLS_H
#define CAROM_HARD_KERNEL_CELLS_H

#include "hard/kernel/gas.h"

typedef struct cell_grid {
    uint32_t *head; /* [total]; the further bodies of a cell are linked by plan.next_in_cell */
    size_t total, room;
    uint32_t count[DIM];
    uint32_t *offset[DIM];                     /* [count + 2]: the index of a cell in `head` is the sum of these */
    real *corner[DIM], width[DIM];             /* [count + 2]: lower corner; width */
    uint32_t open_below[DIM], open_above[DIM]; /* coordinates of cells that are open on that side */
} cell_grid;

/* Prefetches the cells around i. */
static inline void cells_prefetch(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const uint32_t *at = g->plan[i].cell;
    for (uint32_t z = at[DIM - 1] - 1; z <= at[DIM - 1] + 1; z++)
        for (uint32_t y = at[1] - 1; y <= at[1] + 1; y++)
            __builtin_prefetch(c->head + c->offset[0][at[0]] + c->offset[1][y] +
                               (DIM == 3 ? c->offset[DIM - 1][z] : 0));
}

/* Prefetches the bodies in the cells around i. */
static void cell_grid_prefetch_bodies(const gas *g, uint32_t i);

/* Number of bodies that overlap body i at time `now`. */
static uint32_t cell_grid_overlapping(const gas *g, uint32_t i, real now);

/* Creates cells. If the box is too narrow for them, g->cells remains NULL. */
static carom_status cell_grid_create(gas *g, error *e);
static void cell_grid_destroy(gas *g);

/* Sorts all bodies into cells, by their positions at local time g->now. */
static carom_status cell_grid_rebuild(gas *g, error *e);

/* Inserts body i into the cell of its position at local time g->now; removes it from its cell. */
static void cell_grid_insert(gas *g, uint32_t i);
static void cell_grid_remove(gas *g, uint32_t i);
static void cell_grid_move(gas *g, uint32_t i); /* the body has a new state */

/* Makes a new plan of body i. */
static void cell_grid_plan(gas *g, uint32_t i);

/* Carries out the transfer in the plan of i, and predicts the new candidates. */
static void cell_grid_cross(gas *g, uint32_t i);

#endif
