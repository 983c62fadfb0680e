/* Rows of the table of time steps: functions with which features fill them. */
#ifndef CAROM_VARIATIONAL_STEP_ROWS_H
#define CAROM_VARIATIONAL_STEP_ROWS_H

#include "variational/kernel/world.h"

/* The element with the least bound. Of those that share it, through a node, the one with the highest rate. */
typedef struct step_candidate {
    double bound, rate;
    uint64_t count; /* number of elements of its kind */
    uint32_t n;
} step_candidate;

/* Takes one more element of a kind into account. */
static void step_consider(step_candidate *best, uint32_t n, double bound, double rate);

/* Sets the place of an element, and its particles (for meshes: vertices). */
static void step_set_place(const world *w, carom_step *row, const uint32_t *at, int count);

/* The number of a node in its mesh. */
static uint32_t mesh_vertex(const world *w, uint32_t i);

#endif
