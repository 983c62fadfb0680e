/* How a kick costs little: nominal motions.
 *
 * Each node has a *nominal* motion, a parabola or a straight line that it keeps within `tau` of. Certificates are
 * computed for nominal motions, each layer begun earlier by the two tolerances, so that a kick makes none of them wrong
 * as long as its nodes stay on their leashes. A layer that wakes early exerts no force: when it wakes changes the cost
 * and not the motion.
 *
 * The leash: let d be a node's deviation from its nominal motion, a their difference in acceleration. Over a stretch
 * from `start` to `until` L(t) = d(t) + a (t - start)(until - t) / 2 is a straight line between kicks, since
 * L'' = d'' - a = 0, and it is continuous. |d - L| <= |a| (until - start)^2 / 8. So if
 * |L| <= R = tau - |a| (until - start)^2 / 8 at the start, and after each kick the flight goes to a point with
 * |L(until)| = |d(until)| <= R, then by convexity |L| <= R and |d| <= tau throughout. After a kick one look at where
 * the flight will be at `until` is all that is needed. */
#ifndef CAROM_VARIATIONAL_FLIGHT_BOUND_H
#define CAROM_VARIATIONAL_FLIGHT_BOUND_H

#include "variational/kernel/world.h"

/* Whether node i, just kicked, still ends its stretch within the ball. */
static inline bool flight_bound_holds(const world *w, uint32_t i)
{
    const node *a = &w->node[i];
    const flight_bound *l = &w->flight_bound[i];
    double s = l->until - a->t, sum = 0;
    for (int k = 0; k < DIM; k++) {
        double off = a->x[k] + s * (a->v[k] + s * w->half_gravity[k]) - l->centre[k];
        sum += off * off;
    }
    return sum <= l->radius2;
}

static inline void nominal_at(const world *w, uint32_t i, double t, double x[DIM], double v[DIM])
{
    const nominal *n = &w->nominal[i];
    double dt = t - n->t;
    for (int k = 0; k < DIM; k++) {
        double g = n->straight ? 0 : w->gravity[k];
        x[k] = n->x[k] + dt * (n->v[k] + 0.5 * dt * g);
        v[k] = n->v[k] + dt * g;
    }
}

/* Whether node i is now within tau of its nominal motion. */
static bool nominal_is_close(const world *w, uint32_t i);

/* KICKED: the flight may leave its ball; EXPIRED: the stretch ends; TOLERANCE_TOO_LARGE: the tolerance is too large for what is
 * near. */
typedef enum pending_why { NOT_PENDING, KICKED, EXPIRED, TOLERANCE_TOO_LARGE } pending_why;

/* Tolerances of a pair may be this much of its gap: it would wake too many layers else. */
#define TOLERATED 0.25

/* A little later than t >= 0, by a few roundings. */
static inline double just_after(double t)
{
    return t * (1 + 0x1p-51) + 0x1p-1000;
}

/* Remembers that node i has to be looked at when all kicks of this moment are done. */
static inline void pending_add_to(world *w, pending_nodes *loose, uint32_t i, pending_why fit)
{
    if (w->pending_reason[i] == NOT_PENDING) loose->at[loose->count++] = i;
    if (w->pending_reason[i] < (uint8_t)fit) w->pending_reason[i] = (uint8_t)fit;
}

static inline void pending_add(world *w, uint32_t i, pending_why fit)
{
    pending_add_to(w, &w->pending, i, fit);
}

/* Looks at them: longer leashes or new nominal motions, with new certificates. */
static carom_status flights_update(world *w, double t, error *e);

/* Sees to all whose leashes or certificates end by `until`, together and now: before then nothing may be kicked. To be
 * early changes the cost and not the motion. */
static carom_status flights_recheck(world *w, double t, double until, error *e);

/* Puts node i into the queue at the end of its leash or its next certificate, whichever is first. */
static void recheck_schedule(world *w, uint32_t i);

/* New nominal motions for all. */
static carom_status flights_renew_all(world *w, double t, error *e);

#endif
