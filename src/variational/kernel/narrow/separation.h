/* The separation of two elements that may touch, and lower bounds of the time until they come within a distance. */
#ifndef CAROM_VARIATIONAL_SEPARATION_H
#define CAROM_VARIATIONAL_SEPARATION_H

#include "variational/kernel/world.h"

/* The numbers that a separation contains, and the meaning of its acceleration. OF_NODES: the relative one.
 * FROM_SURFACE: that along the normal. BOUND, of elements: the largest change of the fastest approach. */
typedef enum separation_kind { SEPARATION_OF_NODES, SEPARATION_FROM_SURFACE, SEPARATION_BOUND } separation_kind;

typedef struct separation {
    separation_kind kind;
    double acceleration;
    union {
        struct {
            double r2, rw, w2; /* |r|^2, r.v, |v|^2 of relative position and velocity */
        } nodes;
        struct {
            double distance, rate;
        } surface;
        struct {
            double distance, approach; /* approach: the fastest */
            int pairs;                 /* of ends; distance along the present normal, and its rate of growth */
            double apart[4], rate[4];
        } bound;
    };
} separation;

static inline separation separation_of_nodes(const world *w, const motion *a, const motion *b)
{
    const components r = to_nearest_image(w, a->x - b->x), v = a->v - b->v;
    separation s; /* the numbers of a bound are not set, to save time */
    s.kind = SEPARATION_OF_NODES;
    s.acceleration = a->falls != b->falls ? w->domain.gravity_magnitude : 0;
    s.nodes.r2 = components_dot(r, r);
    s.nodes.rw = components_dot(r, v);
    s.nodes.w2 = components_dot(v, v);
    return s;
}

static inline separation separation_of_surface(const world *w, const motion *a, const surface *s, double t)
{
    double y[DIM];
    separation seen = {.kind = SEPARATION_FROM_SURFACE, .surface = {0, 0}};
    surface_at(s, t, y);
    for (int k = 0; k < DIM; k++) {
        seen.surface.distance += (a->x[k] - y[k]) * s->normal[k];
        seen.surface.rate += (a->v[k] - s->velocity[k]) * s->normal[k];
        seen.acceleration += a->falls ? w->domain.gravity[k] * s->normal[k] : 0;
    }
    return seen;
}

static inline double separation_distance(const separation *s)
{
    if (s->kind == SEPARATION_BOUND) return s->bound.distance;
    return s->kind == SEPARATION_FROM_SURFACE ? s->surface.distance : sqrt(s->nodes.r2);
}

/* The first time s at which gap + rate s + fall s^2 / 2 is 0. */
static double separation_wait_for_surface(const separation *s, double far);

/* The time s up to which gap - speed s - fall s^2 / 2 is above 0. */
static inline double separation_wait_at_most(double gap, double speed, double fall)
{
    if (gap <= 0) return 0;
    double sum = speed + sqrt(speed * speed + 2 * fall * gap);
    return sum > 0 ? 2 * gap / sum : INFINITY;
}

/* The time for which all ends stay on their sides of a slab of this width. */
static inline double separation_wait_for_slab(const separation *s, double far)
{
    double wait = s->bound.pairs > 0 ? INFINITY : 0;
    for (int k = 0; k < s->bound.pairs; k++) {
        double gap = s->bound.apart[k] - far, rate = s->bound.rate[k],
               root = sqrt(rate * rate + 2 * s->acceleration * greater(gap, 0));
        double one = gap <= 0              ? 0
                     : rate < 0            ? 2 * gap / (root - rate)
                     : s->acceleration > 0 ? (root + rate) / s->acceleration
                                           : INFINITY;
        wait = lesser(wait, one);
    }
    return wait;
}

/* The time for which the two certainly stay farther apart than `far`; 0: they are closer now.
 *
 * Nodes with the same acceleration are |R + W s| apart: the smaller root of a parabola, exactly. If only one falls,
 * |R + W s + A s^2/2| >= |R| - |W| s - |A| s^2/2 bounds that time from below. For a surface it is the first root of
 * a parabola, exactly. */
static inline double separation_wait(const separation *s, double far)
{
    if (s->kind == SEPARATION_BOUND)
        return greater(separation_wait_at_most(s->bound.distance - far, s->bound.approach, s->acceleration),
                       separation_wait_for_slab(s, far));
    if (s->kind == SEPARATION_FROM_SURFACE) return separation_wait_for_surface(s, far);
    double r2 = s->nodes.r2, rw = s->nodes.rw, w2 = s->nodes.w2, rest = r2 - far * far;
    if (rest <= 0) return 0;
    if (s->acceleration > 0) return separation_wait_at_most(rest / (sqrt(r2) + far), sqrt(w2), s->acceleration);
    double root = rw * rw - w2 * rest;
    if (rw >= 0 || root <= 0) return INFINITY;
    return rest / (-rw + sqrt(root));
}

/* The separation of two elements as a bound; by_nominal: slack is set to their tolerances. */
static separation separation_of_elements(const world *w, uint32_t i, uint32_t partner, double t, bool by_nominal,
                                         double *slack);

#endif
