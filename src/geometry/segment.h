/* Distances of segments, from their starts and directions; a direction of zero makes a point. Third components are 0 in 2D. */
#ifndef CAROM_GEOMETRY_SEGMENT_H
#define CAROM_GEOMETRY_SEGMENT_H

#include <math.h>

static inline double segment_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The squared distance of a point from a segment; r: from the point to the start. */
static inline double segment_point_distance2(const double r[3], const double way[3])
{
    double length2 = segment_dot(way, way), at = length2 > 0 ? -segment_dot(r, way) / length2 : 0;
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    const double d[3] = {r[0] + at * way[0], r[1] + at * way[1], r[2] + at * way[2]};
    return segment_dot(d, d);
}

/* The squared distance of two segments; r: from the start of b to that of a. It is reached at an end of one of them, or
 * where the common perpendicular of their lines has its feet within both. */
static inline double segment_distance2(const double r[3], const double a[3], const double b[3])
{
    const double back[3] = {-r[0], -r[1], -r[2]};
    const double end_a[3] = {back[0] - a[0], back[1] - a[1], back[2] - a[2]};
    const double end_b[3] = {r[0] - b[0], r[1] - b[1], r[2] - b[2]};
    double least = fmin(fmin(segment_point_distance2(back, b), segment_point_distance2(end_a, b)),
                        fmin(segment_point_distance2(r, a), segment_point_distance2(end_b, a)));
    double aa = segment_dot(a, a), ab = segment_dot(a, b), bb = segment_dot(b, b);
    double ar = segment_dot(a, r), br = segment_dot(b, r), determinant = aa * bb - ab * ab;
    if (!(determinant > 0)) return least;
    double s = (ab * br - bb * ar) / determinant, t = (aa * br - ab * ar) / determinant;
    if (s <= 0 || s >= 1 || t <= 0 || t >= 1) return least;
    const double d[3] = {r[0] + s * a[0] - t * b[0], r[1] + s * a[1] - t * b[1], r[2] + s * a[2] - t * b[2]};
    return fmin(least, segment_dot(d, d));
}

#endif
