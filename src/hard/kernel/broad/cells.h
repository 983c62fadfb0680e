/* Neighbours in gases: the cells around a body. */
#ifndef CAROM_HARD_KERNEL_CELLS_H
#define CAROM_HARD_KERNEL_CELLS_H

#include "hard/kernel/gas.h"

typedef struct cell_grid {
    uint32_t *head; /* [total]; the others of a cell hang on plan.next_in_cell */
    size_t total, room;
    uint32_t count[DIM];
    uint32_t *offset[DIM];                     /* [count + 2]: a cell's place in `head` is their sum */
    real *corner[DIM], width[DIM];             /* [count + 2]: where it begins, and how wide it is */
    uint32_t open_below[DIM], open_above[DIM]; /* coordinates of cells without an end */
} cell_grid;

/* Asks for the cells around i. */
static inline void cells_prefetch(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const uint32_t *at = g->plan[i].cell;
    for (uint32_t z = at[DIM - 1] - 1; z <= at[DIM - 1] + 1; z++)
        for (uint32_t y = at[1] - 1; y <= at[1] + 1; y++)
            __builtin_prefetch(c->head + c->offset[0][at[0]] + c->offset[1][y] +
                               (DIM == 3 ? c->offset[DIM - 1][z] : 0));
}

/* Asks for the bodies in the cells around i. */
static void cell_grid_prefetch_bodies(const gas *g, uint32_t i);

/* How many bodies overlap body i at time `now`? */
static uint32_t cell_grid_overlapping(const gas *g, uint32_t i, real now);

/* Makes cells, or none (g->cells stays NULL) where the box is too narrow for them. */
static carom_status cell_grid_create(gas *g, error *e);
static void cell_grid_destroy(gas *g);

/* Finds the cell of each body anew, at local time g->now. */
static carom_status cell_grid_rebuild(gas *g, error *e);

/* Plans body i from nothing. */
static void cell_grid_plan(gas *g, uint32_t i);

/* Carries out the transfer that the plan of i says, and plans on. */
static void cell_grid_cross(gas *g, uint32_t i);

#endif
