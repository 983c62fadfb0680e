/* Changes of the state: velocities; particles added and removed. */
#include "sim/sim.h"

#include "base/memory.h"
#include "geometry/ball.h"

#include <math.h>
#include <string.h>

/* ---- before and after any change --------------------------------------------------------------------------------- */

carom_status edit_ranks(carom_sim *sim, const char *what)
{
    if (transport_ranks(sim->workers.transport) == 1) return CAROM_OK;
    return error_set(&sim->message, CAROM_USAGE, "error: %s is not possible in a run on several ranks", what);
}

carom_status edit_check(carom_sim *sim, const char *what, bool structure)
{
    error *e = &sim->message;
    TRY(edit_ranks(sim, what));
    if (sim->result == NULL) return CAROM_OK;
    if (structure)
        return error_set(e, CAROM_USAGE,
                         "error: %s is not possible while the simulation writes a result file, which has one scene and "
                         "one number of particles; run it without a result file, or save it and load it without one",
                         what);
    if (sim->finished)
        return error_set(e, CAROM_USAGE,
                         "error: %s is not possible after the end of a run with a result file, which is complete; save "
                         "the simulation and load it without one",
                         what);
    return CAROM_OK;
}

static double budget(carom_sim *sim)
{
    look(sim, sim->time);
    const frame_energy energy = frame_energy_of(&sim->frame);
    return frame_budget(&sim->frame, &energy);
}

double edit_begin(carom_sim *sim)
{
    const double before = budget(sim);
    frames_leave_state(sim, 0);
    return before;
}

carom_status edit_end(carom_sim *sim, double before)
{
    const double after = budget(sim);
    if (!sim->begun && sim->time <= 0)
        sim->initial_energy = frame_energy_of(&sim->frame).total; /* part of the start */
    else
        sim->changes.supplied += after - before;
    look(sim, sim->time);
    rest_again(sim);
    if (sim->stop != CAROM_STOP_SIGNAL) sim->stop = CAROM_STOP_NONE; /* limits are checked again */
    if (sim->result == NULL) {
        sim->finished = false;
    } else if (sim->begun) {
        TRY(result_edited(sim->result, &sim->message));
        if (sim->kernel->add_potential != NULL) TRY(result_not_closed(sim->result, &sim->message));
    }
    return callbacks_check(sim);
}

/* ---- ids --------------------------------------------------------------------------------------------------------- */

