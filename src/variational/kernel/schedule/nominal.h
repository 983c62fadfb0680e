/* Nominal motions, which make a kick cost little.
 *
 * Each node has a *nominal* motion, a parabola or a straight line that it keeps within `tau` of. Certificates are
 * computed for nominal motions, each layer begun earlier by the two tolerances, so that a kick makes none of them wrong
 * as long as the flights of its nodes stay within their bounds. A layer that wakes early exerts no force: when it wakes
 * changes the cost and not the motion.
 *
 * The flight bound: let d be a node's deviation from its nominal motion, a their difference in acceleration. Over a
 * stretch from `start` to `until` L(t) = d(t) + a (t - start)(until - t) / 2 is a straight line between kicks, since
 * L'' = d'' - a = 0, and it is continuous. |d - L| <= |a| (until - start)^2 / 8. So if |L| <= R = tau - |a| (until -
 * start)^2 / 8 at the start, and after each kick the flight goes to a point with |L(until)| = |d(until)| <= R, then by
 * convexity |L| <= R and |d| <= tau throughout. After a kick one look at where the flight will be at `until` is all
 * that is needed. */
#ifndef CAROM_VARIATIONAL_NOMINAL_H
#define CAROM_VARIATIONAL_NOMINAL_H

#include "variational/kernel/world.h"

/* Whether node i, just kicked, still ends its stretch within the ball. */
static inline bool flight_bound_holds(const world *w, uint32_t i)
{
    const node *a = &w->node[i];
    const flight_bound *l = &w->flights.flight_bound[i];
    double s = l->until - a->t, sum = 0;
    for (int k = 0; k < DIM; k++) {
        double off = a->x[k] + s * (a->v[k] + s * w->domain.half_gravity[k]) - l->centre[k];
        sum += off * off;
    }
    return sum <= l->radius2;
}

static inline void nominal_at(const world *w, uint32_t i, double t, double x[DIM], double v[DIM])
{
    const nominal *n = &w->flights.nominal[i];
    double dt = t - n->t;
    for (int k = 0; k < DIM; k++) {
        double g = n->straight ? 0 : w->domain.gravity[k];
        x[k] = n->x[k] + dt * (n->v[k] + 0.5 * dt * g);
        v[k] = n->v[k] + dt * g;
    }
}

#endif
