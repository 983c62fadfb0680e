/* Detection of inelastic collapse (infinitely many collisions in a finite time) and of runs without progress.
 *
 * A body is in collapse if it collides many times while time advances by no more than its rounding. If collisions are
 * elastic, or slightly less frequent, time may advance so slowly that the run does not end. */
#include "hard/kernel/response/collapse.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/totals.h"

#include <stdio.h>

/* Largest time that the collisions of a collapse can take, by rounding alone: a sphere at rest can collide once in each
 * rounding of time; a sliding one once in the time in which rounding brings it nearer. */
static real standstill(const gas *g, real slid)
{
    const uint64_t counted = 2 * g->settings->collapse.count,
                   grains = counted > FEWEST_GRAINS ? counted : FEWEST_GRAINS;
    return (real)grains * later(REAL_GRAIN * (g->now + g->stall.span), slid);
}

static bool collapse_watch(gas *g, uint32_t i, real t, real before)
{
    if (t - before > later(standstill(g, 0), g->stall.sliding_time)) {
        if (g->shapes != NULL) g->stall.count[i] = 0; /* a sliding body has no other collisions */
        return true;
    }
    if (g->stall.count[i] == 0 || t - g->stall.time[i] > standstill(g, g->stall.sliding_time)) {
        g->stall.time[i] = before;
        g->stall.count[i] = 1;
        g->stall.any = true;
    }
    return ++g->stall.count[i] <= g->settings->collapse.count;
}

static bool may_sleep(const gas *g)
{
    return g->has_gravity && g->stepped == NULL && g->thermostat == NULL && is_stable(g);
}

/* Advice: an available policy, or a larger value for the present one. */
static void advise(const gas *g, error *e)
{
    const hard_settings *h = g->settings;
    const bool sleeps = may_sleep(g);
    switch (h->collapse.policy) {
    case COLLAPSE_STOP:
        error_add(e, CAROM_DYNAMICS,
                  "choose a policy with `hard: {collapse: {policy: tc | cutoff%s}}` (carom help hard.collapse), "
                  "and start anew",
                  sleeps ? " | sleep" : "");
        return;
    case COLLAPSE_TC:
        error_add(e, CAROM_DYNAMICS,
                  "hard.collapse.tc, %g, is too short to end it: give a longer one or a larger restitution, or choose "
                  "`policy: cutoff`, and start anew",
                  h->collapse.tc);
        return;
    case COLLAPSE_CUTOFF:
    case COLLAPSE_SLEEP:
        error_add(e, CAROM_DYNAMICS,
                  "hard.collapse.speed, %g, is too low to end it: give a higher one or a larger restitution, and start "
                  "anew",
                  h->collapse.speed);
        return;
    }
}

static bool is_involved(const gas *g, uint32_t i)
{
    return g->stall.count[i] * 4ull >= g->settings->collapse.count &&
           g->now - g->stall.time[i] <= standstill(g, g->stall.sliding_time);
}

/* Index of the body with the smallest id from `least` on that is involved; g->count: none. */
static uint32_t next_involved(const gas *g, uint32_t least)
{
    uint32_t found = g->count;
    for (uint32_t i = 0; i < g->count; i++)
        if (g->id[i] >= least && (found == g->count || g->id[i] < g->id[found]) && is_involved(g, i)) found = i;
    return found;
}

static void collapse_report(const gas *g, uint32_t i, error *e)
{
    enum { NAMED = 12 };
    error_set(
        e, CAROM_DYNAMICS,
        "error: inelastic collapse at time %.17g: particle %u has collided %llu times without progress of simulated "
        "time; involved:",
        gas_true_time(g, g->now), g->id[i], (unsigned long long)g->settings->collapse.count);
    uint32_t involved = 0, named = 0;
    for (uint32_t j = 0; j < g->count; j++) involved += is_involved(g, j);
    for (uint32_t j = next_involved(g, 0); j < g->count && named < NAMED; j = next_involved(g, g->id[j] + 1), named++) {
        real r[DIM];
        position_at(g, j, g->now, r);
        char third[32] = "";
        if (DIM == 3) snprintf(third, sizeof third, " %.9g", (double)r[DIM - 1]);
        error_add(e, CAROM_DYNAMICS, "  particle %u at %.9g %.9g%s: %u collisions", g->id[j], (double)r[0],
                  (double)r[1], third, g->stall.count[j]);
    }
    if (involved > named) error_add(e, CAROM_DYNAMICS, "  ... and %u more", involved - named);
    advise(g, e);
}

