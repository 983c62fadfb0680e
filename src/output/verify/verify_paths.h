/* Paths between frames, recorded by a run (the observable `paths`, measure/paths.c), and tests whether two features
 * pass through each other on them. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_PATHS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_PATHS_H

#include "geometry/crossing.h"
#include "output/results/read.h"

typedef struct recorded_paths recorded_paths;

/* *out: NULL without records. */
carom_status recorded_paths_open(recorded_paths **out, const reader *r, error *e);
void recorded_paths_close(recorded_paths *p);

/* The rows of a table of the observable. */
typedef struct path_rows {
    double *time, *point, *place; /* place: [count][width] */
    uint64_t count;
    size_t width;
} path_rows;

/* For `count` points. Takes over the rows, also on failure. */
carom_status recorded_paths_make(recorded_paths **out, path_rows rows, size_t points, error *e);

/* Selects the interval between frame `before` and the next; intervals come in order. False: no path recorded. */
bool recorded_paths_select(recorded_paths *p, const carom_frame *before, const carom_frame *after);

/* Largest distance of point i from the straight line between its positions in the two frames; INFINITY: unknown. */
double recorded_paths_deviation(const recorded_paths *p, uint32_t i);

/* One of the four points of two features: its positions in the two frames. */
typedef struct path_point {
    uint32_t particle;
    const double *from, *to;
} path_point;

/* For a vertex and the corners of a face, or the ends of two edges. `near` as in crossing.h; `tolerance` of lengths.
 * CROSSING_NONE is returned only if it is certain. */
crossing recorded_paths_cross(const recorded_paths *p, const path_point points[4], bool face, double near,
                              double tolerance, double *time);

#endif
