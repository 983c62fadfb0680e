/* When do a vertex and a face, or two edges, first touch? All times at which that can begin are roots of polynomials:
 * of the volume that the two features span (cubic), of the components of the cross product of two corners of their
 * difference (quadratic; coplanar motions), and of its corners' coordinates (collinear motions). Each is tried, in long
 * double. */
#ifndef CAROM_TESTS_CCD_ORACLE_H
#define CAROM_TESTS_CCD_ORACLE_H

#include "ccd_queries.h"

typedef long double wide;

typedef struct oracle {
    int corners;
    wide from[4][3], speed[4][3];
} oracle;

static inline oracle oracle_new(query_kind k, const query *q)
{
    static const int first[2][4] = {{1, 2, 3, 3}, {0, 1, 1, 0}}, second[2][4] = {{0, 0, 0, 0}, {2, 2, 3, 3}};
    oracle o = {.corners = k == VERTEX_FACE ? 3 : 4};
    for (int i = 0; i < o.corners; i++) {
        for (int x = 0; x < 3; x++) {
            wide end = (wide)q->point[1][first[k][i]][x] - q->point[1][second[k][i]][x];
            o.from[i][x] = (wide)q->point[0][first[k][i]][x] - q->point[0][second[k][i]][x];
            o.speed[i][x] = end - o.from[i][x];
        }
    }
    return o;
}

static inline wide wide_dot(const wide a[3], const wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void wide_cross(const wide a[3], const wide b[3], wide out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline wide segment_distance2(const wide a[3], const wide b[3])
{
    wide edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, square = wide_dot(edge, edge);
    wide along = square > 0 ? fminl(fmaxl(-wide_dot(a, edge) / square, 0), 1) : 0;
    wide point[3] = {a[0] + along * edge[0], a[1] + along * edge[1], a[2] + along * edge[2]};
    return wide_dot(point, point);
}

static inline wide triangle_distance2(const wide a[3], const wide b[3], const wide c[3])
{
    wide best = fminl(segment_distance2(a, b), fminl(segment_distance2(b, c), segment_distance2(c, a)));
    wide e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, f[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]}, n[3];
    wide_cross(e, f, n);
    wide area2 = wide_dot(n, n);
    if (!(area2 > 1e-24L * wide_dot(e, e) * wide_dot(f, f))) return best;
    const wide *corners[4] = {a, b, c, a};
    for (int i = 0; i < 3; i++) {
        wide spanned[3];
        wide_cross(corners[i], corners[i + 1], spanned);
        if (wide_dot(spanned, n) < 0) return best;
    }
    wide height = wide_dot(n, a);
    return fminl(best, height * height / area2);
}

static inline wide oracle_distance(const oracle *o, wide t)
{
    wide p[4][3];
    for (int i = 0; i < o->corners; i++) {
        for (int x = 0; x < 3; x++) p[i][x] = o->from[i][x] + t * o->speed[i][x];
    }
    wide d = triangle_distance2(p[0], p[1], p[2]);
    return sqrtl(o->corners == 3 ? d : fminl(d, triangle_distance2(p[0], p[2], p[3])));
}

static inline wide at(const wide c[4], wide t)
{
    return ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
}

/* Where the derivative of c[0] + ... + c[3] t^3 is zero, into out: two numbers that may be anything where it is not. */
static inline void turning_points(const wide c[4], wide out[2])
{
    wide a = 3 * c[3], b = c[2], root = sqrtl(fmaxl(b * b - a * c[1], 0)), sum = b > 0 ? b + root : b - root;
    out[0] = -sum / a;
    out[1] = -c[1] / sum;
}

typedef struct first_touch {
    const oracle *o;
    wide closest, time; /* of the times tried */
    wide within;        /* of this distance counts as touching */
} first_touch;

static inline void try_time(first_touch *f, wide t)
{
    if (!(t >= 0 && t <= 1)) return;
    wide distance = oracle_distance(f->o, t);
    f->closest = fminl(f->closest, distance);
    if (distance <= f->within) f->time = fminl(f->time, t);
}

/* All roots in [0, 1], and the turning points, where there may be a double one. */
static inline void try_roots(first_touch *f, const wide c[4])
{
    wide turns[2], breaks[4] = {0, 0, 0, 1};
    turning_points(c, turns);
    if (!(turns[0] < turns[1])) {
        wide swap = turns[0];
        turns[0] = turns[1];
        turns[1] = swap;
    }
    for (int k = 0; k < 2; k++) {
        breaks[k + 1] = turns[k] > breaks[k] && turns[k] < 1 ? turns[k] : breaks[k];
        try_time(f, breaks[k + 1]);
    }
    for (int k = 0; k < 3; k++) {
        wide low = breaks[k], high = breaks[k + 1];
        if ((at(c, low) < 0) == (at(c, high) < 0)) continue;
        for (int step = 0; step < 80; step++) {
            wide middle = 0.5L * (low + high);
            if ((at(c, middle) < 0) == (at(c, low) < 0))
                low = middle;
            else
                high = middle;
        }
        try_time(f, high);
    }
}

static inline void try_volume(first_touch *f)
{
    const oracle *o = f->o;
    wide c[4] = {0};
    for (int mask = 0; mask < 8; mask++) {
        const int last = o->corners - 1, power = (mask & 1) + (mask >> 1 & 1) + (mask >> 2);
        wide n[3];
        wide_cross(mask & 1 ? o->speed[0] : o->from[0], mask & 2 ? o->speed[1] : o->from[1], n);
        c[power] += wide_dot(n, mask & 4 ? o->speed[last] : o->from[last]);
    }
    try_roots(f, c);
}

static inline void try_planes(first_touch *f)
{
    const oracle *o = f->o;
    for (int i = 0; i < o->corners; i++) {
        for (int j = i + 1; j < o->corners; j++) {
            wide still[3], one[3], other[3], both[3];
            wide_cross(o->from[i], o->from[j], still);
            wide_cross(o->from[i], o->speed[j], one);
            wide_cross(o->speed[i], o->from[j], other);
            wide_cross(o->speed[i], o->speed[j], both);
            for (int x = 0; x < 3; x++) try_roots(f, (const wide[4]){still[x], one[x] + other[x], both[x], 0});
        }
        for (int x = 0; x < 3; x++) try_time(f, -o->from[i][x] / o->speed[i][x]);
    }
}

static inline first_touch oracle_first_touch(const oracle *o, wide within)
{
    first_touch f = {.o = o, .closest = INFINITY, .time = INFINITY, .within = within};
    try_time(&f, 0);
    try_time(&f, 1);
    try_volume(&f);
    try_planes(&f);
    return f;
}

#endif
