/* A heat bath at rest (Andersen, J. Chem. Phys. 72, 2384 (1980)): kicks at random times, each of which draws a new
 * velocity (and spin) from Maxwell's distribution. The kicks of a body are a Poisson process. Random numbers depend
 * only on the number of the body and the count of its kicks. */
#include "hard/kernel/features/thermostat.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/rotation.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/response/tallies.h"

#include "base/random.h"

/* Draws the time until the next kick, in local units. */
static real draw_wait(const gas *g, uint32_t i)
{
    const random_key key = {g->scene->seed, RANDOM_WAIT};
    double wait = -log1p(-random_uniform(key, g->id[i], g->thermostat->kicks[i])) / g->settings->thermostat.rate;
    return real_ldexp((real)wait, (int)-g->scale);
}

static void draw_normals(const gas *g, uint32_t i, double normal[6])
{
    const random_key key = {g->scene->seed, RANDOM_KICK};
    for (uint64_t pair = 0; pair < 3; pair++)
        random_normal2(key, g->id[i], 3 * g->thermostat->kicks[i] + pair, normal + 2 * pair);
}

static bool thermostat_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return g->settings->thermostat.rate != 0;
}

/* Draws the times of the first kicks. */
static void thermostat_start(gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) g->thermostat->next[i] = draw_wait(g, i);
}

static void thermostat_kick(gas *g, uint32_t i, real t)
{
    const double temperature = g->settings->thermostat.temperature, mass = mass_of(g, i);
    const double scale = ldexp(1, (int)g->scale);
    double normal[6];
    fly(g, i, t);
    const double before = energy_of_motion(g, i);
    draw_normals(g, i, normal);
    for (int k = 0; k < DIM; k++) g->body[i].v[k] = (real)(sqrt(temperature / mass) * normal[k] * scale);
    for (int k = 0; g->rotation != NULL && k < TURN; k++)
        g->rotation->spin[i][k] = (real)(sqrt(temperature / inertia_of(g, i)) * normal[3 + k] * scale);
    fly_farther(g, i);
    g->thermostat->kicks[i]++;
    g->thermostat->next[i] = t + draw_wait(g, i);
    count_event(g, EVENT_FORCE);
    tally_supplied(g, (energy_of_motion(g, i) - before) / (scale * scale));
}

/* The bath at rest breaks the symmetry under boosts. */
static bool thermostat_holds(const gas *g, int k)
{
    (void)g;
    (void)k;
    return true;
}

static const body_array thermostat_arrays[] = {
    {"engine/next_kick", BODY_ARRAY(thermostat, next), .kind = ARRAY_TIMES, .hash = HASH_REALS},
    {"engine/kicks", BODY_ARRAY(thermostat, kicks)},
};

static const feature feature_thermostat = {.name = "thermostat",
                                           FEATURE_STATE(thermostat),
                                           .enabled = thermostat_enabled,
                                           FEATURE_ARRAYS(thermostat_arrays),
                                           .feeds = true,
                                           .start = thermostat_start,
                                           .holds = thermostat_holds};