/* Numbers in frames of the particles with these ids, each at most once. ids NULL: 0 .. count - 1. */
static carom_status find_numbers(carom_sim *sim, size_t count, const uint32_t *ids, size_t among, uint32_t **numbers)
{
    error *e = &sim->message;
    uint32_t *at = NEW_ARRAY(count, uint32_t);
    bool *named = NEW_ARRAY(among, bool);
    carom_status status = at != NULL && named != NULL ? CAROM_OK : error_memory(e, "ids", count * sizeof *at);
    for (size_t n = 0; n < count && status == CAROM_OK; n++) {
        const size_t number = ids != NULL ? sim_number_of(sim, ids[n]) : n;
        if (number >= among)
            status = error_set(e, CAROM_USAGE, "error: there is no particle with id %u", ids != NULL ? ids[n] : 0);
        else if (named[number])
            status = error_set(e, CAROM_USAGE, "error: the particle with id %u is named twice", ids[n]);
        else
            named[number] = true, at[n] = (uint32_t)number;
    }
    memory_free(named);
    if (status != CAROM_OK) memory_free(at);
    *numbers = status == CAROM_OK ? at : NULL;
    return status;
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

/* As scenes: components of at most 1e40. */
static const double FASTEST = 1e40;

/* Vertices of meshes have velocities in `variational` only. */
static size_t movable(const carom_sim *sim)
{
    return sim->kernel->add_potential != NULL ? sim->frame.count : frame_particles(&sim->frame);
}

static carom_status check_velocities(carom_sim *sim, size_t count, const uint32_t *ids, const double *velocities)
{
    const size_t d = (size_t)sim->frame.dimension;
    if (sim->kernel->set_velocities == NULL)
        return error_set(&sim->message, CAROM_USAGE, "error: the engine `%s` cannot set velocities",
                         sim->engine->settings->name);
    const size_t most = movable(sim);
    if (ids == NULL && count != most && count != frame_particles(&sim->frame))
        return error_set(&sim->message, CAROM_USAGE, "error: %zu velocities for %zu particles", count,
                         frame_particles(&sim->frame));
    if (count > most)
        return error_set(&sim->message, CAROM_USAGE, "error: there are %zu particles; %zu are named", most, count);
    for (size_t n = 0; n < count * d; n++)
        if (!(fabs(velocities[n]) <= FASTEST))
            return error_set(&sim->message, CAROM_USAGE,
                             "error: velocity %zu has a component of %g: velocities must be finite, and at most %g",
                             n / d, velocities[n], FASTEST);
    return CAROM_OK;
}

static carom_status set_velocities(carom_sim *sim, size_t count, const uint32_t *numbers, const double *velocities)
{
    const double before = edit_begin(sim);
    TRY(sim->kernel->set_velocities(sim->gas, sim->time, count, numbers, velocities, &sim->message));
    return edit_end(sim, before);
}

carom_status carom_sim_set_velocities(carom_sim *sim, size_t count, const uint32_t *ids, const double *velocities)
{
    ENTER(sim, "the simulation has not been created");
    NEED(sim, velocities);
    uint32_t *numbers = NULL;
    error_clear(&sim->message);
    TRY(edit_check(sim, "setting velocities", false));
    TRY(check_velocities(sim, count, ids, velocities));
    TRY(find_numbers(sim, count, ids, movable(sim), &numbers));
    sim->guard.busy = true;
    const carom_status status = set_velocities(sim, count, numbers, velocities);
    memory_free(numbers);
    return guard_leave(&sim->guard, status);
}

/* ---- other particles --------------------------------------------------------------------------------------------- */

/* What refers to particles by number in this scene; NULL: nothing. */
static const char *numbered_by(const carom_sim *sim)
{
    if (sim->engine->merges) return "clusters";
    if (sim->kernel->add_potential != NULL) return "contacts, links and bodies";
    if (sim->kernel->adopt == NULL) return "the engine";
    if (scene_flows(sim->scene)) return "inflow and outflow";
    if (sim->scene->bonds_count > 0) return "bonds";
    if (sim->scene->potential_count > 0) return "the pairs of stepped potentials";
    return NULL;
}

static carom_status check_population(carom_sim *sim, const char *what)
{
    TRY(edit_check(sim, what, true));
    const char *numbered = numbered_by(sim);
    if (numbered != NULL)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: %s is not possible in this scene of the engine `%s`: %s refer to particles by number; "
                         "start a new simulation from the present positions",
                         what, sim->engine->settings->name, numbered);
    for (size_t k = 0; k < sim->observer_count; k++)
        if (sim->observers[k].kind->follows)
            return error_set(&sim->message, CAROM_USAGE,
                             "error: %s is not possible while the observable '%s' follows single particles; leave it "
                             "out of the scene",
                             what, sim->observers[k].entry->name);
    return CAROM_OK;
}

/* Creates an engine with the state, which replaces the present one. */
static carom_status replace_engine(carom_sim *sim, const initial_state *state, const uint32_t *from)
{
    void *gas = NULL;
    error *e = &sim->message;
    const double before = edit_begin(sim);
    carom_status status = sim->kernel->create(&gas, sim->scene, state, sim->tallies, &sim->workers, e);
    if (status == CAROM_OK) status = sim->kernel->adopt(gas, sim->gas, sim->time, from, e);
    if (status != CAROM_OK) {
        if (gas != NULL) sim->kernel->destroy(gas);
        return status;
    }
    change_engine(sim, gas);
    TRY(sim_make_frame(sim, state));
    TRY(rest_create(sim, sim->scene, state));
    return edit_end(sim, before);
}

/* The ids of the particles `from`, and new ones. */
static uint32_t *ids_after(const carom_sim *sim, const uint32_t *from, size_t count)
{
    uint32_t *ids = NEW_ARRAY(count, uint32_t);
    uint32_t next = sim->changes.ids != NULL ? sim->changes.next_id : (uint32_t)frame_particles(&sim->frame);
    for (size_t i = 0; ids != NULL && i < count; i++)
        ids[i] = from[i] == UINT32_MAX ? next++ : sim->changes.ids != NULL ? sim->changes.ids[from[i]] : from[i];
    return ids;
}

