/* Continuous collision detection for the two kinds of contact of triangle meshes: a vertex and a face, or two edges,
 * with points that move on straight lines at constant velocity from time 0 to time 1.
 *
 * Conservative: the result is true if the two are within `separation` of each other (0: contact) at any time in [0, 1],
 * including both ends. This holds for every finite input of any size, including degenerate ones, in round-to-nearest
 * double precision. The result may also be true for a pair whose distance exceeds the separation by rounding only:
 * relative to its positions about 1e-15, or in time 1e-12 of the step. It may also be true in the rare cases that need
 * more than CCD_STEPS steps, such as two bodies that rotate together slightly farther apart than the separation. If a
 * coordinate is not finite, or the separation negative or not finite, the result is true with time 0.
 *
 * *time (or NULL) is set to a lower bound of the time of the first contact: the distance exceeds `separation`
 * throughout [0, *time). It is INFINITY if the result is false. docs/ccd.md has the method. */
#ifndef CAROM_GEOMETRY_CCD_H
#define CAROM_GEOMETRY_CCD_H

#include <stdbool.h>

enum { CCD_STEPS = 64 };

/* Vertex v[time] and face f[time][corner]. */
bool ccd_vertex_face(const double v[2][3], const double f[2][3][3], double separation, double *time);

/* Edges a[time][end] and b[time][end]. */
bool ccd_edge_edge(const double a[2][2][3], const double b[2][2][3], double separation, double *time);

#endif
