/* How two that may touch lie to each other, and when they may come within a distance. */
#ifndef CAROM_VARIATIONAL_SIGHT_H
#define CAROM_VARIATIONAL_SIGHT_H

#include "variational/kernel/world.h"

/* Of a node and another, or a surface. */
typedef struct sight {
    double r2, rw, w2; /* of distance and velocity: squares and product. Surface: distance, speed, and w2 < 0 */
    double fall;       /* nodes: how much their accelerations differ; surface: acceleration along its normal */
    bool bound;        /* r2: distance; rw, fall: bounds of how fast they come closer, and of how that changes */
} sight;

typedef struct motion {
    double x[DIM], v[DIM];
    bool falls;
} motion;

sight sight_of_nodes(const world *w, const motion *a, const motion *b);
sight sight_of_surface(const world *w, const motion *a, const surface *s, double t);

static inline double sight_distance(const sight *s)
{
    return s->w2 < 0 || s->bound ? s->r2 : sqrt(s->r2);
}

/* How long they certainly stay farther apart than `far`; 0: they are not.
 *
 * Nodes that accelerate alike are |R + W s| apart: the smaller root of a parabola, exactly. If only one falls, |R + W s + A s^2/2| >=
 * |R| - |W| s - |A| s^2/2 bounds that time from below. For a surface it is the first root of a parabola, exactly. */
double sight_wait(const sight *s, double far);

#endif
