/* Nominal motions, which reduce the cost of a kick.
 *
 * Each node has a *nominal* motion, a parabola or a straight line from which its distance is at most `tau`.
 * Certificates are computed for nominal motions, with each layer enlarged by the two tolerances. A kick then
 * invalidates none of them while the flights of its nodes stay within their bounds. A layer that becomes active early
 * exerts no force: the time of its activation changes the cost and not the motion.
 *
 * The flight bound: let d be a node's deviation from its nominal motion, a their difference in acceleration. Over a
 * stretch from `start` to `until` L(t) = d(t) + a (t - start)(until - t) / 2 is a straight line between kicks, since
 * L'' = d'' - a = 0, and it is continuous. |d - L| <= |a| (until - start)^2 / 8. Let R = tau - |a| (until - start)^2
 * / 8. If |L| <= R at the start, and after each kick the flight ends at a point with |L(until)| = |d(until)| <= R,
 * then by convexity |L| <= R and |d| <= tau throughout. After a kick one test of the position at `until` is
 * therefore sufficient. */
#ifndef CAROM_VARIATIONAL_NOMINAL_H
#define CAROM_VARIATIONAL_NOMINAL_H

#include "variational/kernel/world.h"

/* Whether node i, after a kick at time t at place x to velocity v, still ends its stretch within the ball. */
static inline bool flight_bound_holds(const world *w, uint32_t i, double t, components x, components v)
{
    const flight_bound *l = &w->flights.flight_bound[i];
    const double s = l->until - t;
    const components off = x + s * (v + s * components_at(w->domain.half_gravity)) - components_at(l->centre);
    return components_dot(off, off) <= l->radius2;
}

static inline motion nominal_motion(const world *w, uint32_t i, double t)
{
    const nominal *n = &w->flights.nominal[i];
    const double dt = t - n->t;
    const components g = n->straight ? components_of(0) : components_at(w->domain.gravity), v = components_at(n->v);
    return (motion){.x = components_at(n->x) + dt * (v + 0.5 * dt * g), .v = v + dt * g, .falls = !n->straight};
}

static inline void nominal_at(const world *w, uint32_t i, double t, double x[DIM], double v[DIM])
{
    const motion m = nominal_motion(w, i, t);
    components_put(m.x, x);
    components_put(m.v, v);
}

#endif
