/* Test whether two features that are known at two times passed through each other in between.
 *
 * Their points move from time 0 to 1, and are known at both ends only. On straight lines they come nearer than `near`,
 * or they do not (none; ccd.h). On their true paths each difference of a point of one feature and a point of the other
 * is assumed to be within `bend` of its value on straight lines. A contact is then certain if
 *   - they come nearer than near - bend on straight lines, or
 *   - the difference of the two, a triangle or a parallelogram, passes over the origin an odd number of times, its
 *   sides stay farther from the origin than `bend` throughout, and all of it is farther away at both ends.
 *   Displacements of all points by up to `bend` cannot remove the passage, as the origin would have to leave by a side
 *   or by an end.
 * Otherwise the result is unclear. Pairs nearer than `near` at one of the ends are none: the test at that end detects
 * them. */
#ifndef CAROM_GEOMETRY_CROSSING_H
#define CAROM_GEOMETRY_CROSSING_H

typedef enum crossing { CROSSING_NONE, CROSSING_UNCLEAR, CROSSING_CERTAIN } crossing;

typedef struct crossing_limits {
    double near, bend; /* near >= 0; bend above rounding: 1e-13 of the coordinates */
} crossing_limits;

/* Vertex v[time] and face f[time][corner]; edges a[time][end] and b[time][end], which may be points. *time: the time at
 * which they come nearer than `near` on straight lines, if there is a crossing. */
crossing crossing_vertex_face(const double v[2][3], const double f[2][3][3], crossing_limits limits, double *time);
crossing crossing_edge_edge(const double a[2][2][3], const double b[2][2][3], crossing_limits limits, double *time);

#endif
