/* Passages of bodies through each other between successive frames. It shares no code with the engines.
 *
 * The paths are known only at the two frames and are approximated by straight lines. The assumed deviation from the
 * line is at most PATH_FACTOR times the sum of the two displacements by which the velocities at the ends lead away from
 * it; or from a free fall, if that is less. For the cubic Hermite interpolation through both ends a factor of 1
 * suffices, for a path with one kink 1.7. A corner of a mesh, and an end of a spring or segment, is assigned the
 * largest deviation among its neighbours, since an oscillating particle may by chance have the velocity of the line at
 * both ends. docs/meshes.md states when a crossing is certain (geometry/crossing.h). If the run has recorded paths
 * (verify_paths.h), these replace the straight lines. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_BETWEEN_H
#define CAROM_OUTPUT_VERIFY_VERIFY_BETWEEN_H

#include "frame/frame.h"
#include "output/results/links.h"
#include "output/verify/verify_paths.h"

typedef struct passage_part {
    size_t mesh;     /* SIZE_MAX: a particle or segment */
    uint32_t end[3]; /* particles */
    int ends;
} passage_part;

typedef struct passage {
    passage_part a, b;
    double time;
} passage;

/* Totals since between_open. */
typedef struct between_counts {
    uint64_t certain, unclear;
    uint64_t paths, bent; /* of particles, segments and triangles; and those with too large deviations */
} between_counts;

typedef struct between between;
typedef void passage_found(const passage *p, void *data);

/* `f`: any frame of the run, for the data that do not change. */
carom_status between_open(between **out, const carom_frame *f, const result_links *links, error *e);
void between_close(between *w);

/* Recorded paths for the next comparison, at its interval; NULL if there are none. */
void between_take_paths(between *w, const recorded_paths *paths);

/* Calls `found` for each certain passage. Both frames contain the same particles; `tolerance` of lengths. */
carom_status between_check(between *w, const carom_frame *before, const carom_frame *after, double tolerance,
                           passage_found *found, void *data, error *e);
const between_counts *between_counted(const between *w);

#endif
