/* Edges of elastic rods, for the warning of costly ones. They are numbered through all rods. */
#ifndef CAROM_VARIATIONAL_ELASTIC_RODS_H
#define CAROM_VARIATIONAL_ELASTIC_RODS_H

#include "variational/kernel/features/feature.h"

static uint32_t rods_edges(const world *w);
static void rods_edge_ends(const world *w, uint32_t number, uint32_t ends[2]);

/* 1 / the step that each edge alone would need. A joint belongs to the shorter of its two edges. */
static void rods_rates(const world *w, step_rates *rates);

/* Kicks per unit of time, without some edges. pull: room for [count of nodes]. */
static double rods_cost(const world *w, const bool *without, double *pull);

#endif
