/* Continuous collision detection for the two kinds of contact of triangle meshes: a vertex and a face, or two edges,
 * whose points move on straight lines at constant velocity from time 0 to time 1.
 *
 * Conservative: where the two are within `separation` of each other (0: touch) at any time in [0, 1], endpoints
 * included, the answer is true, for every finite input of any size, degenerate ones included, in round-to-nearest
 * double precision. It may also be true for a pair that stays apart by no more than rounding: of its relative
 * positions, some 1e-15 of their size, or of the time, 1e-12 of the step; and in the rare cases that take more than
 * CCD_STEPS steps, such as two bodies that turn together slightly farther apart than the separation. Where a coordinate
 * is not finite, or the separation negative or not finite, it is true at time 0.
 *
 * *time (or NULL) becomes a lower bound of the time of the first contact: the two are farther apart than `separation`
 * throughout [0, *time). INFINITY where the answer is false. docs/ccd.md has the method. */
#ifndef CAROM_GEOMETRY_CCD_H
#define CAROM_GEOMETRY_CCD_H

#include <stdbool.h>

enum { CCD_STEPS = 64 };

/* Vertex v[time] and face f[time][corner]. */
bool ccd_vertex_face(const double v[2][3], const double f[2][3][3], double separation, double *time);

/* Edges a[time][end] and b[time][end]. */
bool ccd_edge_edge(const double a[2][2][3], const double b[2][2][3], double separation, double *time);

#endif
