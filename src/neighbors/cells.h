/* A plain cell grid over points in a box. Each axis is periodic or not; on an axis that is not, points
 * outside the box belong to the outermost cells. */
#ifndef CAROM_NEIGHBORS_CELLS_H
#define CAROM_NEIGHBORS_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define CELLS_END UINT32_MAX

/* [low, low + size) on each axis; in 2D the third axis is not used. */
typedef struct cells_box {
    int dimension;
    double low[3], size[3];
    bool periodic[3];
} cells_box;

typedef struct cells {
    cells_box box;
    uint32_t count[3]; /* of cells per axis */
    double per_length[3];
    uint32_t *first; /* [cells]: the point added last, or CELLS_END */
    uint32_t *next;  /* [points]: owned by the caller; grids that hold disjoint points may share it */
} cells;

/* Makes an empty grid over the box with cells at least `width` wide, wider where there would be many more cells than
 * points. `next` has room for every point index that will be added. Freed with cells_destroy. */
carom_status cells_create(cells *c, const cells_box *box, double width, size_t points, uint32_t *next, error *e);
void cells_destroy(cells *c);

/* The cell of a finite position. */
size_t cells_of(const cells *c, const double position[3]);
size_t cells_total(const cells *c);

/* Sorts points by cell (stably): order[] lists them, start[] is work space of cells_total + 1 elements. Work that goes
 * through the points in this order finds their neighbours in the cache. */
void cells_sort(const cells *c, size_t points, const double (*position)[3], uint32_t *start, uint32_t *order);

void cells_add(cells *c, uint32_t point, const double position[3]);

/* A walk over the points of all cells that come within `reach` of a position:
 *     cells_walk walk = cells_near(&grid, position, reach);
 *     for (uint32_t j; (j = cells_step(&walk)) != CELLS_END;) ...
 * Every cell is visited once, also in a periodic box of few cells. */
typedef struct cells_walk {
    const cells *grid;
    uint32_t low[3], span[3], at[3]; /* first cell, number of cells, and place in the walk, per axis */
    uint32_t point;
} cells_walk;

cells_walk cells_near(const cells *c, const double position[3], double reach);
uint32_t cells_step_cell(cells_walk *w);

static inline uint32_t cells_step(cells_walk *w)
{
    uint32_t point = w->point;
    if (point == CELLS_END) point = cells_step_cell(w);
    if (point != CELLS_END) w->point = w->grid->next[point];
    return point;
}

/* The squared distance of two points, to the nearest image on periodic axes; both inside the box there. */
static inline double cells_distance2(const cells_box *box, const double a[3], const double b[3])
{
    double sum = 0;
    for (int k = 0; k < box->dimension; k++) {
        double d = a[k] - b[k];
        if (box->periodic[k]) {
            if (d > 0.5 * box->size[k])
                d -= box->size[k];
            else if (d < -0.5 * box->size[k])
                d += box->size[k];
        }
        sum += d * d;
    }
    return sum;
}

#endif
