/* Rows of the table of time steps: what features fill them with. */
#ifndef CAROM_VARIATIONAL_STEP_ROWS_H
#define CAROM_VARIATIONAL_STEP_ROWS_H

#include "variational/kernel/world.h"

/* The element with the least bound; of those that share it, through a node, the one with the highest rate. */
typedef struct step_candidate {
    double bound, rate;
    uint64_t count; /* of its kind */
    uint32_t n;
} step_candidate;

/* Takes one more element of a kind into account. */
static void step_consider(step_candidate *best, uint32_t n, double bound, double rate);

/* Where an element is, and its particles; those of meshes are vertices. */
static void step_set_place(const world *w, carom_step *row, const uint32_t *at, int count);

/* The number of a node in its mesh. */
static uint32_t mesh_vertex(const world *w, uint32_t i);

#endif
