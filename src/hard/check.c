/* What the engine `hard` refuses: of a scene, and of the initial state. */
#include "hard/check.h"

#include "base/memory.h"
#include "geometry/ball.h"
#include "hard/meshes.h"
#include "hard/settings.h"
#include "scene/exact.h"
#include "scene/planes.h"
#include "scene/where.h"

#include <math.h>
#include <stdio.h>

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static carom_status check_laws(const scene *s, error *e)
{
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].stick_given)
            return scene_refuse(scene_at_law(s, k, "stick"), e,
                                "nothing sticks in the engine `hard`; leave 'stick' out of contacts, or use `engine: "
                                "aggregation`");
    return CAROM_OK;
}

/* Particles are not walls: species of meshes may be thermal. */
static carom_status check_thermal(const scene *s, error *e)
{
    bool *particles = NEW_ARRAY(s->species_count, bool);
    if (particles == NULL) return error_memory(e, "species", s->species_count);
    for (size_t k = 0; k < s->particles_count; k++)
        for (size_t n = 0; n < s->particles[k].share_count; n++) particles[s->particles[k].shares[n].species] = true;
    carom_status status = CAROM_OK;
    for (size_t a = 0; a < s->species_count; a++)
        for (size_t b = a; b < s->species_count; b++) {
            if (s->laws[s->pair_law[a * s->species_count + b]].temperature == 0 || !particles[a] || !particles[b])
                continue;
            status =
                scene_refuse(scene_at_law(s, s->pair_law[a * s->species_count + b], "temperature"), e,
                             "contacts of '%s' and '%s' have a temperature, but both are particles: walls, "
                             "planes%s and meshes may be thermal",
                             s->species[a].name, s->species[b].name, scene_exact_words(s, true, ", ", ", ", "").text);
        }
    memory_free(particles);
    return status;
}

static carom_status check_friction(const scene *s, error *e)
{
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].friction > 0 && s->laws[k].tangential == -1)
            return scene_refuse(
                scene_at_law(s, k, "friction"), e,
                "contacts with friction %g have no 'tangential', which friction limits in `hard`: "
                "give that, too (tangential: 0: contacts that stick lose all of their sliding velocity)",
                s->laws[k].friction);
    return CAROM_OK;
}

static carom_status check_rough(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    if (!s->rough || settings->collapse.policy != COLLAPSE_SLEEP) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                        "hard.collapse.policy is sleep, but the scene has particles that turn: sleepers do "
                        "not; use tc or cutoff, or leave 'tangential' and 'angular_velocity' out");
}

static carom_status check_thermostat(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    const hard_thermostat *t = &settings->thermostat;
    if (t->rate == 0 && t->temperature != 0)
        return scene_refuse(scene_at(s, "hard.thermostat.temperature"), e,
                            "hard.thermostat has a temperature and no rate: give hard.thermostat.rate, how often "
                            "a particle meets the bath");
    if (t->rate > 0 && t->temperature == 0)
        return scene_refuse(scene_at(s, "hard.thermostat.rate"), e,
                            "hard.thermostat has a rate and no temperature: give hard.thermostat.temperature");
    if (t->rate > 0 && settings->collapse.policy == COLLAPSE_SLEEP)
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is sleep, but a thermostat lets no particle rest; use tc or cutoff, "
                            "or leave the thermostat out");
    return CAROM_OK;
}

/* Beside the walls of the box. */
static bool has_boundaries(const scene *s)
{
    return scene_surfaces(s) > 1 || s->mesh_count > 0;
}

static carom_status check_compression(const scene *s, error *e)
{
    const hard_settings *h = s->engine_settings;
    if (h->compression.rate == 0) {
        if (s->until.pressure == 0) return CAROM_OK;
        return scene_refuse(scene_at(s, "run.until.pressure"), e,
                            "run.until.pressure ends runs that compress: give hard.compression.rate");
    }
    char boundaries[300];
    snprintf(boundaries, sizeof boundaries, "planes%s or meshes: only the walls of the box move in",
             scene_exact_words(s, true, ", ", ", ", "").text);
    const char *what = h->thermostat.rate > 0 ? "hard.thermostat: velocities are kept at their temperature anyway"
                       : h->detection != DETECTION_STABLE     ? "hard.detection but stable"
                       : h->collapse.policy == COLLAPSE_SLEEP ? "hard.collapse.policy sleep"
                       : s->rough                             ? "particles that turn"
                       : scene_is_thermal(s)                  ? "thermal walls"
                       : s->potential_count > 0               ? "potentials: they would have to grow, too"
                       : s->bonds_count > 0                   ? "bonds"
                       : has_boundaries(s)                    ? boundaries
                       : scene_has_gravity(s)                 ? "fields.gravity"
                                                              : NULL;
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] == BOUNDARY_OPEN) what = "open boundaries: there is nothing to shrink";
    if (what == NULL) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.compression"), e, "hard.compression does not go with %s", what);
}

