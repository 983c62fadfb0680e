/* Ellipsoids of revolution, and ellipses in the plane of their axes: how far apart two of them are.
 *
 * The support function h(n) = sqrt(a^2 c^2 + b^2 (1 - c^2)), c = n.u, of semi-axes a along the axis u and b across
 * says how far a body reaches along a unit vector n. For any n whatever
 *   s(n) = n.r - h_p(n) - h_q(n),   r = r_p - r_q,
 * is at most the gap between two bodies: as long as it is positive for one n they are apart. The n taken here is
 * that of the contact function of Perram and Wertheim (J. Comput. Phys. 58, 409 (1985)), the largest
 *   F = x (1 - x) r.[(1 - x) A_p + x A_q]^-1.r,   0 < x < 1,   A = b^2 + (a^2 - b^2) u u:
 * there s(n) = (sqrt(F) - 1)(h_p + h_q), so that its sign is that of the gap, also where the two overlap, and in a
 * contact n is the common normal. At the maximum (1 - x) h_p = x h_q. The inverse needs r.r, r.u and u.u alone (the
 * tensors differ from a multiple of 1 by one dyad each). */
#ifndef CAROM_GEOMETRY_ELLIPSOID_H
#define CAROM_GEOMETRY_ELLIPSOID_H

#include <stddef.h>

#include "base/real.h"

typedef struct ellipsoid {
    real axis[3]; /* unit */
    real along, across;
} ellipsoid;

static inline real ellipsoid_dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void ellipsoid_cross(const real a[3], const real b[3], real c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* h(n); `lean` (may be NULL) receives n.u. Sums of positive terms, so that needles and coins lose no digits. */
static inline real ellipsoid_reach(const ellipsoid *e, const real n[3], real *lean)
{
    const real c = ellipsoid_dot(n, e->axis);
    real rest = 0;
    for (int k = 0; k < 3; k++) {
        const real w = n[k] - c * e->axis[k];
        rest += w * w;
    }
    if (lean != NULL) *lean = c;
    return real_sqrt(e->along * e->along * (c * c) + e->across * e->across * rest);
}

/* What the contact function of a pair depends on. */
typedef struct ellipsoid_pair {
    real pa, pb, qa, qb; /* squares of the semi-axes, along and across */
    real rr, rp, rq;     /* r.r, r.u_p, r.u_q */
    real cosine, sine2;  /* of the angle between the axes: u_p.u_q, and 1 less its square */
} ellipsoid_pair;

/* Of X = [(1 - x) A_p + x A_q]^-1 r: u_p.X, u_q.X, and h_p(X) and h_q(X). */
static inline void ellipsoid_solve(const ellipsoid_pair *m, real x, real lean[2], real reach[2])
{
    const real rest = 1 - x, p = rest * (m->pa - m->pb), q = x * (m->qa - m->qb);
    const real both = rest * m->pb + x * m->qb, along_p = rest * m->pa + x * m->qb, along_q = rest * m->pb + x * m->qa;
    const real pq = p * q, all = rest * m->pa + x * m->qa;
    const real det = pq > 0 ? both * all + pq * m->sine2 : along_p * along_q - pq * (m->cosine * m->cosine);
    const real a = (along_q * m->rp - q * m->cosine * m->rq) / det;
    const real b = (along_p * m->rq - p * m->cosine * m->rp) / det;
    const real xr = (m->rr - p * a * m->rp - q * b * m->rq) / both;
    const real xx = (xr - p * a * a - q * b * b) / both;
    const real across_p = xx - a * a, across_q = xx - b * b;
    lean[0] = a;
    lean[1] = b;
    reach[0] = real_sqrt(m->pa * (a * a) + m->pb * (across_p > 0 ? across_p : 0));
    reach[1] = real_sqrt(m->qa * (b * b) + m->qb * (across_q > 0 ? across_q : 0));
}

/* Finds x by secants within the interval that contains it. */
static inline real ellipsoid_share(const ellipsoid_pair *m, real x, real lean[2])
{
    enum { MOST = 50 };
    real low = 0, high = 1, x_before = 0, f_before = 0, reach[2];
    for (int n = 0; n < MOST; n++) {
        ellipsoid_solve(m, x, lean, reach);
        const real f = (1 - x) * reach[0] - x * reach[1], sum = reach[0] + reach[1];
        if (real_fabs(f) <= 256 * REAL_GRAIN * sum || !(sum > 0)) break;
        if (f > 0)
            low = x;
        else
            high = x;
        real next = n == 0 ? reach[0] / sum : x - f * ((x - x_before) / (f - f_before));
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (real_fabs(next - x) <= 8 * REAL_GRAIN) break;
        x_before = x;
        f_before = f;
        x = next;
    }
    return x;
}

/* s(n) for r = r_p - r_q: at most the gap, and of its sign. Makes n; *x is where the search for it begins, and what
 * it came to. */
static inline real ellipsoid_gap(const ellipsoid *p, const ellipsoid *q, const real r[3], real *x, real n[3])
{
    real lean[2] = {0, 0}, square = 0, axes[3];
    ellipsoid_cross(p->axis, q->axis, axes);
    const ellipsoid_pair m = {.pa = p->along * p->along,
                              .pb = p->across * p->across,
                              .qa = q->along * q->along,
                              .qb = q->across * q->across,
                              .rr = ellipsoid_dot(r, r),
                              .rp = ellipsoid_dot(r, p->axis),
                              .rq = ellipsoid_dot(r, q->axis),
                              .cosine = ellipsoid_dot(p->axis, q->axis),
                              .sine2 = ellipsoid_dot(axes, axes)};
    *x = ellipsoid_share(&m, *x, lean);
    const real turn_p = (1 - *x) * (m.pa - m.pb) * lean[0], turn_q = *x * (m.qa - m.qb) * lean[1];
    for (int k = 0; k < 3; k++) {
        n[k] = r[k] - turn_p * p->axis[k] - turn_q * q->axis[k];
        square += n[k] * n[k];
    }
    if (!(square > 0)) { /* one on top of the other */
        n[0] = square = 1;
        n[1] = n[2] = 0;
    }
    const real length = real_sqrt(square);
    for (int k = 0; k < 3; k++) n[k] /= length;
    return ellipsoid_dot(n, r) - ellipsoid_reach(p, n, NULL) - ellipsoid_reach(q, n, NULL);
}

/* Where a share of the way in between is a good guess: as for spheres. */
static inline real ellipsoid_guess(const ellipsoid *p, const ellipsoid *q)
{
    return (p->along + p->across) / (p->along + p->across + q->along + q->across);
}

/* The axis after a time in which it turns by w, which is across it. */
static inline void ellipsoid_turn(real axis[3], const real w[3], real time)
{
    real side[3], rate = real_sqrt(ellipsoid_dot(w, w));
    if (!(rate > 0)) return;
    ellipsoid_cross(w, axis, side);
    const real cosine = real_cos(rate * time), sine = real_sin(rate * time) / rate;
    for (int k = 0; k < 3; k++) axis[k] = cosine * axis[k] + sine * side[k];
    const real length = real_sqrt(ellipsoid_dot(axis, axis));
    for (int k = 0; k < 3; k++) axis[k] /= length;
}

#endif