static carom_status change_population(carom_sim *sim, const initial_state *state, const uint32_t *from, size_t added)
{
    const size_t count = state_particles(state);
    uint32_t *ids = ids_after(sim, from, count), *earlier = sim->changes.ids;
    if (ids == NULL) return error_memory(&sim->message, "ids", count * sizeof *ids);
    const uint32_t next = earlier != NULL ? sim->changes.next_id : (uint32_t)frame_particles(&sim->frame);
    frames_leave_state(sim, 0); /* with the present ids */
    sim->changes.ids = NULL;
    const carom_status status = replace_engine(sim, state, from);
    if (status != CAROM_OK) {
        sim->changes.ids = earlier;
        memory_free(ids);
        return status;
    }
    memory_free(earlier);
    frames_leave_state(sim, 0);
    sim->changes.ids = ids;
    sim->changes.next_id = next + (uint32_t)added;
    look(sim, sim->time);
    return recordings_renew(sim);
}

/* ---- removing ---------------------------------------------------------------------------------------------------- */

/* Keeps the particles that are not named; from[i]: their numbers. */
static size_t compact(initial_state *state, size_t particles, const bool *gone, uint32_t *from)
{
    size_t kept = 0;
    for (size_t i = 0; i < state->count; i++) {
        if (i < particles && gone[i]) continue;
        memmove(state->position + kept, state->position + i, sizeof *state->position);
        memmove(state->velocity + kept, state->velocity + i, sizeof *state->velocity);
        if (state->spin != NULL) memmove(state->spin + kept, state->spin + i, sizeof *state->spin);
        state->species[kept] = state->species[i];
        state->diameter[kept] = state->diameter[i];
        state->mass[kept] = state->mass[i];
        if (i < particles) from[kept] = (uint32_t)i;
        kept++;
    }
    return kept;
}

static carom_status remove_numbers(carom_sim *sim, size_t count, const uint32_t *numbers)
{
    const size_t particles = frame_particles(&sim->frame);
    initial_state state = {0};
    bool *gone = NEW_ARRAY(particles, bool);
    uint32_t *from = NEW_ARRAY(particles, uint32_t);
    carom_status status = gone != NULL && from != NULL
                              ? population_state(sim, sim->scene, 0, &state, &sim->message)
                              : error_memory(&sim->message, "the particles", particles * sizeof *from);
    if (status == CAROM_OK) {
        for (size_t n = 0; n < count; n++) gone[numbers[n]] = true;
        state.count = compact(&state, particles, gone, from);
        for (size_t k = 0; state.mesh_count > 0 && k <= state.mesh_count; k++) state.mesh_first[k] -= count;
        status = change_population(sim, &state, from, 0);
    }
    state_free(&state);
    memory_free(gone);
    memory_free(from);
    return status;
}

