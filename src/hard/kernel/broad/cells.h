/* Neighbours in gases: the cells around a body. */
#ifndef CAROM_HARD_KERNEL_CELLS_H
#define CAROM_HARD_KERNEL_CELLS_H

#include "hard/kernel/broad/crossings.h"

typedef struct cell_grid {
    uint32_t *slot; /* [total][slots]: bodies; the further ones of a cell are linked by plan.next_in_cell */
    size_t total, room;
    uint32_t slots; /* of a cell: 1 or, if cells contain more bodies, CELL_SLOTS */
    uint32_t count[DIM];
    uint32_t *offset[DIM];     /* [count + 2]: the index of a cell in `slot` is the sum of these */
    real *edge[DIM];           /* [count + 3]: lower edge of each cell, which is the upper one of the cell before; the
                             * outermost edges of an axis that is no ring are infinitely far */
    real low[DIM], width[DIM]; /* lower edge of the first cell; width */
    real first[DIM];           /* coverage (extent.h) */
    bool ring[DIM];
    real slack[DIM];     /* distance that a body may be outside its cell; one cell on an axis: REAL_NEVER */
    real per_slack[DIM]; /* 1 / the speed that needs a period for this distance */
    bool together;       /* crossings are made together; otherwise each is an event of a plan */
    crossings coming;
} cell_grid;

/* Cells along the last axis in a cache line, whose blocks along the other axes have two cells or more. */
static inline uint32_t cells_in_line(const cell_grid *c)
{
    return DIM == 3 && c->slots > 1 ? 1 : 2;
}

/* Prefetches the cells around i. */
static inline void cells_prefetch(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const uint32_t *at = g->plan[i].cell, step = cells_in_line(c);
    for (uint32_t z = at[DIM - 1] - 1; z <= (DIM == 3 ? at[DIM - 1] + 1 : at[DIM - 1] - 1); z += step)
        for (uint32_t y = at[1] - 1; y <= at[1] + 1; y += 2)
            for (uint32_t x = at[0] - 1; x <= at[0] + 1; x += 2)
                __builtin_prefetch(c->slot + c->offset[0][x] + c->offset[1][y] +
                                   (DIM == 3 ? c->offset[DIM - 1][z] : 0));
}

/* Makes the crossings that are due at g->now. Returns their number. A domain of a parallel run notes each body that has
 * crossed (parallel/notes.h). */
static uint32_t cell_grid_cross_together(gas *g);

/* Plans the next crossing of i after a change of its first planned event. */
static void cell_grid_plan_crossing(gas *g, uint32_t i);

/* Local time at which crossings are due. */
static inline real cell_grid_due(const gas *g)
{
    return g->cells->coming.due;
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

/* Makes a new plan of body i. `again`: neither its state nor its cell has changed since the last one. */
static void cell_grid_plan(gas *g, uint32_t i);
static void cell_grid_plan_again(gas *g, uint32_t i);

/* Carries out the transfer in the plan of i, and predicts the new candidates. */
static void cell_grid_cross(gas *g, uint32_t i);

#endif
