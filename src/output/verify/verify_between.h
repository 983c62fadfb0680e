/* What passes through what on the way from one frame to the next? It shares no code with the engines.
 *
 * Paths are known at both ends only. They are taken for straight lines, which a path leaves by no more than PATH_FACTOR
 * times as far as the sum of the two ways in which the velocities at its ends lead away from the line; where that is
 * less, beside a fall. For Hermite's cubic through both ends a factor of 1 is enough, for a path with one kink 1.7. A
 * corner of a mesh, and an end of a spring or segment, is granted what its neighbours are, since one of many that
 * vibrate may pass both ends with the velocity of the line by chance. docs/meshes.md has the rule by which crossings
 * are certain (geometry/crossing.h). Where the run has recorded the paths (verify_paths.h) none of that is needed. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_BETWEEN_H
#define CAROM_OUTPUT_VERIFY_VERIFY_BETWEEN_H

#include "frame/frame.h"
#include "output/results/links.h"
#include "output/verify/verify_paths.h"

typedef struct passage_part {
    size_t mesh;     /* SIZE_MAX: of a particle or segment */
    uint32_t end[3]; /* particles */
    int ends;
} passage_part;

typedef struct passage {
    passage_part a, b;
    double time;
} passage;

/* Since it was opened. */
typedef struct between_counts {
    uint64_t certain, unclear;
    uint64_t paths, bent; /* of particles, segments and triangles; those that bend too much to be looked at */
} between_counts;

typedef struct between between;
typedef void passage_found(const passage *p, void *data);

/* `f`: any frame of the run, for what does not change. */
carom_status between_open(between **out, const carom_frame *f, const result_links *links, error *e);
void between_close(between *w);

/* Of the next look: turned to its frames; NULL where nothing is known. */
void between_take_paths(between *w, const recorded_paths *paths);

/* `found` is told of those that are certain. Frames of the same particles; `tolerance` of lengths. */
carom_status between_look(between *w, const carom_frame *before, const carom_frame *after, double tolerance,
                          passage_found *found, void *data, error *e);
const between_counts *between_counted(const between *w);

#endif
