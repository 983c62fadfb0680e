/* When does the overlap function f of a body and an exact surface fall to 0? Each kind of surface has a function `look`
 * that tells f, f' and a lower bound of f'' at some time, which holds for a while: f'' sinks by no more than what the
 * acceleration allows, as velocity and place change by no more than |a| w and (|v| + |a| w) w in a time w. So a parabola
 * lies below f, whose root comes before the contact, or is it. From there one looks again: the steps converge as Newton's
 * do, from the left, and jump over no root. A body that overlaps and parts does so until that parabola turns.
 *
 * This is for f = +-(p.p - s^2), p the place of the body as seen from a centre or an axis, where gravity pulls or the
 * surface moves. */
#ifndef CAROM_HARD_KERNEL_OVERLAP_SEARCH_H
#define CAROM_HARD_KERNEL_OVERLAP_SEARCH_H

#include "geometry/contact.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/sleepers.h"

/* What there is at some time, and what its acceleration is at most. */
typedef struct overlap_bound {
    bool inside;
    real contact; /* s */
    real overlap; /* f */
    real rate;    /* f' / 2 */
    real curve;   /* f'' / 2, at least */
    real speed, place, pull;
    real growing; /* v.a */
    real left;    /* local time for which the bounds hold */
    bool ends;    /* nothing is known of what comes then; or nothing swings, and all of it is */
} overlap_bound;

typedef void overlap_bound_at(const gas *g, uint32_t i, const exact_surface *of, real dt, overlap_bound *a);

/* By how much f'' / 2 may sink in a time w. */
static inline real overlap_curve_decrease(const overlap_bound *v, real w)
{
    const real faster = v->pull * w, further = (v->speed + faster) * w;
    return faster * (2 * v->speed + faster) + further * v->pull;
}

/* When f gets to 0, or where it is there already begins to fall, if its curve is that. */
static inline real overlap_turn_or_root(const overlap_bound *v, real curve)
{
    if (v->overlap > 0) return contact_parabola(curve, v->rate, v->overlap);
    return curve < 0 ? v->rate / -curve : REAL_NEVER;
}

static inline real shorter(real a, real b)
{
    return a < b ? a : b;
}

/* How far to go ahead: surely not beyond the event. */
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

/* The least by which time goes on, where steps get lost in rounding. */
static inline real overlap_least_step(const gas *g, uint32_t i, real dt, const overlap_bound *v)
{
    const real grain = REAL_GRAIN * (real_fabs(g->body[i].t) + dt), way = REAL_GRAIN * v->contact;
    return later(grain, v->speed > 0 ? way / v->speed : v->pull > 0 ? real_sqrt(way / v->pull) : 0);
}

/* Local time of the contact, where that is not after `until`. */
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
        if (!(dt + step > dt)) { /* as near as time can tell */
            if (v.overlap > 0 && v.rate < 0 && v.left > step) return start + dt;
            step = later(overlap_least_step(g, i, dt, &v), REAL_GRAIN * (real_fabs(start) + dt));
        }
        dt += step;
    }
    return start + dt <= until ? start + dt : REAL_NEVER;
}

/* Does gravity bend the way of body i past the surface, or does that move? Else f is a parabola. */
static inline bool overlap_is_curved(const gas *g, uint32_t i, const exact_surface *of)
{
    return of->motion != NULL || (of->pulled && (g->sleep == NULL || !g->sleep->asleep[i]));
}

/* May a contact come before local time `than`? No body covers more ground than falling straight on, at `speed` now; `far`
 * is its distance from the contact, and `size` that of the surface. Only where it stands still (overlap_may_skip). */
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
