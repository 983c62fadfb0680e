/* Clocks: conversion of local and true time, and the local time after which the rounding of flights becomes too
 * large. */
#include "hard/kernel/clock.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/totals.h"

static double gas_true_time(const gas *g, real local)
{
    return g->origin + (g->origin_low + ldexp((double)local, (int)g->scale));
}

static real gas_local_time(const gas *g, double time)
{
    real_wide since = (real_wide)time - (real_wide)g->origin - (real_wide)g->origin_low;
    return real_ldexp((real)since, (int)-g->scale);
}

/* Longest permitted flight between two re-basings; 0 if no axis is periodic. */
static real far_way(const gas *g)
{
    real longest = 0;
    for (int k = 0; k < DIM; k++) longest = later(longest, g->box[k]);
    return FAR * longest;
}

static real far_at_speed(const gas *g, real speed)
{
    const real way = far_way(g), slide = g->shear != NULL ? real_fabs(g->shear->slide) : 0;
    real time = way / (speed + slide);
    if (slide * speed > 0) { /* each image passed across the flow adds its velocity */
        const real bent = real_sqrt(way / (slide * speed) * g->box[1]);
        if (bent < time) time = bent;
    }
    return way > 0 && time > 0 && time < REAL_NEVER ? time : REAL_NEVER;
}

static real far_flight(const gas *g)
{
    return far_at_speed(g, fastest(g));
}

static void fly_farther(gas *g, uint32_t i)
{
    if (!g->counts) return; /* a copy: its owner decides */
    const real way = far_way(g), speed = fastest_of(g, i);
    if (way > 0 && speed * (g->far - g->now) > way) g->far = g->now + way / speed;
}
