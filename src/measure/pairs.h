/* Histogram of the distances of all pairs of a frame, over a grid of cells. */
#ifndef CAROM_MEASURE_PAIRS_H
#define CAROM_MEASURE_PAIRS_H

#include "frame/frame.h"

typedef struct pairs {
    double range; /* distances below it are counted */
    size_t bins;
    uint64_t *count;         /* [bins] of the last frame, each pair once */
    double *sorted;          /* [dimension][particles] positions, cell after cell */
    uint32_t *cell;          /* [particles] */
    size_t *first;           /* [cells + 1] start of each cell in `sorted` */
    size_t particles, cells; /* allocated */
} pairs;

carom_status pairs_create(pairs *p, double range, size_t bins, error *e);
void pairs_destroy(pairs *p);

/* Counts a frame. Distances are those of nearest images on periodic axes: range at most half their side. */
carom_status pairs_count(pairs *p, const carom_frame *frame, error *e);

#endif
