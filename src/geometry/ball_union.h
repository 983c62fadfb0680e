/* Volume and moments of the union of balls (disks), which may overlap: each point counts once. */
#ifndef CAROM_GEOMETRY_BALL_UNION_H
#define CAROM_GEOMETRY_BALL_UNION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ball {
    double at[3], radius; /* 2D: the third coordinate is 0 */
} ball;

typedef struct ball_moments {
    double volume, centre[3];
    double second[3][3]; /* integral of r r about the centre, for density 1 */
    double error;        /* estimate of the relative error of the integrals; 0: sums of exact terms */
} ball_moments;

/* Balls without overlaps are summed. Otherwise the area and the moments of a slice (2D: of all) follow from the arcs of
 * its border, by Green's theorem; in 3D the slices are integrated adaptively, to a relative error near 1e-13. False
 * without memory. */
bool ball_union_of(int dimension, const ball *balls, size_t count, ball_moments *out);

#endif
