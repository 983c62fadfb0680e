/* Closest points of a point and a triangle, and of two segments, including degenerate ones; in any precision
 * (base/real.h).
 *
 * The result is a pair of points, as weights of the corners: the distance between these points exceeds the smallest
 * distance by rounding at most (about 1e-15 of the sizes). If the foot of the perpendicular is inside both, it is
 * computed from cross products, and corrected twice from the residual. Otherwise, or in uncertain cases (slivers, near
 * parallels), an end or an edge is closest, and all of them are tested. */
#ifndef CAROM_GEOMETRY_CLOSEST_H
#define CAROM_GEOMETRY_CLOSEST_H

#include <stdbool.h>
#include <string.h>

#include "base/vec.h"

/* Squared sine below which the foot of the perpendicular is not used without tests. */
static const real CLOSEST_DOUBTFUL = CAROM_REAL == 3 ? (real)1e-9 : (real)1e-20;

/* The minimum of q = w + s d - u f: s and u, unbounded. n: d x f, not zero. */
static inline void closest_foot(const real w[3], const real d[3], const real f[3], const real n[3], real along[2],
                                real q[3])
{
    real nn = dot3(n, n), c[3];
    along[0] = along[1] = 0;
    memcpy(q, w, 3 * sizeof *q);
    for (int round = 0; round < 3; round++) {
        cross3(q, f, c);
        along[0] -= dot3(c, n) / nn;
        cross3(q, d, c);
        along[1] -= dot3(c, n) / nn;
        for (int k = 0; k < 3; k++) q[k] = w[k] + along[0] * d[k] - along[1] * f[k];
    }
}

/* The foot of the perpendicular from the point at w from the start of a segment of direction d, which may be zero. */
static inline real closest_on_segment(const real w[3], const real d[3])
{
    real square = dot3(d, d), at = square > 0 ? dot3(w, d) / square : 0;
    return at > 0 ? (at < 1 ? at : 1) : 0;
}

static inline void closest_try_ends(const real w[3], const real d[3], const real f[3], real best, real along[2],
                                    real r[3])
{
    real s[5] = {0, 1, 0, 0, along[0]}, u[5] = {0, 0, 0, 1, 0}, x[3], q[3];
    s[4] = s[4] > 0 ? (s[4] < 1 ? s[4] : 1) : 0;
    for (int n = 0; n < 5; n++) {
        bool on_first = n < 2 || n == 4;
        for (int k = 0; k < 3; k++) x[k] = on_first ? w[k] + s[n] * d[k] : u[n] * f[k] - w[k];
        *(on_first ? &u[n] : &s[n]) = closest_on_segment(x, on_first ? f : d);
        for (int k = 0; k < 3; k++) q[k] = (w[k] + s[n] * d[k]) - u[n] * f[k];
        real square = dot3(q, q);
        if (!(square < best)) continue;
        best = square;
        along[0] = s[n];
        along[1] = u[n];
        memcpy(r, q, sizeof q);
    }
}

/* Of segments a + s d and b + u f, w = a - b: r from the second to the first; along: s and u. */
static inline void closest_of_segments(const real w[3], const real d[3], const real f[3], real r[3], real along[2])
{
    real n[3], dd = dot3(d, d), ff = dot3(f, f), best = REAL_NEVER;
    cross3(d, f, n);
    real nn = dot3(n, n);
    along[0] = along[1] = 0;
    memcpy(r, w, 3 * sizeof *r); /* no closest point, with NaNs */
    if (nn > 0) {
        closest_foot(w, d, f, n, along, r);
        bool inside = along[0] >= 0 && along[0] <= 1 && along[1] >= 0 && along[1] <= 1;
        if (inside && nn > CLOSEST_DOUBTFUL * dd * ff) return;
        if (inside) best = dot3(r, r);
    }
    closest_try_ends(w, d, f, best, along, r);
}

/* The squared distance of two segments; r: from the start of b to that of a. */
static inline real segment_distance2(const real r[3], const real a[3], const real b[3])
{
    real way[3], along[2];
    closest_of_segments(r, a, b, way, along);
    return dot3(way, way);
}

/* Of a point and a triangle: r from the triangle to the point; share: of the corners, never negative, 1 in sum. */
static inline void closest_in_triangle(const real p[3], const real t[3][3], real r[3], real share[3])
{
    real way[3][3], w[3][3], n[3], back[3], at[2], best = REAL_NEVER, q[3];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            way[c][k] = t[(c + 1) % 3][k] - t[c][k];
            w[c][k] = p[k] - t[c][k];
        }
    for (int k = 0; k < 3; k++) back[k] = -way[0][k];
    cross3(back, way[2], n);
    real nn = dot3(n, n);
    memcpy(r, w[0], 3 * sizeof *r);
    share[0] = 1;
    share[1] = share[2] = 0;
    if (nn > 0) {
        /* p - first corner - share[1] way[0] + share[2] way[2] */
        closest_foot(w[0], back, way[2], n, at, r);
        share[1] = at[0];
        share[2] = -at[1];
        share[0] = 1 - share[1] - share[2];
        bool inside = share[0] >= 0 && share[1] >= 0 && share[2] >= 0;
        if (inside && nn > CLOSEST_DOUBTFUL * dot3(way[0], way[0]) * dot3(way[2], way[2])) return;
        if (inside) best = dot3(r, r);
    }
    for (int c = 0; c < 3; c++) {
        real s = closest_on_segment(w[c], way[c]);
        for (int k = 0; k < 3; k++) q[k] = w[c][k] - s * way[c][k];
        real square = dot3(q, q);
        if (!(square < best)) continue;
        best = square;
        memcpy(r, q, sizeof q);
        share[c] = 1 - s;
        share[(c + 1) % 3] = s;
        share[(c + 2) % 3] = 0;
    }
}

#endif