/* Of steps beyond contact only the stable rule knows, and sleepers touch only what carries them. */
static carom_status check_steps(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    if (s->potential_count + s->bonds_count == 0) return CAROM_OK;
    const char *what = s->potential_count > 0 ? "potentials" : "bonds";
    if (settings->collapse.policy == COLLAPSE_SLEEP)
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is sleep, but the scene has %s, which sleepers do not feel; "
                            "use tc or cutoff",
                            what);
    if (settings->detection != DETECTION_STABLE)
        return scene_refuse(scene_at(s, "hard.detection"), e, "%s need the stable rule; leave hard.detection out",
                            what);
    return CAROM_OK;
}

static carom_status check_shear(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    const char *fault = NULL;
    char boundaries[300];
    snprintf(boundaries, sizeof boundaries, "there are planes%s or meshes",
             scene_exact_words(s, true, ", ", ", ", "").text);
    if (settings->shear.rate == 0) return CAROM_OK;
    if (scene_has_gravity(s)) fault = "fields.gravity pulls";
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] != BOUNDARY_PERIODIC) fault = "box.boundary is not periodic everywhere";
    if (has_boundaries(s)) fault = boundaries;
    if (settings->compression.rate > 0) fault = "hard.compression shrinks the box";
    if (settings->thermostat.rate > 0) fault = "the bath of hard.thermostat is at rest";
    if (settings->collapse.policy == COLLAPSE_SLEEP) fault = "hard.collapse.policy is sleep";
    if (s->potential_count + s->bonds_count > 0) fault = "there are potentials or bonds";
    if (fault == NULL) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.shear"), e, "hard.shear keeps up a flow between periodic boundaries, but %s",
                        fault);
}

static carom_status check_collapse(const scene *s, error *e)
{
    const hard_collapse *c = &((const hard_settings *)s->engine_settings)->collapse;
    if (c->policy == COLLAPSE_STOP && c->tc > 0)
        return scene_refuse(scene_at(s, "hard.collapse.tc"), e,
                            "hard.collapse.tc does nothing without hard.collapse.policy: tc; give that, too, or leave "
                            "tc out");
    if (c->policy == COLLAPSE_STOP && c->speed > 0)
        return scene_refuse(
            scene_at(s, "hard.collapse.speed"), e,
            "hard.collapse.speed does nothing without hard.collapse.policy: cutoff or sleep; give that, "
            "too, or leave speed out");
    if (c->policy == COLLAPSE_TC && c->tc <= 0)
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is tc: give hard.collapse.tc, the contact duration");
    if (c->policy == COLLAPSE_CUTOFF && c->speed <= 0)
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is cutoff: give hard.collapse.speed, the impact speed below "
                            "which contacts are elastic");
    if (c->policy == COLLAPSE_SLEEP && (c->speed <= 0 || !scene_has_gravity(s)))
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is sleep: give hard.collapse.speed, the impact speed below "
                            "which a contact rests, and fields.gravity");
    return CAROM_OK;
}

static carom_status check_precision(const scene *s, error *e)
{
#ifdef CAROM_HAVE_QUAD
    const bool quad = true;
#else
    const bool quad = false;
#endif
    if (quad || ((const hard_settings *)s->engine_settings)->precision != PRECISION_QUAD) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.precision"), e, "this build has no hard.precision quad; use long_double");
}

static carom_status check_ellipsoids(const scene *s, error *e)
{
    const hard_settings *h = s->engine_settings;
    const struct {
        bool given;
        const char *path, *what;
    } others[] = {{h->detection != DETECTION_STABLE, "hard.detection", " but stable"},
                  {h->collapse.policy == COLLAPSE_SLEEP, "hard.collapse.policy", " sleep: use tc or cutoff"},
                  {h->thermostat.rate > 0, "hard.thermostat", ""},
                  {h->compression.rate > 0, "hard.compression", ""},
                  {h->shear.rate != 0, "hard.shear", ""}};
    for (size_t k = 0; s->ellipsoids && k < sizeof others / sizeof *others; k++)
        if (others[k].given)
            return scene_refuse(scene_at(s, "%s", others[k].path), e,
                                "ellipsoids (species with 'semi_axes') do not go with %s%s", others[k].path,
                                others[k].what);
    return CAROM_OK;
}

