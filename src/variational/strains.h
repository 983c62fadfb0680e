/* An estimate of the strains of shells under loads on vertices. */
#ifndef CAROM_VARIATIONAL_STRAINS_H
#define CAROM_VARIATIONAL_STRAINS_H

#include "scene/state.h"

/* The edge of a shell with the largest strain, at the largest factors of the loads: the force that accelerates its vertices
 * apart, over the tension at a strain of 1. */
typedef struct load_strain {
    double strain; /* 0: no load, or no memory */
    double force;  /* on the vertex */
    size_t load, mesh, vertex;
} load_strain;

load_strain loads_strain(const scene *s, const initial_state *state);

#endif
