/* closest.h in double precision, for LANES pairs at a time, with the same bits. All cases are computed for all pairs, and masks
 * select the result of each. */
#ifndef CAROM_GEOMETRY_CLOSEST_LANES_H
#define CAROM_GEOMETRY_CLOSEST_LANES_H

#include "base/lanes.h"
#include "geometry/closest.h"

static inline void closest_foot_lanes(const lanes w[3], const lanes d[3], const lanes f[3], const lanes n[3], lanes nn,
                                      lanes along[2], lanes q[3])
{
    lanes c[3];
    along[0] = along[1] = lanes_of(0);
    memcpy(q, w, 3 * sizeof *q);
    for (int round = 0; round < 3; round++) {
        lanes_cross(q, f, c);
        along[0] -= lanes_dot(c, n) / nn;
        lanes_cross(q, d, c);
        along[1] -= lanes_dot(c, n) / nn;
        for (int k = 0; k < 3; k++) q[k] = w[k] + along[0] * d[k] - along[1] * f[k];
    }
}

static inline lanes closest_clamp_lanes(lanes s)
{
    return lanes_pick(lanes_of(0), s, lanes_pick(s, lanes_of(1), s, lanes_of(1)), lanes_of(0));
}

/* square: that of d. */
static inline lanes closest_on_segment_lanes(const lanes w[3], const lanes d[3], lanes square)
{
    return closest_clamp_lanes(lanes_pick(lanes_of(0), square, lanes_dot(w, d) / square, lanes_of(0)));
}

/* The squared distance that a point must be nearer than to replace the foot r. Negative: none is. */
static inline lanes closest_limit_lanes(const lanes r[3], lane_masks inside, lane_masks doubtless)
{
    const lanes square = lanes_choose(inside, lanes_dot(r, r), lanes_of(REAL_NEVER));
    return lanes_choose(inside & doubtless, lanes_of(-1), square);
}

static inline bool closest_is_foot_lanes(lanes limit)
{
    return lanes_less(limit, lanes_of(0)) == (1u << LANES) - 1;
}

/* dd, ff: squares of d and f. */
static inline void closest_try_ends_lanes(const lanes w[3], const lanes d[3], const lanes f[3], lanes dd, lanes ff,
                                          lanes best, lanes along[2], lanes r[3])
{
    const lanes zero = lanes_of(0), one = lanes_of(1);
    lanes s[5] = {zero, one, zero, zero, closest_clamp_lanes(along[0])}, u[5] = {zero, zero, zero, one, zero}, x[3],
          q[3];
    for (int n = 0; n < 5; n++) {
        const bool on_first = n < 2 || n == 4;
        for (int k = 0; k < 3; k++) x[k] = on_first ? w[k] + s[n] * d[k] : u[n] * f[k] - w[k];
        *(on_first ? &u[n] : &s[n]) = closest_on_segment_lanes(x, on_first ? f : d, on_first ? ff : dd);
        for (int k = 0; k < 3; k++) q[k] = (w[k] + s[n] * d[k]) - u[n] * f[k];
        const lanes square = lanes_dot(q, q);
        const lane_masks nearer = square < best;
        best = lanes_choose(nearer, square, best);
        along[0] = lanes_choose(nearer, s[n], along[0]);
        along[1] = lanes_choose(nearer, u[n], along[1]);
        for (int k = 0; k < 3; k++) r[k] = lanes_choose(nearer, q[k], r[k]);
    }
}

static inline void closest_of_segments_lanes(const lanes w[3], const lanes d[3], const lanes f[3], lanes r[3],
                                             lanes along[2])
{
    const lanes zero = lanes_of(0), one = lanes_of(1), dd = lanes_dot(d, d), ff = lanes_dot(f, f);
    lanes n[3];
    lanes_cross(d, f, n);
    const lanes nn = lanes_dot(n, n);
    const lane_masks askew = nn > zero;
    closest_foot_lanes(w, d, f, n, nn, along, r);
    for (int q = 0; q < 2; q++) along[q] = lanes_choose(askew, along[q], zero);
    for (int k = 0; k < 3; k++) r[k] = lanes_choose(askew, r[k], w[k]);
    const lane_masks first = (along[0] >= zero) & (along[0] <= one), second = (along[1] >= zero) & (along[1] <= one);
    const lane_masks doubtless = nn > CLOSEST_DOUBTFUL * dd * ff;
    const lanes limit = closest_limit_lanes(r, askew & first & second, doubtless);
    if (!closest_is_foot_lanes(limit)) closest_try_ends_lanes(w, d, f, dd, ff, limit, along, r);
}

static inline void closest_try_edges_lanes(const lanes w[3][3], const lanes way[3][3], lanes best, lanes r[3],
                                           lanes share[3])
{
    lanes q[3];
    for (int c = 0; c < 3; c++) {
        const lanes s = closest_on_segment_lanes(w[c], way[c], lanes_dot(way[c], way[c]));
        for (int k = 0; k < 3; k++) q[k] = w[c][k] - s * way[c][k];
        const lanes square = lanes_dot(q, q);
        const lane_masks nearer = square < best;
        best = lanes_choose(nearer, square, best);
        for (int k = 0; k < 3; k++) r[k] = lanes_choose(nearer, q[k], r[k]);
        share[c] = lanes_choose(nearer, 1 - s, share[c]);
        share[(c + 1) % 3] = lanes_choose(nearer, s, share[(c + 1) % 3]);
        share[(c + 2) % 3] = lanes_choose(nearer, lanes_of(0), share[(c + 2) % 3]);
    }
}

static inline void closest_in_triangle_lanes(const lanes p[3], const lanes t[3][3], lanes r[3], lanes share[3])
{
    const lanes zero = lanes_of(0);
    lanes way[3][3], w[3][3], n[3], back[3], at[2];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            way[c][k] = t[(c + 1) % 3][k] - t[c][k];
            w[c][k] = p[k] - t[c][k];
        }
    for (int k = 0; k < 3; k++) back[k] = -way[0][k];
    lanes_cross(back, way[2], n);
    const lanes nn = lanes_dot(n, n);
    const lane_masks wide = nn > zero;
    closest_foot_lanes(w[0], back, way[2], n, nn, at, r);
    for (int k = 0; k < 3; k++) r[k] = lanes_choose(wide, r[k], w[0][k]);
    share[1] = lanes_choose(wide, at[0], zero);
    share[2] = lanes_choose(wide, -at[1], zero);
    share[0] = 1 - share[1] - share[2];
    const lane_masks inside = (share[0] >= zero) & (share[1] >= zero) & (share[2] >= zero);
    const lane_masks doubtless = nn > CLOSEST_DOUBTFUL * lanes_dot(way[0], way[0]) * lanes_dot(way[2], way[2]);
    const lanes limit = closest_limit_lanes(r, wide & inside, doubtless);
    if (closest_is_foot_lanes(limit)) return;
    closest_try_edges_lanes((const lanes(*)[3])w, (const lanes(*)[3])way, limit, r, share);
}

#endif