carom_status hard_check(const scene *s, error *e)
{
    TRY(scene_refuse_forces(s, "hard", e));
    TRY(check_steps(s, e));
    TRY(check_laws(s, e));
    TRY(check_friction(s, e));
    TRY(check_ellipsoids(s, e)); /* before others that they break as particles that turn */
    TRY(check_rough(s, e));
    TRY(check_thermal(s, e));
    TRY(check_thermostat(s, e));
    TRY(check_compression(s, e));
    TRY(check_shear(s, e));
    TRY(check_collapse(s, e));
    TRY(check_precision(s, e));
    TRY(scene_refuse_leaning(s, e));
    return scene_refuse_crossing(s, e);
}

/* ---- the initial state ------------------------------------------------------------------------------------------- */

/* Squares and quotients of what the gas is made of have to be numbers, too. */
static carom_status check_float(const scene *s, const initial_state *state, error *e)
{
    const double most = 1e12, least = 1e-12;
    bool fits = true;
    for (size_t i = 0; i < state->count; i++) {
        const bool vertex = i >= state_particles(state);
        fits = fits && state->mass[i] < most && (vertex || state->mass[i] > least);
        fits = fits && state->diameter[i] < most && (vertex || state->diameter[i] > least);
        for (int k = 0; k < s->dimension; k++)
            fits = fits && fabs(state->position[i][k]) < most && fabs(state->velocity[i][k]) < most;
        for (int k = 0; state->spin != NULL && k < 3; k++) fits = fits && fabs(state->spin[i][k]) < most;
    }
    for (int k = 0; k < s->dimension; k++) fits = fits && state->size[k] < most && fabs(s->gravity[k]) < most;
    if (fits) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.precision"), e,
                        "masses, lengths, speeds or gravity are beyond 1e-12 to 1e12; use other units, or "
                        "hard.precision double");
}

/* A box full of spheres may not be narrower than two of them on a periodic axis: a sphere would meet its own image. */
static carom_status check_room(const scene *s, const initial_state *state, error *e)
{
    double room = 1, taken = 0, largest = 0, moving = 0;
    if (((const hard_settings *)s->engine_settings)->compression.rate == 0) return CAROM_OK;
    for (int k = 0; k < s->dimension; k++) room *= state->size[k];
    for (size_t i = 0; i < state->count; i++) {
        largest = fmax(largest, state->diameter[i]);
        taken += ball_volume(s->dimension, state->diameter[i]);
        for (int k = 0; k < s->dimension; k++) moving = fmax(moving, fabs(state->velocity[i][k]));
    }
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] == BOUNDARY_PERIODIC &&
            state->size[k] * pow(taken / room, 1.0 / s->dimension) < 2.2 * largest)
            return scene_refuse(scene_at(s, "hard.compression"), e,
                                "hard.compression: too few particles: the box would become narrower than two of the "
                                "largest spheres");
    if (moving > 0) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.compression"), e,
                        "hard.compression: nothing moves, and the rate is over the thermal speed");
}

/* What a particle feels is the nearest image of another, and no more of them. */
static carom_status check_reach(const scene *s, const initial_state *state, error *e)
{
    double widest = 0, reach = 0;
    for (size_t i = 0; i < state->count; i++) widest = fmax(widest, state->diameter[i]);
    for (size_t k = 0; k < s->potential_count; k++) reach = fmax(reach, widest * s->potentials[k].steps[0].distance);
    for (size_t k = 0; k < s->bonds_count; k++) reach = fmax(reach, s->bonds[k].longest);
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] == BOUNDARY_PERIODIC && state->size[k] < 2.2 * reach)
            return scene_refuse(scene_at_size(s), e,
                                "the periodic box is too small for its potentials and bonds: it is %.6g long along "
                                "%c, and needs 2.2 times their reach, %.6g; use more particles or a larger box",
                                state->size[k], "xyz"[k], 2.2 * reach);
    return CAROM_OK;
}

carom_status hard_check_state(const scene *s, const initial_state *state, error *e)
{
    TRY(check_room(s, state, e));
    if (state->count >= 0x80000000u)
        return error_set(e, CAROM_BAD_DATA, "error: %zu particles are more than the engine can number", state->count);
    TRY(hard_check_meshes(s, state, e));
    TRY(check_reach(s, state, e));
    const bool single = ((const hard_settings *)s->engine_settings)->precision == PRECISION_FLOAT;
    return single ? check_float(s, state, e) : CAROM_OK;
}