carom_status carom_sim_remove_particles(carom_sim *sim, size_t count, const uint32_t *ids)
{
    ENTER(sim, "the simulation has not been created");
    NEED(sim, ids);
    uint32_t *numbers = NULL;
    error_clear(&sim->message);
    TRY(check_population(sim, "removing particles"));
    const size_t particles = frame_particles(&sim->frame);
    if (count > particles)
        return error_set(&sim->message, CAROM_USAGE, "error: there are %zu particles; %zu are named", particles, count);
    TRY(find_numbers(sim, count, ids, particles, &numbers));
    carom_status status = CAROM_OK;
    if (count == particles) {
        status = error_set(&sim->message, CAROM_USAGE, "error: a simulation needs at least one particle");
    } else if (count > 0) {
        sim->guard.busy = true;
        look(sim, sim->time);
        status = guard_leave(&sim->guard, remove_numbers(sim, count, numbers));
    }
    memory_free(numbers);
    return status;
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

static carom_status find_species(carom_sim *sim, const carom_particles *added, uint32_t *species)
{
    const scene *s = sim->scene;
    error *e = &sim->message;
    *species = added->species != NULL ? sim_species_of(sim, added->species) : 0;
    if (*species >= s->species_count)
        return error_set(e, CAROM_USAGE, "error: the scene has no species '%s'",
                         added->species != NULL ? added->species : "");
    const scene_species *of = &s->species[*species];
    if (added->radii == NULL && of->diameter.law != SIZE_CONSTANT)
        return error_set(e, CAROM_USAGE, "error: the sizes of species '%s' have a distribution: give `radii`",
                         of->name);
    return CAROM_OK;
}

static void fill_added(const carom_sim *sim, const carom_particles *added, uint32_t species, initial_state *state,
                       size_t first)
{
    const scene *s = sim->scene;
    const scene_species *of = &s->species[species];
    const size_t d = (size_t)s->dimension;
    for (size_t n = 0; n < added->count; n++) {
        const size_t i = first + n;
        for (size_t k = 0; k < d; k++) {
            state->position[i][k] = added->positions[n * d + k];
            state->velocity[i][k] = added->velocities != NULL ? added->velocities[n * d + k] : 0;
        }
        for (size_t k = s->dimension == 2 ? 2 : 0; state->spin != NULL && k < 3; k++)
            state->spin[i][k] = added->spins != NULL ? added->spins[3 * n + k] : 0;
        state->species[i] = species;
        state->diameter[i] = added->radii != NULL ? 2 * added->radii[n] : of->diameter.a;
        const double volume = ball_volume(s->dimension, state->diameter[i]) * scene_fullness(s, species);
        state->mass[i] = of->density > 0 ? of->density * volume : of->mass;
    }
}

static carom_status add_to(carom_sim *sim, const carom_particles *added, uint32_t species)
{
    const size_t before = frame_particles(&sim->frame), count = before + added->count;
    initial_state state = {0};
    uint32_t *from = NEW_ARRAY(count, uint32_t);
    if (from == NULL) return error_memory(&sim->message, "the particles", count * sizeof *from);
    carom_status status = population_state(sim, sim->scene, added->count, &state, &sim->message);
    if (status == CAROM_OK) {
        fill_added(sim, added, species, &state, before);
        status = population_place(sim, &state, before, &sim->message);
    }
    for (size_t i = 0; i < count; i++) from[i] = i < before ? (uint32_t)i : UINT32_MAX;
    if (status == CAROM_OK) status = change_population(sim, &state, from, added->count);
    state_free(&state);
    memory_free(from);
    return status;
}

/* Meshes have no test yet that a particle is not inside them: their particles are placed at the start only. */
static carom_status check_addition(carom_sim *sim, const carom_particles *added, uint32_t *species)
{
    const size_t before = frame_particles(&sim->frame);
    const uint32_t next = sim->changes.ids != NULL ? sim->changes.next_id : (uint32_t)before;
    TRY(check_population(sim, "adding particles"));
    if (sim->scene->mesh_count > 0)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: adding particles is not possible in a scene with meshes; place them at the start");
    if (added->spins != NULL && sim->frame.spin == NULL)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: the particles of this scene do not rotate: leave out the "
                         "angular velocities, or give a contact `tangential`");
    if (added->count >= UINT32_MAX - next || before + added->count >= UINT32_MAX)
        return error_set(&sim->message, CAROM_USAGE, "error: %zu particles are too many", added->count);
    return find_species(sim, added, species);
}

carom_status carom_sim_add_particles(carom_sim *sim, const carom_particles *added, uint32_t *ids)
{
    ENTER(sim, "the simulation has not been created");
    NEED(sim, added);
    uint32_t species = 0;
    error_clear(&sim->message);
    if (added->count > 0) NEED(sim, added->positions);
    TRY(check_addition(sim, added, &species));
    if (added->count == 0) return CAROM_OK;
    sim->guard.busy = true;
    look(sim, sim->time);
    const carom_status status = add_to(sim, added, species);
    const size_t first = frame_particles(&sim->frame) - added->count;
    for (size_t n = 0; status == CAROM_OK && ids != NULL && n < added->count; n++) ids[n] = sim->changes.ids[first + n];
    if (status != CAROM_BAD_DATA) return guard_leave(&sim->guard, status);
    sim->guard.busy = false; /* particles that do not fit: the state is as before */
    return status;
}
