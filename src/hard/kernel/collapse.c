/* Inelastic collapse: infinitely many collisions in a finite time. A body that collides many times while the clock
 * does not advance beyond its own rounding is in it. */
#include "hard/kernel/flight.h"

/* What the clock may come forward, in so many collisions, by its rounding alone: a ball at rest can make a collision a
 * grain, again and again; what slides one in the time in which its rounding brings it nearer. */
static real standstill(const gas *g, real slid)
{
    const uint64_t counted = 2 * g->settings->collapse.count, grains = counted > 64 ? counted : 64;
    return (real)grains * later(REAL_GRAIN * (g->now + g->span), slid);
}

bool collapse_watch(gas *g, uint32_t i, real t, real before)
{
    if (t - before > later(standstill(g, 0), g->slid)) {
        if (g->ellipsoids != NULL) g->stall_count[i] = 0; /* who slides does nothing else */
        return true;
    }
    if (g->stall_count[i] == 0 || t - g->stall_time[i] > standstill(g, g->slid)) {
        g->stall_time[i] = before;
        g->stall_count[i] = 1;
        g->stalls = true;
    }
    return ++g->stall_count[i] <= g->settings->collapse.count;
}

/* What to do: a policy that can be had, or more of the one in force. */
static void advise(const gas *g, error *e)
{
    const hard_settings *h = g->settings;
    const bool sleeps =
        g->has_gravity && !g->scene->rough && g->steps == NULL && g->bath == NULL && h->detection == DETECTION_STABLE;
    switch (h->collapse.policy) {
    case COLLAPSE_STOP:
        error_add(
            e, CAROM_DYNAMICS,
            "choose what happens then with `hard: {collapse: {policy: tc | cutoff%s}}` (carom help hard.collapse), "
            "and start anew",
            sleeps ? " | sleep" : "");
        return;
    case COLLAPSE_TC:
        error_add(
            e, CAROM_DYNAMICS,
            "hard.collapse.tc, %g, is too short to end it: give a longer one or a larger restitution, and start anew",
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

void collapse_report(const gas *g, uint32_t i, error *e)
{
    enum { NAMED = 12 };
    error_set(e, CAROM_DYNAMICS,
              "error: inelastic collapse at time %.17g: particle %u has collided %llu times while time stood still; "
              "involved:",
              gas_true_time(g, g->now), g->id[i], (unsigned long long)g->settings->collapse.count);
    unsigned named = 0, more = 0;
    for (uint32_t j = 0; j < g->count; j++) {
        if (g->stall_count[j] * 4ull < g->settings->collapse.count) continue;
        if (g->now - g->stall_time[j] > standstill(g, g->slid)) continue;
        if (named++ >= NAMED) {
            more++;
            continue;
        }
        real r[DIM];
        position_at(g, j, g->now, r);
        error_add(e, CAROM_DYNAMICS, "  particle %u at %.9g %.9g %.9g: %u collisions", g->id[j], (double)r[0],
                  (double)r[1], DIM == 3 ? (double)r[DIM - 1] : 0.0, g->stall_count[j]);
    }
    if (more > 0) error_add(e, CAROM_DYNAMICS, "  ... and %u more", more);
    advise(g, e);
}
