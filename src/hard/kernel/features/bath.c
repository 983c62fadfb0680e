/* A heat bath at rest, after Andersen (J. Chem. Phys. 72, 2384 (1980)): now and then a body meets it, and goes on with
 * a velocity (and spin) drawn anew from Maxwell's distribution. The times between are exponential: a Poisson process a
 * body. Draws are keyed by the body's number and that of the kick, so that they depend on nothing else. */
#include "hard/kernel/features/bath.h"
#include "base/memory.h"
#include "base/random.h"
#include "hard/kernel/features/rough.h"
#include "hard/kernel/narrow/flight.h"

/* A true time from now until the next kick, in local units. */
static real draw_wait(const gas *g, uint32_t i)
{
    const random_key key = {g->scene->seed, RANDOM_WAIT};
    double wait = -log1p(-random_uniform(key, g->id[i], g->bath->kicks[i])) / g->settings->thermostat.rate;
    return real_ldexp((real)wait, (int)-g->scale);
}

static void draw_normals(const gas *g, uint32_t i, double normal[6])
{
    const random_key key = {g->scene->seed, RANDOM_KICK};
    for (uint64_t pair = 0; pair < 3; pair++)
        random_normal2(key, g->id[i], 3 * g->bath->kicks[i] + pair, normal + 2 * pair);
}

static bool bath_create(gas *g)
{
    if (g->settings->thermostat.rate == 0) return true;
    heat_bath *b = g->bath = NEW_ARRAY(1, heat_bath);
    if (b == NULL) return false;
    b->next = NEW_ARRAY(g->count, real);
    b->kicks = NEW_ARRAY(g->count, uint64_t);
    return b->next != NULL && b->kicks != NULL;
}

static void bath_destroy(gas *g)
{
    if (g->bath == NULL) return;
    memory_free(g->bath->next);
    memory_free(g->bath->kicks);
    memory_free(g->bath);
}

static void bath_start(gas *g)
{
    for (uint32_t i = 0; g->bath != NULL && i < g->count; i++) g->bath->next[i] = draw_wait(g, i);
}

static void bath_kick(gas *g, uint32_t i, real t)
{
    const double temperature = g->settings->thermostat.temperature, mass = mass_of(g, i);
    const double scale = ldexp(1, (int)g->scale);
    double normal[6];
    fly(g, i, t);
    const double before = rough_energy(g, i);
    draw_normals(g, i, normal);
    for (int k = 0; k < DIM; k++) g->body[i].v[k] = (real)(sqrt(temperature / mass) * normal[k] * scale);
    for (int k = 0; g->spin != NULL && k < TURN; k++)
        g->spin[i][k] = (real)(sqrt(temperature / rough_inertia(g, i)) * normal[3 + k] * scale);
    fly_farther(g, i);
    g->bath->kicks[i]++;
    g->bath->next[i] = t + draw_wait(g, i);
    g->events[EVENT_FORCE]++;
    g->tallies.supplied += (rough_energy(g, i) - before) / (scale * scale);
}

static void bath_rebase(gas *g, uint32_t i, real t)
{
    g->bath->next[i] -= t;
}

static void bath_rescale(gas *g, uint32_t i, int bits)
{
    g->bath->next[i] = real_ldexp(g->bath->next[i], -bits);
}
