#include "hard/kernel/totals.h"

enum { PARTS = CAROM_REAL == 1 ? 2 : CAROM_REAL == 2 ? 3 : 1 }; /* doubles that represent one real_wide */

typedef real_wide (*body_value)(const gas *g, uint32_t i, int k);

static void add_value(exact_sum *sum, real_wide x)
{
    for (int n = 0; n < PARTS; n++) {
        const double part = (double)x;
        exact_add(sum, part);
        x -= (real_wide)part;
    }
}

/* Rounds the sum to PARTS doubles, which it loses. */
static real_wide take_value(exact_sum *sum)
{
    real_wide value = 0;
    for (int n = 0; n < PARTS; n++) {
        const double part = exact_value(sum);
        value += (real_wide)part;
        exact_add(sum, -part);
    }
    return value;
}

static inline real_wide total(const gas *g, body_value value_of, int k)
{
    exact_sum sum = {.deferred = 0};
    for (uint32_t i = 0; i < g->count; i++) add_value(&sum, value_of(g, i, k));
    return take_value(&sum);
}

static real_wide mass_value(const gas *g, uint32_t i, int k)
{
    (void)k;
    return (real_wide)mass_of(g, i);
}

static real_wide momentum_value(const gas *g, uint32_t i, int k)
{
    return (real_wide)((real)mass_of(g, i) * g->body[i].v[k]);
}

static real_wide square_value(const gas *g, uint32_t i, int k)
{
    (void)k;
    return (real_wide)dot(g->body[i].v, g->body[i].v);
}

static real_wide kinetic_value(const gas *g, uint32_t i, int k)
{
    (void)k;
    return (real_wide)kinetic_of(g, i);
}

static real total_mass(const gas *g)
{
    return (real)total(g, mass_value, 0);
}

static real total_momentum(const gas *g, int k)
{
    return (real)total(g, momentum_value, k);
}

static real total_square(const gas *g)
{
    return (real)total(g, square_value, 0);
}

static double total_kinetic(const gas *g)
{
    return (double)total(g, kinetic_value, 0);
}

/* The exact sum over the bodies of a value that is the same for `count` of them. */
static void add_equal_values(exact_sum *sum, real_wide x, uint32_t count)
{
    for (int n = 0; n < PARTS; n++) {
        const double part = (double)x, all = part * count;
        exact_add(sum, all);
        exact_add(sum, fma(part, count, -all));
        x -= (real_wide)part;
    }
}

static real total_radius(const gas *g)
{
    exact_sum sum = {.deferred = 0};
    for (uint32_t k = 0; k < g->kind_count; k++) add_equal_values(&sum, (real_wide)g->radius[k], g->population[k]);
    return (real)take_value(&sum);
}

static double rms_speed(const gas *g)
{
    return sqrt((double)(total_square(g) / (real)g->count));
}

static void total_add_square(const gas *g, uint32_t i, exact_sum *sum)
{
    add_value(sum, square_value(g, i, 0));
}

static double total_rms(exact_sum *sum, uint32_t count)
{
    return sqrt((double)((real)take_value(sum) / (real)count));
}

static real fastest_of(const gas *g, uint32_t i)
{
    real speed = 0;
    for (int k = 0; k < DIM; k++) speed = later(speed, real_fabs(g->body[i].v[k]));
    return speed;
}

static real fastest(const gas *g)
{
    real speed = 0;
    for (uint32_t i = 0; i < g->count; i++) speed = later(speed, fastest_of(g, i));
    return speed;
}
