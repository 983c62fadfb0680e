/* Parallel runs of the engine `hard`: their limits. */
#include "hard/domains.h"

#include <math.h>

#include "hard/settings.h"

const char *hard_undivided(const scene *s)
{
    const hard_settings *settings = s->engine_settings;
    if (settings->collapse.policy == COLLAPSE_SLEEP) return "the collapse policy `sleep`";
    if (s->shaped) return "particles that are not spheres";
    if (settings->shear.rate != 0) return "sheared boxes (hard.shear)";
    if (settings->compression.rate > 0) return "compression (hard.compression)";
    if (settings->reference) return "the reference path (hard.reference)";
    if (settings->detection != DETECTION_STABLE) return "the historic rules of hard.detection";
    if (scene_flows(s)) return "inflow or outflow";
    return NULL;
}

/* A domain of fewer particles, or whose side is shorter (in diameters of the largest particle and the mean one), has
 * so many copies in its halo that its thread gains little (docs/parallel.md). */
enum { FEWEST_OF_DOMAIN = 100000, SHORTEST_SIDE = 20 };

int hard_threads(const scene *s, const initial_state *state, int cores)
{
    const size_t count = state_particles(state);
    double largest = 0, sum = 0, room = 1;
    if (count == 0 || hard_undivided(s) != NULL || s->output.events.given) return 1;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, state->diameter[i]);
        sum += state->diameter[i];
    }
    const double shortest = SHORTEST_SIDE * (largest + sum / (double)count);
    for (int k = 0; k < s->dimension; k++) room *= state->size[k];
    const double most = fmin((double)count / FEWEST_OF_DOMAIN, room / pow(shortest, s->dimension));
    return most < 2 ? 1 : (int)fmin(most, cores);
}
