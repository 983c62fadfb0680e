/* Shapes of particles: smooth convex bodies of revolution; in 2D figures in the plane of their axes. A shape is a const
 * struct in a header of its own (ellipsoid.h), and a row of the table in shapes.h, which all modules read. To add one:
 * docs/extending/shape.md.
 *
 * A body of any shape is described by `half`: half its extent along the axis, and half its extent across. If the two
 * are equal, it is a sphere. The ball with the smaller one as its radius is inside the body; the ball with the larger
 * one encloses the body. */
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

/* The gap between two bodies, p and q, or a body and a plane, from the present time on, with `normal` from q to p or
 * from the plane to p: at a time dt it is at least gap + dt (rate - bend dt / 2). At a contact, gap and rate are
 * exact. */
typedef struct shape_approach {
    real normal[3];
    real gap, rate;
    real bend; /* the rate decreases by at most this per unit of time */
    real free; /* before this time the sphere around the body does not touch the plane; 0 for pairs */
    real arm
        [2]; /* a unit impulse along the normal, at the contact, adds axis x normal times this to the spin of a body */
} shape_approach;

typedef struct body_shape {
    const char *plural; /* for messages */
    const char *key;    /* of `species` */
    bool stretched;     /* a sphere scaled along its axis, for which lattices can be scaled, too */

    /* The volume (2D: area) divided by that of the ellipsoid (ellipse) of the same extents. */
    double (*fullness)(int dimension, const double half[2]);

    /* The moment of inertia of a homogeneous body of unit mass, about an axis through the centre and orthogonal to that
     * of revolution, divided by the square of the larger of half. */
    double (*inertia)(int dimension, const double half[2]);

    /* The extent along a unit vector n: h(n), the support function. */
    real (*reach)(const posed *p, const real n[3]);

    /* As `meet` for a body and a plane, or for an additional body along a constant normal. `a` has the normal, and gap
     * and rate of the centre; the function subtracts the extent of the body with spin w and its rate, and adds to
     * `bend`. Returns the arm. */
    real (*see)(const posed *p, const real w[3], shape_approach *a);

    /* Two bodies of this shape, with spins w, at a distance r = r_p - r_q of their centres and a velocity v, while the
     * spheres around them overlap. *share: position of the contact on the line between the centres, 0 to 1: an initial
     * value that is kept for the next call. */
    void (*meet)(const posed p[2], real w[2][3], const real r[3], const real v[3], real *share, shape_approach *a);

    /* A lower bound of the gap between two, with its sign. */
    real (*gap)(const posed *p, const posed *q, const real r[3]);

    /* Pictures: the distance along a ray from the eye to a body with axis u, its centre at `middle`, and the normal
     * there, of any length; negative: no intersection. */
    double (*ray)(const double u[3], const double half[2], const double middle[3], const double ray[3], double n[3]);

    /* In 2D: the distance of a point x along the axis, y across, from the outline near it; negative: inside. */
    double (*outside)(const double half[2], double x, double y);
} body_shape;

/* The range in which the share is a good initial value: as for spheres. */
static inline real posed_guess(const posed *p, const posed *q)
{
    return (p->along + p->across) / (p->along + p->across + q->along + q->across);
}

/* The axis after a rotation during a time by w, which is orthogonal to it. */
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

/* ---- limits of a search ------------------------------------------------------------------------------------------ */

/* Gaps, in radii of the two: smaller gaps are equivalent to contact. */
#define SHAPE_ROUNDING (4 * REAL_GRAIN)

/* The time in which two bodies in contact that do not separate may approach by a gap that is equivalent to contact. */
static inline real shape_least_step(const shape_approach *a, real size)
{
    return real_sqrt(SHAPE_ROUNDING * size / a->bend);
}

/* Length of the advance: certainly not beyond the event. `size`: of the two. */
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
