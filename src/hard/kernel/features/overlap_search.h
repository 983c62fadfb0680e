/* Search for the time at which the overlap function f of a body and an exact surface becomes 0.
 *
 * Each kind of surface has a function that computes f, f' and a lower bound of f'' at some time. Within a time w the
 * velocity changes by at most |a| w and the position by at most (|v| + |a| w) w, which limits the decrease of f''. A
 * parabola therefore lies below f, and its root is at or before the contact. The search continues from there. The steps
 * converge from the left like Newton's method, and miss no root. A body that overlaps and separates continues to
 * separate until the minimum of that parabola.
 *
 * This applies to f = +-(p.p - s^2), with the position p of the body relative to a centre or an axis, if gravity acts
 * or the surface moves. */
#ifndef CAROM_HARD_KERNEL_OVERLAP_SEARCH_H
#define CAROM_HARD_KERNEL_OVERLAP_SEARCH_H

#include "geometry/contact.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/sleepers.h"

/* The overlap function at some time, and bounds. */
typedef struct overlap_bound {
    bool inside;
    real contact; /* s */
    real overlap; /* f */
    real rate;    /* f' / 2 */
    real curve;   /* lower bound of f'' / 2 */
    real speed, place, pull;
    real growing; /* v.a, the growth of the curvature */
    real left;    /* local time for which the bounds hold */
    bool ends;    /* the bounds are unknown after that time; otherwise nothing oscillates and they hold for all times */
} overlap_bound;

typedef void overlap_bound_at(const gas *g, uint32_t i, const exact_surface *of, real dt, overlap_bound *a);

/* Largest decrease of f'' / 2 within a time w. */
static inline real overlap_curve_decrease(const overlap_bound *v, real w)
{
    const real faster = v->pull * w, further = (v->speed + faster) * w;
    return faster * (2 * v->speed + faster) + further * v->pull;
}

/* Time at which f reaches 0 or, if it is there already, begins to decrease, for a constant f'' / 2 = curve. */
static inline real overlap_turn_or_root(const overlap_bound *v, real curve)
{
    if (v->overlap > 0) return contact_parabola(curve, v->rate, v->overlap);
    return curve < 0 ? v->rate / -curve : REAL_NEVER;
}

static inline real shorter(real a, real b)
{
    return a < b ? a : b;
}

/* Step that does not pass the event. */
static inline real overlap_step(const overlap_bound *v)
{
    if (v->pull == 0) return shorter(overlap_turn_or_root(v, v->curve), v->left);
    const bool parts = !v->inside && v->rate >= 0 && v->curve >= 0 && v->growing >= 0;
    if (parts && !v->ends) return REAL_NEVER;
    real window = v->speed / v->pull + real_sqrt(later(v->place, v->contact) / v->pull);
    window = shorter(shorter(window, v->left), overlap_turn_or_root(v, v->curve));
    const real first = shorter(overlap_turn_or_root(v, v->curve - overlap_curve_decrease(v, window)), window);
    window = (window + first) / 2;
    return later(first, shorter(overlap_turn_or_root(v, v->curve - overlap_curve_decrease(v, window)), window));
}

/* Smallest step, if steps are below rounding. */
static inline real overlap_least_step(const gas *g, uint32_t i, real dt, const overlap_bound *v)
{
    const real grain = REAL_GRAIN * (real_fabs(g->body[i].t) + dt), way = REAL_GRAIN * v->contact;
    return later(grain, time_of_way(way, v->speed, v->pull));
}

/* Local time of the contact, if it is not after `until`. */
static inline real overlap_search(const gas *g, uint32_t i, const exact_surface *of, real until, overlap_bound_at *look)
{
    const real start = g->body[i].t;
    real dt = 0;
    for (int n = 0; n < MOST_SEARCH_STEPS && start + dt <= until; n++) {
        overlap_bound v;
        look(g, i, of, dt, &v);
        if (v.overlap <= 0 && v.rate < 0) return start + dt;
        real step = overlap_step(&v);
        if (!(step < REAL_NEVER)) return REAL_NEVER;
        if (!(dt + step > dt)) { /* the resolution of time is reached */
            if (v.overlap > 0 && v.rate < 0 && v.left > step) return start + dt;
            step = later(overlap_least_step(g, i, dt, &v), REAL_GRAIN * (real_fabs(start) + dt));
        }
        dt += step;
    }
    return start + dt <= until ? start + dt : REAL_NEVER;
}

/* Whether gravity or the motion of the surface curves the path of body i relative to it. Otherwise f is a parabola. */
static inline bool overlap_is_curved(const gas *g, uint32_t i, const exact_surface *of)
{
    return of->motion != NULL || (of->pulled && (g->sleep == NULL || !g->sleep->asleep[i]));
}

/* Whether a contact before local time `than` is excluded. No path is longer than a straight fall with initial `speed`.
 * `far` is the distance of the body from contact, `size` that of the surface. For surfaces at rest only
 * (overlap_may_skip). */
static inline bool overlap_not_before(const gas *g, uint32_t i, const exact_surface *of, real than, real far, real size,
                                      real speed)
{
    const real gap = BOUND_SHARE * far;
    if (gap <= CONTACT_ROUNDING * size) return false;
    const real pull = of->pulled ? real_sqrt(dot(g->gravity, g->gravity)) : 0, dt = than - g->body[i].t;
    return (speed + pull * dt / 2) * dt < gap;
}

static inline bool overlap_may_skip(const gas *g, const exact_surface *of, real than)
{
    return of->motion == NULL && g->growth == 0 && than < REAL_NEVER;
}

#endif
