/* Ellipsoids of revolution, and ellipses in the plane of their axes: the gap between two of them.
 *
 * The support function h(n) = sqrt(a^2 c^2 + b^2 (1 - c^2)), c = n.u, with semi-axes a along the axis u and b across
 * it, is the extent of a body along a unit vector n. For any n
 *   s(n) = n.r - h_p(n) - h_q(n),   r = r_p - r_q,
 * is at most the gap between two bodies: if it is positive for one n they are apart. The n used here is that of the
 * contact function of Perram and Wertheim (J. Comput. Phys. 58, 409 (1985)), the maximum of
 *   F = x (1 - x) r.[(1 - x) A_p + x A_q]^-1.r, 0 < x < 1, A = b^2 + (a^2 - b^2) u u.
 * For it, s(n) = (sqrt(F) - 1)(h_p + h_q), so that its sign is that of the gap, also for overlaps, and at a contact n
 * is the common normal. At the maximum (1 - x) h_p = x h_q. The inverse depends on r.r, r.u and u.u only (the tensors
 * differ from a multiple of 1 by one dyad each). */
#ifndef CAROM_GEOMETRY_ELLIPSOID_H
#define CAROM_GEOMETRY_ELLIPSOID_H

#include "geometry/shape.h"

/* h(n); `lean` (may be NULL) receives n.u. Sums of positive terms, so that extreme aspect ratios lose no digits. */
static inline real ellipsoid_reach(const posed *e, const real n[3], real *lean)
{
    const real c = dot3(n, e->axis);
    real rest = 0;
    for (int k = 0; k < 3; k++) {
        const real w = n[k] - c * e->axis[k];
        rest += w * w;
    }
    if (lean != NULL) *lean = c;
    return real_sqrt(e->along * e->along * (c * c) + e->across * e->across * rest);
}

/* The arguments of the contact function of a pair. */
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

/* s(n) for r = r_p - r_q: at most the gap, and with its sign. Sets n; *x is the initial value of the search and
 * receives its result. */
static inline real ellipsoid_gap(const posed *p, const posed *q, const real r[3], real *x, real n[3])
{
    real lean[2] = {0, 0}, square = 0, axes[3];
    cross3(p->axis, q->axis, axes);
    const ellipsoid_pair m = {.pa = p->along * p->along,
                              .pb = p->across * p->across,
                              .qa = q->along * q->along,
                              .qb = q->across * q->across,
                              .rr = dot3(r, r),
                              .rp = dot3(r, p->axis),
                              .rq = dot3(r, q->axis),
                              .cosine = dot3(p->axis, q->axis),
                              .sine2 = dot3(axes, axes)};
    *x = ellipsoid_share(&m, *x, lean);
    const real turn_p = (1 - *x) * (m.pa - m.pb) * lean[0], turn_q = *x * (m.qa - m.qb) * lean[1];
    for (int k = 0; k < 3; k++) {
        n[k] = r[k] - turn_p * p->axis[k] - turn_q * q->axis[k];
        square += n[k] * n[k];
    }
    if (!(square > 0)) { /* coincident centres */
        n[0] = square = 1;
        n[1] = n[2] = 0;
    }
    const real length = real_sqrt(square);
    for (int k = 0; k < 3; k++) n[k] /= length;
    return dot3(n, r) - ellipsoid_reach(p, n, NULL) - ellipsoid_reach(q, n, NULL);
}

/* ---- the shape (shape.h) ----------------------------------------------------------------------------------------- */

static inline real ellipsoid_half_width(const posed *e, const real n[3])
{
    return ellipsoid_reach(e, n, NULL);
}

/* With c = n.u = C cos, h'' = (a^2 - b^2) (c'^2 b^2 / h^3 - c^2 w^2 / h) is at most |a^2 - b^2| w^2 C^2 over the
 * minimum of h. */
