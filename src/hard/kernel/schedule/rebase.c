/* Re-basing of clocks: it keeps local times small and velocities near 1. */
#include "hard/kernel/schedule/rebase.h"
#include "hard/kernel/broad/order.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/response/tallies.h"
#include "hard/kernel/totals.h"

static uint64_t rebase_after(const gas *g)
{
    const uint64_t often = (uint64_t)EVENTS_PER_BODY * g->count;
    return often > FEWEST_EVENTS ? often : FEWEST_EVENTS;
}

static bool rebase_due(const gas *g)
{
    return g->since_rebase >= rebase_after(g);
}

/* The span decays, except while a body collides as often as in a collapse. The detection of a collapse uses the
 * rounding of time, which is that of the span. */
static real span_decay(const gas *g)
{
    const real since = (real)g->since_rebase, few = 4 * (real)g->settings->collapse.count;
    return since < few / 2 ? 1 - since / few : (real)0.5;
}

/* Adds to the origin, with the rounding error in a second number (two-sum). */
static void move_origin(gas *g, double by)
{
    double low = g->origin_low + by, sum = g->origin + low, part = sum - g->origin;
    g->origin_low = (g->origin - (sum - part)) + (low - part);
    g->origin = sum;
}

static void bring_to(gas *g, uint32_t i, real t)
{
    body *b = &g->body[i];
    fly(g, i, t);
    b->t = 0;
    if (g->stall.any) g->stall.time[i] -= t;
}

static void remove_drift(gas *g, real velocity[DIM])
{
    const real mass = total_mass(g);
    for (int k = 0; k < DIM; k++) {
        const real drift = g->free_axis[k] ? total_momentum(g, k) / mass : 0;
        for (uint32_t i = 0; i < g->count; i++) g->body[i].v[k] -= drift;
        if (velocity != NULL) velocity[k] = drift;
    }
}

static int exponent_of(const gas *g, double speed)
{
    int exponent = g->base_exponent;
    if (speed > 0) frexp(speed, &exponent);
    return exponent;
}

static int exponent_of_speed(const gas *g)
{
    return exponent_of(g, rms_speed(g));
}

/* Powers of two by which the velocities have decreased; 0 where they are not rescaled. */
static int cooled_bits(const gas *g, int exponent)
{
    const bool may_cool =
        !g->has_gravity && g->growth == 0 && g->motions == NULL; /* the time of driven boundaries is not scaled */
    return may_cool ? g->base_exponent - exponent : 0;
}

/* Multiplies velocities and divides times by 2^bits. The drift of the centre of mass by rounding is removed before. */
static void rescale(gas *g, int bits)
{
    remove_drift(g, NULL);
    for (uint32_t i = 0; i < g->count; i++) {
        for (int k = 0; k < DIM; k++) g->body[i].v[k] = real_ldexp(g->body[i].v[k], bits);
        if (g->stall.any) g->stall.time[i] = real_ldexp(g->stall.time[i], -bits);
    }
    features_rescale(g, bits);
    g->stall.span = real_ldexp(g->stall.span, -bits);
    g->scale += bits;
}

static void apply_growth(gas *g, real t)
{
    for (uint32_t k = 0; k < g->kind_count; k++) g->radius[k] *= 1 + g->growth * t;
    g->grow_to /= 1 + g->growth * t;
    g->growth /= 1 + g->growth * t;
}

static void rebase_clock(gas *g)
{
    const real t = g->now;
    tallies_collect(&g->tallies);
    features_rebase(g, t);
    if (g->compression == NULL) apply_growth(g, t); /* otherwise the box shrinks */
    move_origin(g, ldexp((double)t, (int)g->scale));
    g->now = g->last_event = 0;
    g->stall.span = later(t, g->stall.span * span_decay(g));
    g->since_rebase = 0;
    g->events[EVENT_REBASE]++;
}

static void rebase_speeds(gas *g)
{
    const int cooled = cooled_bits(g, exponent_of_speed(g));
    if (cooled >= COOLED_BITS) rescale(g, cooled);
    g->far = far_flight(g);
    features_rebased(g);
}

static void rebase(gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) bring_to(g, i, g->now);
    rebase_clock(g);
    order_bodies(g);
    rebase_speeds(g);
}
