/* Points along a space-filling curve (Morton's), so that what lies close together in space does so in memory. */
#ifndef CAROM_NEIGHBORS_CURVE_H
#define CAROM_NEIGHBORS_CURVE_H

#include <stdint.h>

typedef struct curve_place {
    uint32_t key, item;
} curve_place;

/* How often each axis is halved so that there are about as many cells as points. */
int curve_levels(int dimension, uint64_t count);

/* Number along the curve of the cell of a point: x[k] in [0, 1), beyond belongs to the outermost cells. */
uint32_t curve_key(int dimension, int levels, const double *x);

/* Sorts by key, equal keys as they were; `room` is scratch of the same size. */
void curve_sort(curve_place *p, curve_place *room, uint32_t count);

#endif