static inline real ellipsoid_turning(const posed *e, const real w[3], shape_approach *a)
{
    const real flat = e->along * e->along - e->across * e->across, square = dot3(w, w);
    real lean, torque[3], side[3];
    if (flat == 0) return 0;
    const real reach = ellipsoid_reach(e, a->normal, &lean), arm = flat * lean / reach;
    if (square == 0) return arm;
    cross3(e->axis, a->normal, torque);
    for (int k = 0; k < 3; k++) torque[k] *= arm;
    cross3(w, e->axis, side);
    const real across = dot3(a->normal, side);
    real most = lean * lean + across * across / square;
    if (most > 1) most = 1;
    const real least =
        flat > 0 ? e->across : real_sqrt(e->across * e->across * (1 - most) + e->along * e->along * most);
    a->rate -= dot3(w, torque);
    a->bend += real_fabs(flat) * square * most / least;
    return arm;
}

static inline real ellipsoid_see(const posed *e, const real w[3], shape_approach *a)
{
    a->gap -= ellipsoid_reach(e, a->normal, NULL);
    return ellipsoid_turning(e, w, a);
}

/* Along the present n: the gap of the projections has a bounded second derivative. */
static inline void ellipsoid_meet(const posed e[2], real w[2][3], const real r[3], const real v[3], real *share,
                                  shape_approach *a)
{
    a->gap = ellipsoid_gap(&e[0], &e[1], r, share, a->normal);
    a->rate = dot3(a->normal, v);
    a->bend = a->free = 0;
    for (int k = 0; k < 2; k++) a->arm[k] = ellipsoid_turning(&e[k], w[k], a);
}

static inline real ellipsoid_apart(const posed *p, const posed *q, const real r[3])
{
    real n[3], share = posed_guess(p, q);
    return ellipsoid_gap(p, q, r, &share, n);
}

static inline double ellipsoid_fullness(int dimension, const double half[2])
{
    (void)dimension;
    (void)half;
    return 1;
}

static inline double ellipsoid_inertia(int dimension, const double half[2])
{
    const double longest = half[0] > half[1] ? half[0] : half[1];
    return (half[0] * half[0] + half[1] * half[1]) / (longest * longest) / (dimension == 3 ? 5 : 4);
}

/* Multiplies by the inverse of its tensor. */
static inline void ellipsoid_flatten(const double u[3], double along, double across, const double x[3], double y[3])
{
    const double part = (along - across) * (x[0] * u[0] + x[1] * u[1] + x[2] * u[2]);
    for (int k = 0; k < 3; k++) y[k] = across * x[k] + part * u[k];
}

static inline double ellipsoid_ray(const double u[3], const double half[2], const double middle[3], const double ray[3],
                                   double n[3])
{
    const double along = 1 / (half[0] * half[0]), across = 1 / (half[1] * half[1]);
    double bent[3], flat[3], from[3], rr, rm, mm;
    ellipsoid_flatten(u, along, across, middle, flat);
    ellipsoid_flatten(u, along, across, ray, bent);
    rr = ray[0] * bent[0] + ray[1] * bent[1] + ray[2] * bent[2];
    rm = ray[0] * flat[0] + ray[1] * flat[1] + ray[2] * flat[2];
    mm = middle[0] * flat[0] + middle[1] * flat[1] + middle[2] * flat[2];
    const double square = rm * rm - rr * (mm - 1), t = square > 0 ? (rm - sqrt(square)) / rr : -1;
    if (t < 0) return t;
    for (int k = 0; k < 3; k++) from[k] = t * ray[k] - middle[k];
    ellipsoid_flatten(u, along, across, from, n);
    return t;
}

/* The level of the ellipse through the point, divided by its gradient. */
static inline double ellipsoid_outside(const double half[2], double x, double y)
{
    const double p = x / half[0], q = y / half[1], height = hypot(p, q), slope = hypot(p / half[0], q / half[1]);
    return slope > 0 ? (height - 1) * height / slope : -0.5;
}

static const body_shape shape_ellipsoid = {.plural = "ellipsoids",
                                           .key = "semi_axes",
                                           .stretched = true,
                                           .fullness = ellipsoid_fullness,
                                           .inertia = ellipsoid_inertia,
                                           .reach = ellipsoid_half_width,
                                           .see = ellipsoid_see,
                                           .meet = ellipsoid_meet,
                                           .gap = ellipsoid_apart,
                                           .ray = ellipsoid_ray,
                                           .outside = ellipsoid_outside};

#endif
