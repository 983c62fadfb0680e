/* Shapes of particles: smooth convex bodies of revolution, in 2D figures in the plane of their axes. A shape is a const
 * struct in a header of its own (ellipsoid.h), and a row of the table in shapes.h, which all modules read. To add one:
 * docs/extending/shape.md.
 *
 * A body of any shape is described by half its extent along the axis and half that across, `half`. Where the two are
 * equal it is a sphere. The ball of the smaller one lies within the body, the body within that of the larger one. */
#ifndef CAROM_GEOMETRY_SHAPE_H
#define CAROM_GEOMETRY_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/* A body about the origin. */
typedef struct posed {
    real axis[3]; /* unit */
    real along, across;
} posed;

/* The gap between two bodies, p and q, or a body and a plane, from now on, with `normal` from q to p or from the plane
 * to p: at a time dt it is at least gap + dt (rate - bend dt / 2). In a contact both are those of the bodies. */
typedef struct shape_approach {
    real normal[3];
    real gap, rate;
    real bend;   /* the rate falls by at most this a unit of time */
    real free;   /* before this time the sphere around the body does not reach the plane; of pairs 0 */
    real arm[2]; /* a unit impulse along the normal, at the contact, turns a body like axis x normal times this */
} shape_approach;

typedef struct body_shape {
    const char *plural; /* for messages */
    const char *key;    /* of `species` */
    bool stretched;     /* a sphere, stretched along its axis: lattices may be, too */

    /* The volume (2D: area) over that of the ellipsoid (ellipse) of the same extents. */
    double (*fullness)(int dimension, const double half[2]);

    /* The moment of inertia about an axis through the centre and across that of revolution, of a solid body of unit
     * mass, over the square of the larger of half. */
    double (*inertia)(int dimension, const double half[2]);

    /* How far it reaches along a unit vector n: h(n), the support function. */
    real (*reach)(const posed *p, const real n[3]);

    /* As `meet` for a body and a plane, or with one more body along a normal that stays what it is. `a` has the normal,
     * and gap and rate of the centre; takes from these what the body of spin w reaches, and adds to `bend`. The arm. */
    real (*see)(const posed *p, const real w[3], shape_approach *a);

    /* Two bodies of this shape, spins w, centres r = r_p - r_q apart at a velocity v, while the spheres around
     * them go on overlapping. *share: where on the line between the centres the contact may be, 0 to 1: a guess that is
     * kept for the next call. */
    void (*meet)(const posed p[2], real w[2][3], const real r[3], const real v[3], real *share, shape_approach *a);

    /* At most the gap between two, and of its sign. */
    real (*gap)(const posed *p, const posed *q, const real r[3]);

    /* Pictures: how far along a ray from the eye a body of axis u is met, its centre at `middle`, and the normal there,
     * of any length; negative: it is not. */
    double (*ray)(const double u[3], const double half[2], const double middle[3], const double ray[3], double n[3]);

    /* In the plane: how far a point x along the axis, y across, is outside, near the edge; negative: inside. */
    double (*outside)(const double half[2], double x, double y);
} body_shape;

/* Where a share of the way in between is a good guess: as for spheres. */
static inline real posed_guess(const posed *p, const posed *q)
{
    return (p->along + p->across) / (p->along + p->across + q->along + q->across);
}

/* The axis after a time in which it turns by w, which is across it. */
static inline void posed_turn(real u[3], const real w[3], real time)
{
    real side[3], rate = real_sqrt(dot3(w, w));
    if (!(rate > 0)) return;
    cross3(w, u, side);
    const real cosine = real_cos(rate * time), sine = real_sin(rate * time) / rate;
    for (int k = 0; k < 3; k++) u[k] = cosine * u[k] + sine * side[k];
    const real length = real_sqrt(dot3(u, u));
    for (int k = 0; k < 3; k++) u[k] /= length;
}

/* ---- how far a search may go ------------------------------------------------------------------------------------- */

/* Of gaps, in radii of the two: what is less cannot be told from contact. */
#define SHAPE_ROUNDING (4 * REAL_GRAIN)

/* The time in which two that touch, and do not part, may come nearer by what cannot be told from contact. */
static inline real shape_least_step(const shape_approach *a, real size)
{
    return real_sqrt(SHAPE_ROUNDING * size / a->bend);
}

/* How far to go ahead: surely not beyond the event. `size`: of the two. */
static inline real shape_step(const shape_approach *a, real size)
{
    if (a->gap <= SHAPE_ROUNDING * size) {
        if (a->bend == 0) return a->rate > 0 ? REAL_NEVER : 0;
        const real turns = a->rate / a->bend, least = shape_least_step(a, size);
        return turns > least ? turns : least;
    }
    if (a->bend == 0) return a->rate < 0 ? a->gap / -a->rate : REAL_NEVER;
    const real root = real_sqrt(a->rate * a->rate + 2 * a->bend * a->gap);
    return a->rate < 0 ? 2 * a->gap / (root - a->rate) : (a->rate + root) / a->bend;
}

#endif