/* ---- no progress ------------------------------------------------------------------------------------------------- */

static real smallest_diameter(const gas *g)
{
    real least = REAL_NEVER;
    for (uint32_t k = 0; k < g->kind_count; k++)
        if (2 * g->radius[k] < least) least = 2 * g->radius[k];
    return least;
}

/* The smaller of two times: of a fall by the smallest diameter, and of a flight over it at the mean speed. */
static real natural_time(const gas *g)
{
    const real way = smallest_diameter(g), fall = real_sqrt(way / real_sqrt(dot(g->gravity, g->gravity)));
    const real square = total_square(g);
    return fall * fall * square > way * way * (real)g->count ? way * real_sqrt((real)g->count / square) : fall;
}

/* Number of physical events in that time, at the present rate. */
static double events_ahead(const gas *g)
{
    return (double)g->since_rebase * (double)(natural_time(g) / g->now);
}

/* Whether the number of collisions ahead exceeds a day of computation, and the number that a load can explain: a bed
 * with policy `tc` has about 1 / tc for each body. Only under gravity: without it the rate of a cooling or compressed
 * gas may grow without bound. */
static double most_events_ahead(const gas *g)
{
    return fmax(MOST_EVENTS_AHEAD, MOST_EVENTS_AHEAD_OF_BODY * (double)g->count);
}

/* A condition for this that needs no sum over the bodies. */
static bool is_slow_stage(const gas *g)
{
    const real fall = real_sqrt(smallest_diameter(g) / real_sqrt(dot(g->gravity, g->gravity)));
    return (double)g->since_rebase * (double)fall > most_events_ahead(g) * (double)g->now;
}

static bool is_stalled(const gas *g)
{
    return is_slow_stage(g) && events_ahead(g) > most_events_ahead(g);
}

static bool may_be_stalled(const gas *g)
{
    return g->has_gravity && g->compression == NULL && g->growth == 0 && is_slow_stage(g);
}

static bool progress_watch(gas *g)
{
    if (!g->has_gravity || g->compression != NULL || g->growth != 0) return true;
    g->stall.slow_events = is_stalled(g) ? g->stall.slow_events + g->since_rebase : 0;
    const uint64_t most = SLOW_ROWS * g->settings->collapse.count * g->count;
    return g->stall.slow_events <= (most > FEWEST_SLOW_EVENTS ? most : FEWEST_SLOW_EVENTS);
}

static carom_status progress_report(const gas *g, error *e)
{
    const hard_collapse *c = &g->settings->collapse;
    error_set(e, CAROM_DYNAMICS,
              "error: no progress at time %.17g: the particles rest on each other with gaps near rounding, and %.2g "
              "collisions would occur in the time, %.3g, of a fall by a diameter",
              gas_true_time(g, g->now), events_ahead(g), ldexp((double)natural_time(g), (int)g->scale));
    if (c->policy == COLLAPSE_TC)
        error_add(e, CAROM_DYNAMICS,
                  "hard.collapse.tc, %g, makes collisions at this rate elastic, so that they do not end", c->tc);
    if (c->policy == COLLAPSE_CUTOFF)
        error_add(e, CAROM_DYNAMICS,
                  "hard.collapse.speed, %g, makes collisions at this speed elastic, so that they do not end", c->speed);
    return error_add(e, CAROM_DYNAMICS,
                     "start the particles apart (gaps of 1e-6 diameters and more)%s; or choose `engine: variational`, "
                     "with contacts of finite duration",
                     may_sleep(g) ? ", or choose `hard: {collapse: {policy: sleep}}`" : "");
}
