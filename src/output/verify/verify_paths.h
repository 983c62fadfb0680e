/* Paths between frames that a run has recorded (the observable `paths`, measure/paths.c), and whether two features
 * pass through each other on them. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_PATHS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_PATHS_H

#include "geometry/crossing.h"
#include "output/results/read.h"

typedef struct recorded_paths recorded_paths;

/* *out: NULL where none are recorded. */
carom_status recorded_paths_open(recorded_paths **out, const reader *r, error *e);
void recorded_paths_close(recorded_paths *p);

/* The rows of a table of the observable. */
typedef struct path_rows {
    double *time, *point, *place; /* place: [count][width] */
    uint64_t count;
    size_t width;
} path_rows;

/* Of so many points; takes the rows over, also where it fails. */
carom_status recorded_paths_make(recorded_paths **out, path_rows rows, size_t points, error *e);

/* Selects the interval between frame `before` and the next; intervals come in order. False: no path recorded. */
bool recorded_paths_turn(recorded_paths *p, const carom_frame *before, const carom_frame *after);

/* Largest distance of point i from the straight line between its positions in the two frames; INFINITY: unknown. */
double recorded_paths_strays(const recorded_paths *p, uint32_t i);

/* One of the four points of two features: where it is in the two frames. */
typedef struct path_point {
    uint32_t particle;
    const double *from, *to;
} path_point;

/* A vertex and the corners of a face, or the ends of two edges. `near` as in crossing.h; `tolerance` of lengths. None is
 * said only where it is certain. */
crossing recorded_paths_meet(const recorded_paths *p, const path_point points[4], bool face, double near,
                             double tolerance, double *time);

#endif
