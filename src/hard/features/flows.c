/* Particles that enter and leave during the run: refused combinations, and rates without limit. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/where.h"

#include <math.h>

static carom_status refuse(const scene *s, const char *key, const char *what, const char *why, error *e)
{
    return scene_refuse(scene_at(s, "%s", key), e,
                        "%s cannot be combined with inflow and outflow in the engine `hard`: %s" HINT
                        "leave out one of them",
                        what, why);
}

static carom_status check_flows(const scene *s, error *e)
{
    const hard_settings *h = s->engine_settings;
    const char *links = "they link particles by number";
    if (!scene_flows(s)) return CAROM_OK;
    if (h->detection != DETECTION_STABLE)
        return refuse(s, "hard.detection", "this rule of hard.detection", "it is for comparisons in closed systems", e);
    if (h->thermostat.rate > 0)
        return refuse(s, "hard.thermostat", "hard.thermostat", "its kicks need a constant number of particles", e);
    if (h->compression.rate > 0)
        return refuse(s, "hard.compression", "hard.compression", "the regions would not shrink with the box", e);
    if (h->shear.rate != 0) return refuse(s, "hard.shear", "hard.shear", "the regions would not move with the flow", e);
    if (s->potential_count > 0) return refuse(s, "potentials", "potentials", links, e);
    if (s->bonds_count > 0) return refuse(s, "bonds", "bonds", links, e);
    if (s->shaped)
        return refuse(s, "species", "particles that are not spheres", "only spheres are tested for overlaps", e);
    return CAROM_OK;
}

/* ---- rates ------------------------------------------------------------------------------------------------------- */

/* The time in which a particle of the entries from `first` to before `end` moves by its diameter: by its velocity, or by a fall. */
static double time_of_a_way(const scene *s, const initial_state *state, size_t first, size_t end)
{
    double pull = 0, least = INFINITY;
    for (int k = 0; k < s->dimension; k++) pull += s->gravity[k] * s->gravity[k];
    for (size_t i = first; i < end; i++) {
        double speed = 0;
        for (int k = 0; k < s->dimension; k++) speed += state->velocity[i][k] * state->velocity[i][k];
        least = fmin(least, fmin(state->diameter[i] / sqrt(speed), sqrt(2 * state->diameter[i] / sqrt(pull))));
    }
    return least;
}

/* Exchange more often than this would only take time: without a limit, a run might not end. */
static const double SHARE_OF_WAY = 1e-6;

static carom_status check_rate(const scene *s, const initial_state *state, size_t entry, size_t first, error *e)
{
    const scene_particles *p = &s->particles[entry];
    const double least = SHARE_OF_WAY * time_of_a_way(s, state, first, first + p->count);
    if (!isfinite(least))
        return scene_refuse(scene_at(s, "particles.%zu.place", entry), e,
                            "the particles of the inflow would stay where they enter: they have no velocity, and there "
                            "is no gravity" HINT "give them a velocity");
    if (p->inflow_rate * least <= 1) return CAROM_OK;
    return scene_refuse(scene_at(s, "particles.%zu.place", entry), e,
                        "a rate of %.6g is more than one particle in the time, %.6g, in which one moves by a millionth "
                        "of its diameter: choose at most %.6g",
                        p->inflow_rate, least, 1 / least);
}

double hard_least_interval(const scene *s, const initial_state *state)
{
    return SHARE_OF_WAY * time_of_a_way(s, state, 0, state_particles(state));
}

carom_status hard_check_interval(scene_spot at, double every, double least, error *e)
{
    if (every >= least || !isfinite(least)) return CAROM_OK;
    return scene_refuse(at, e,
                        "an interval of %.6g is less than the time, %.6g, in which a particle moves by a millionth of "
                        "its diameter: choose at least that",
                        every, least);
}

static carom_status check_rates(const scene *s, const initial_state *state, error *e)
{
    size_t at = 0;
    const double least = hard_least_interval(s, state);
    if (s->until.rest.every > 0)
        TRY(hard_check_interval(scene_at(s, "run.until.rest.every"), s->until.rest.every, least, e));
    if (!scene_flows(s) || state->absent == NULL) return CAROM_OK;
    for (size_t k = 0; k < s->particles_count; k++) {
        if (s->particles[k].place != PLACE_INFLOW) continue;
        while (at < state_particles(state) && !state->absent[at]) at++;
        TRY(check_rate(s, state, k, at, e));
        at += s->particles[k].count;
    }
    for (size_t k = 0; k < s->outflow_count; k++)
        TRY(hard_check_interval(scene_at(s, "outflow.%zu.every", k), s->outflows[k].every, least, e));
    return CAROM_OK;
}

const feature_checks hard_feature_flows = {.check = check_flows, .check_state = check_rates};
