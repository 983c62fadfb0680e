/* Cells over the box. Each axis has an empty layer at both ends, so that the cells around a cell lie at fixed
 * distances. A cell stores whether all its particles belong to one cluster: searches for that cluster skip the cell.
 *
 * The place of a particle in the grid follows from the anchor of its cluster. A cluster moves at most by its skin from
 * its anchor, and cells are a contact distance and two skins wide: only particles of adjacent cells can touch. */
#ifndef CAROM_AGGREGATION_EVENTS_GRID_H
#define CAROM_AGGREGATION_EVENTS_GRID_H

#include "aggregation/kernel/events/state.h"

enum { AROUND = DIM == 2 ? 9 : 27, MIXED = UINT32_MAX - 1 };

typedef struct cell {
    uint32_t head;  /* particle, or NONE */
    uint32_t owner; /* root of the cluster of all its particles; MIXED: of several clusters, now or before */
} cell;

typedef struct grid {
    cell *cell;
    uint32_t count[DIM]; /* of cells, without the empty layer */
    uint32_t stride[DIM];
    uint32_t total; /* with the empty layer */
    bool cramped;   /* few cells along a periodic axis: adjacent ones can contain a pair by two images */
    double per_width[DIM];
    int32_t offset[AROUND];
} grid;

/* The cells around a particle at `place`, including its own cell. */
static int grid_around(const grid *g, const cluster_state *s, uint32_t place, uint32_t cells[AROUND]);

/* The cells around `place` that are not around the cell `before`. */
static int grid_newly_around(const grid *g, const cluster_state *s, uint32_t place, uint32_t before,
                             uint32_t cells[AROUND]);

/* The place of a particle by the list origin of its cluster: a cell, and PLACE_EDGE. */
static uint32_t grid_place(const cluster_state *s, uint32_t i);

#endif
