/* carom_scene_*: loading and checking of scenes; carom_help, carom_reference, carom_starter. */
#include "sim/scene_api.h"

#include "base/memory.h"
#include "geometry/ball.h"
#include "geometry/shape.h"
#include "scene/language/language.h"
#include "scene/where.h"
#include "sim/forecast.h"
#include "sim/guard.h"
#include "sim/help_search.h"
#include "sim/sim.h"
#include "sim/starter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

carom_scene *carom_scene_new(void)
{
    return NEW_ARRAY(1, carom_scene);
}

void carom_scene_free(carom_scene *loaded)
{
    if (loaded == NULL) return;
    scene_free(loaded->checked);
    for (size_t k = 0; k < loaded->set_count; k++) memory_free(loaded->sets[k]);
    memory_free(loaded->sets);
    memory_free(loaded->unset);
    memory_free(loaded->folder);
    arrays_free(loaded->arrays);
    error_clear(&loaded->message);
    error_clear(&loaded->forecast);
    memory_free(loaded);
}

static carom_status add_set(carom_scene *loaded, const char *text, bool unset)
{
    const size_t count = loaded->set_count;
    char **sets = memory_resize(loaded->sets, count, count + 1, sizeof *sets);
    if (sets != NULL) loaded->sets = sets;
    bool *unsets = memory_resize(loaded->unset, count, count + 1, sizeof *unsets);
    if (unsets != NULL) loaded->unset = unsets;
    char *copy = sets != NULL && unsets != NULL ? memory_text(text) : NULL;
    if (copy == NULL) return error_memory(&loaded->message, "overrides", strlen(text));
    sets[count] = copy;
    unsets[count] = unset;
    loaded->set_count++;
    return CAROM_OK;
}

carom_status carom_scene_set(carom_scene *loaded, const char *key_equals_value)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, key_equals_value);
    return add_set(loaded, key_equals_value, false);
}

carom_status carom_scene_unset(carom_scene *loaded, const char *key)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, key);
    return add_set(loaded, key, true);
}

carom_status carom_scene_allow_endless(carom_scene *loaded)
{
    if (loaded == NULL) return CAROM_USAGE;
    loaded->endless = true;
    return CAROM_OK;
}

carom_status carom_scene_set_folder(carom_scene *loaded, const char *folder)
{
    if (loaded == NULL) return CAROM_USAGE;
    char *copy = folder != NULL ? memory_text(folder) : NULL;
    if (folder != NULL && copy == NULL) return error_memory(&loaded->message, "a path", strlen(folder));
    memory_free(loaded->folder);
    loaded->folder = copy;
    return CAROM_OK;
}

carom_status carom_scene_set_points(carom_scene *loaded, const char *name, const carom_point_arrays *arrays)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, name);
    NEED(loaded, arrays);
    return arrays_add_points(&loaded->arrays, name, arrays, loaded->checked != NULL, &loaded->message);
}

carom_status carom_scene_set_mesh(carom_scene *loaded, const char *name, const carom_mesh_arrays *arrays)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, name);
    NEED(loaded, arrays);
    return arrays_add_mesh(&loaded->arrays, name, arrays, loaded->checked != NULL, &loaded->message);
}

/* Sampling intervals shorter than this, in a run of more than MOST_STEPS samples, are an error of the scene. */
#define SHORT_STEP 1e-9

static void check_rhythm(carom_scene *loaded, const char *key, double every)
{
    double until = loaded->checked->until.time;
    bool endless = until / every > MOST_STEPS || !(until > 0) || isinf(until);
    if (every <= 0 || every >= SHORT_STEP || !endless) return;
    scene_refuse(scene_at(loaded->checked, "%s.every", key), &loaded->message,
                 "%s.every is %.3g: this is too short for the length of the run" HINT "make it longer", key, every);
}

/* A sentence that may contain the name of bodies; `begins` is NULL if there is none. */
typedef struct requirement {
    const char *begins, *bodies, *ends;
} requirement;

/* The requirement of tallies that exist only in some scenes. */
static requirement wanted_by(unsigned missing, const scene *s)
{
    const char *bodies = scene_particle_shape(s)->plural;
    if (missing & TALLY_SUPPLY) return (requirement){"requires a heat bath or shear (engine `hard`)", "", ""};
    if (missing & TALLY_IMAGES) return (requirement){"is not available in sheared boxes (hard.shear)", "", ""};
    if (missing & TALLY_SHEAR) return (requirement){"requires a sheared box (engine `hard`, hard.shear)", "", ""};
    if (s->shaped && (missing & (TALLY_IMPACT | TALLY_THREE_BODY | TALLY_CONTACTS)))
        return (requirement){"is available for spheres only, not for ", bodies, ""};
    if (missing & TALLY_FORCES)
        return (requirement){"requires contacts that last (engine `variational`): impacts of `hard` are instantaneous",
                             "", ""};
    if (missing & TALLY_CONTACTS)
        return (requirement){"requires impulses at all contacts (engine `variational`, or `hard` without the collapse "
                             "policy `sleep`, in which particles at rest have none)",
                             "", ""};
    if (missing & TALLY_TRANSPORT)
        return (requirement){"requires a fluid at rest in a periodic box (engine `hard`, without walls, planes, "
                             "gravity, thermostat, shear or ",
                             bodies, ")"};
    return (requirement){NULL, "", ""};
}

static void check_tallies(carom_scene *loaded, const char *key, const observable *kind)
{
    const engine *used = engine_of(loaded->checked);
    const unsigned missing = kind->tallies & ~used->tallies(loaded->checked);
    if (missing == 0) return;
    const scene_spot at = scene_at(loaded->checked, "%s.what", key);
    const requirement wanted = wanted_by(missing, loaded->checked);
    if (wanted.begins != NULL) {
        scene_refuse(at, &loaded->message, "%s: %s %s%s%s" HINT "leave it out", key, kind->settings->name,
                     wanted.begins, wanted.bodies, wanted.ends);
        return;
    }
    scene_refuse(
        at, &loaded->message, "%s: %s requires collisions: %s `%s`" HINT "leave it out", key, kind->settings->name,
        missing == TALLY_COLLISIONS ? "all contacts merge in the engine" : "they are not recorded in the engine",
        used->settings->name);
}

static void check_observe(carom_scene *loaded, size_t k)
{
    char key[32];
    const scene_observe *o = &loaded->checked->observe[k];
    snprintf(key, sizeof key, "observe.%zu", k);
    check_tallies(loaded, key, observable_of(o));
    check_rhythm(loaded, key, o->every);
    if (observable_of(o)->equal_steps && !(o->every > 0))
        scene_refuse(scene_at(loaded->checked, "%s", key), &loaded->message,
                     "%s: %s needs samples at equal time steps" HINT "set `every`", key,
                     observable_of(o)->settings->name);
    else
        (void)observer_plan(loaded->checked, k, engine_of(loaded->checked), &loaded->message);
}

/* Checks engine and observables for a valid scene. */
static carom_status check_more(carom_scene *loaded, carom_status status)
{
    if (status != CAROM_OK) return status;
    (void)engine_of(loaded->checked)->check(loaded->checked, &loaded->message);
    check_rhythm(loaded, "output.frames", loaded->checked->output.frames_every);
    check_rhythm(loaded, "run.until.rest", loaded->checked->until.rest.every);
    for (size_t k = 0; k < loaded->checked->observe_count; k++) check_observe(loaded, k);
    if (loaded->message.status == CAROM_OK) return CAROM_OK;
    scene_free(loaded->checked);
    loaded->checked = NULL;
    return loaded->message.status;
}

carom_status scene_check_read(scene **checked, error *e)
{
    carom_scene one = {.checked = *checked};
    const carom_status status = check_more(&one, CAROM_OK);
    *checked = one.checked;
    if (status != CAROM_OK) {
        error_clear(e);
        error_move(e, &one.message);
    }
    error_clear(&one.message);
    return status;
}

void scene_unload(carom_scene *loaded)
{
    error_clear(&loaded->message);
    scene_free(loaded->checked);
    loaded->checked = NULL;
    arrays_drop_replaced(&loaded->arrays);
    loaded->estimate = (carom_estimate){0};
    loaded->steps.count = 0;
}

static scene_text text_of(const carom_scene *loaded, const char *name, const char *text, size_t length)
{
    return (scene_text){.source = name,
                        .folder = loaded->folder,
                        .text = text,
                        .length = length,
                        .sets = (const char *const *)loaded->sets,
                        .unset = loaded->unset,
                        .set_count = loaded->set_count,
                        .arrays = loaded->arrays,
                        .endless = loaded->endless,
                        .stored = loaded->stored};
}

static carom_status load(carom_scene *loaded, const char *name, const char *text, size_t length)
{
    scene_unload(loaded);
    const scene_text from = text_of(loaded, name, text, length);
    return check_more(loaded, scene_read_text(&loaded->checked, &from, &vocabulary, &loaded->message));
}

carom_status carom_scene_load(carom_scene *loaded, const char *path)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, path);
    return load(loaded, path, NULL, 0);
}

carom_status scene_load_from(carom_scene *loaded, const char *name, const char *folder, const char *text)
{
    scene_text from = text_of(loaded, name, text, strlen(text));
    from.folder = folder;
    return check_more(loaded, scene_read_text(&loaded->checked, &from, &vocabulary, &loaded->message));
}

carom_status carom_scene_load_text(carom_scene *loaded, const char *name, const char *text, size_t length)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, name);
    NEED(loaded, text);
    return load(loaded, name, text, length);
}

carom_status carom_scene_tree(carom_scene *loaded, const char *name, const char *text, size_t length, char **json)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, name);
    NEED(loaded, text);
    NEED(loaded, json);
    const scene_text from = text_of(loaded, name, text, length);
    return scene_tree_json(json, &from, &loaded->message);
}

size_t carom_scene_fault_count(const carom_scene *loaded)
{
    return loaded != NULL ? loaded->message.fault_count : 0;
}

const carom_fault *carom_scene_fault(const carom_scene *loaded, size_t n)
{
    return loaded != NULL && n < loaded->message.fault_count ? &loaded->message.faults[n] : NULL;
}

const char *carom_scene_message(const carom_scene *loaded)
{
    return loaded != NULL ? error_text(&loaded->message) : "error: out of memory";
}

const char *carom_scene_resolved(const carom_scene *loaded)
{
    return loaded != NULL && loaded->checked != NULL ? loaded->checked->resolved : NULL;
}

const char *carom_scene_species(const carom_scene *loaded, size_t n)
{
    const scene *s = loaded != NULL ? loaded->checked : NULL;
    return s != NULL && n < s->species_count ? s->species[n].name : NULL;
}

carom_status carom_scene_limits(const carom_scene *loaded, carom_limits *limits)
{
    if (loaded == NULL || limits == NULL || loaded->checked == NULL) return CAROM_USAGE;
    const scene_until *until = &loaded->checked->until;
    *limits = (carom_limits){.time = isfinite(until->time) ? until->time : 0,
                             .events = until->events,
                             .collisions = until->collisions,
                             .wall_s = until->wall_time};
    return CAROM_OK;
}

bool carom_scene_reads(const carom_scene *loaded, const char *path)
{
    return loaded != NULL && loaded->checked != NULL && path != NULL && scene_reads(loaded->checked, path);
}

/* Bytes of the arrays per body and frame. */
static carom_status find_frame_bytes(const scene *s, bool *turns, size_t *bytes, error *e)
{
    carom_frame f;
    const engine *used = engine_of(s);
    TRY(frame_create(&f, s->dimension, 1, e));
    const carom_status status = used->add_arrays != NULL ? used->add_arrays(s, &f, e) : CAROM_OK;
    *bytes = frame_array_bytes(&f);
    *turns = f.spin != NULL;
    frame_destroy(&f);
    return status;
}

/* Volume of the solid bodies of the start, less that of their spheres: of clumps, and of meshes, which have none. */
static double bodies_volume(const scene *s, const initial_state *state)
{
    double change = 0;
    for (size_t k = 0; k < state->body_count; k++) {
        const state_body *body = &state->bodies[k];
        if (!body->solid || (state->absent != NULL && state->absent[body->particles[0]])) continue;
        change += body->volume;
        for (size_t n = 0; k >= s->body_count && n < body->count; n++)
            change -= ball_volume(s->dimension, state->diameter[body->particles[n]]);
    }
    return change;
}

static carom_status fill_estimate(const scene *s, const initial_state *state, carom_estimate *estimate, error *e)
{
    bool turns;
    size_t frame_bytes;
    double volume = 0, room = 1;
    for (size_t i = 0; i < state_particles(state); i++)
        if (state->absent == NULL || !state->absent[i])
            volume += ball_volume(s->dimension, state->diameter[i]) * scene_fullness(s, state->species[i]);
    volume += bodies_volume(s, state);
    for (int k = 0; k < s->dimension; k++) room *= state->size[k];
    *estimate = (carom_estimate){.dimension = s->dimension,
                                 .particles = state_particles(state),
                                 .vertices = state->count - state_particles(state),
                                 .packing_fraction = volume / room};
    for (int k = 0; k < s->dimension; k++) estimate->box[k] = state->size[k];
    size_t d = (size_t)s->dimension;
    size_t state_and_frame = (6 + 3 * d + 4) * sizeof(double) + 3 * sizeof(uint32_t);
    estimate->memory_bytes = engine_of(s)->kernel(s)->memory(state->count) + state->count * state_and_frame;
    TRY(find_frame_bytes(s, &turns, &frame_bytes, e));
    estimate->frame_bytes = state->count * frame_bytes;
    if (turns)
        estimate->memory_bytes += state->count * 10 * sizeof(double); /* in the state, the engine and the frame */
    if (s->output.frames_every > 0 && s->until.time > 0 && s->until.time < 1e300)
        estimate->frames = 1 + (uint64_t)(s->until.time / s->output.frames_every);
    else if (s->output.frames_every_collisions > 0 && s->until.collisions > 0)
        estimate->frames = 1 + s->until.collisions / s->output.frames_every_collisions;
    return CAROM_OK;
}

/* The first frame for observers, without an engine: the initial state. */
carom_status scene_first_frame(carom_frame *f, const scene *s, const initial_state *state, error *e)
{
    const engine *used = engine_of(s);
    const size_t d = (size_t)s->dimension;
    TRY(frame_create(f, s->dimension, state->count, e));
    f->vertices = state->count - state_particles(state);
    if (used->add_arrays != NULL) TRY(used->add_arrays(s, f, e));
    static const uint64_t nothing[IMPACT_BINS]; /* no tallies yet */
    static const double no_density[IMPACT_BINS];
    const bool forces = used->kernel(s)->add_potential != NULL;
    f->tallies.ledger.kept = used->accounts != NULL && used->accounts(s);
    f->tallies.ledger.rotation = forces && s->rough;
    f->tallies.layers = forces ? nothing : NULL;
    f->tallies.impact = used->tallies(s) & TALLY_IMPACT ? nothing : NULL;
    f->tallies.impact_density = f->tallies.impact != NULL ? no_density : NULL;
    for (size_t k = 0; k < d; k++) {
        f->box[k] = state->size[k];
        f->boundary[k] = (int)s->box.boundary[k];
        f->gravity[k] = s->gravity[k];
    }
    for (size_t i = 0; i < state->count; i++) {
        memcpy(f->position + i * d, state->position[i], d * sizeof(double));
        memcpy(f->velocity + i * d, state->velocity[i], d * sizeof(double));
        f->radius[i] = 0.5 * state->diameter[i];
        f->mass[i] = state->mass[i];
        f->species[i] = state->species[i];
        f->id[i] = (uint32_t)i;
        if (f->clump != NULL) f->clump[i] = -1; /* without an engine */
        if (f->cluster != NULL) f->cluster[i] = (uint32_t)i;
        if (f->axis != NULL) {
            const scene_species *of = &s->species[state->species[i]];
            memcpy(f->axis + 3 * i, state->axis[i], sizeof *state->axis);
            for (size_t k = 0; k < 3; k++) f->semi_axes[3 * i + k] = of->half[0] > 0 ? of->half[k > 0] : f->radius[i];
            if (f->shape != NULL) f->shape[i] = of->shape;
        }
        if (f->inertia == NULL) continue;
        f->inertia[i] = scene_inertia(s, state->species[i]) * f->mass[i] * f->radius[i] * f->radius[i];
        memcpy(f->spin + 3 * i, state->spin[i], sizeof *state->spin);
    }
    f->clusters = f->cluster != NULL ? state->count : 0;
    return CAROM_OK;
}

static carom_status check_observers(const scene *s, const initial_state *state, size_t *bytes, error *e)
{
    carom_frame f = {0};
    *bytes = 0;
    if (s->observe_count == 0) return CAROM_OK;
    carom_status status = scene_first_frame(&f, s, state, e);
    if (status == CAROM_OK) status = observers_try(s, &f, bytes, e);
    frame_destroy(&f);
    return status;
}

static carom_status check_engine(const scene *s, const initial_state *state, error *e)
{
    const engine *by = engine_of(s);
    TRY(by->check_state(s, state, e));
    return by->try_state != NULL ? by->try_state(s, state, e) : CAROM_OK;
}

/* Repairs of meshes: the message of a valid scene. */
static void note_repairs(const scene *s, const initial_state *state, error *e)
{
    for (size_t k = 0; k < state->mesh_count; k++)
        if (state->repairs[k] != NULL) error_add(e, CAROM_OK, "mesh '%s': %s", s->meshes[k].name, state->repairs[k]);
}

static void note_warning(const char *line, void *user)
{
    carom_scene *loaded = user;
    error_add(&loaded->forecast, CAROM_OK, "%s", line);
    error_add(&loaded->message, CAROM_OK, "warning: %s", line);
}

/* A particle that enters during the run has no position yet. */
static void note_absent(const initial_state *state, carom_step *step)
{
    bool absent = state->absent != NULL && step->particle_count > 0;
    for (int k = 0; absent && k < step->particle_count; k++) absent = state->absent[step->particles[k]];
    if (!absent) return;
    const size_t length = strlen(step->element);
    if (length > 0) snprintf(step->element + length, sizeof step->element - length, ", which enters later");
    for (int k = 0; k < 3; k++) step->position[k] = NAN;
}

/* Positions are unknown if particles have to be compressed first. */
static carom_status find_steps(carom_scene *loaded, const initial_state *state)
{
    const engine_kernel *kernel = engine_of(loaded->checked)->kernel(loaded->checked);
    if (kernel->steps == NULL) return CAROM_OK;
    TRY(kernel->steps(loaded->checked, state, &loaded->steps, &loaded->message));
    for (size_t n = 0; n < loaded->steps.count && state->compress_to > 0; n++)
        for (int k = 0; k < 3; k++) loaded->steps.at[n].position[k] = NAN;
    for (size_t n = 0; n < loaded->steps.count; n++) note_absent(state, &loaded->steps.at[n]);
    return CAROM_OK;
}

const carom_step *carom_scene_step(const carom_scene *loaded, size_t n)
{
    return loaded != NULL && n < loaded->steps.count ? &loaded->steps.at[n] : NULL;
}

carom_status carom_scene_check(carom_scene *loaded, carom_estimate *estimate)
{
    initial_state state = {0};
    size_t observers = 0;
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, estimate);
    error_clear(&loaded->message);
    error_clear(&loaded->forecast);
    loaded->estimate = (carom_estimate){0};
    loaded->steps.count = 0;
    if (loaded->checked == NULL) return error_set(&loaded->message, CAROM_USAGE, "error: no scene has been loaded");
    carom_status status = state_create(&state, loaded->checked, &loaded->message);
    if (status == CAROM_OK) status = check_engine(loaded->checked, &state, &loaded->message);
    if (status == CAROM_OK) status = check_observers(loaded->checked, &state, &observers, &loaded->message);
    if (status == CAROM_OK) status = fill_estimate(loaded->checked, &state, estimate, &loaded->message);
    if (status == CAROM_OK) estimate->memory_bytes += observers;
    if (status == CAROM_OK) status = find_steps(loaded, &state);
    if (status == CAROM_OK) note_repairs(loaded->checked, &state, &loaded->message);
    if (status == CAROM_OK) forecast(loaded->checked, &state, note_warning, loaded);
    if (status == CAROM_OK) loaded->estimate = *estimate;
    state_free(&state);
    return status;
}

/* Whether a key is a word to search for, not a path, a top-level key or "observables". */
static bool is_word(const char *key)
{
    if (key == NULL || strchr(key, '.') != NULL || strcmp(key, "observables") == 0) return false;
    for (size_t k = 0; k < table_scene.count; k++)
        if (strcmp(table_scene.entries[k].name, key) == 0) return false;
    return true;
}

carom_status carom_help(const char *topic, char **out)
{
    error e = {0};
    if (out == NULL) return CAROM_USAGE;
    const char *key = topic != NULL && strcmp(topic, "scene") == 0 ? NULL : topic;
    carom_status status = scene_help(out, key, &vocabulary, &e);
    if (status == CAROM_USAGE && key != NULL)
        status = help_search(key, out, &e);
    else if (status == CAROM_OK && is_word(key))
        status = help_add_guides(key, out, &e);
    if (status != CAROM_OK) *out = memory_text(error_text(&e));
    error_clear(&e);
    return status;
}

carom_status carom_reference(char **out)
{
    error e = {0};
    if (out == NULL) return CAROM_USAGE;
    carom_status status = scene_reference(out, &vocabulary, &e);
    error_clear(&e);
    return status;
}

carom_status carom_keys(const char *path, char **json)
{
    error e = {0};
    if (json == NULL) return CAROM_USAGE;
    *json = NULL;
    if (path == NULL) return CAROM_USAGE;
    carom_status status = scene_keys_json(json, path, &vocabulary, &e);
    error_clear(&e);
    return status;
}

carom_status carom_starter(const char *name, char **out)
{
    if (out == NULL) return CAROM_USAGE;
    text_buffer said = {0};
    const char *text = starter_scene(name), *near = text == NULL ? starter_near(name) : NULL;
    const bool list = name != NULL && name[0] == '\0';
    if (text != NULL)
        text_add(&said, "%s", text);
    else if (list)
        starter_list(&said);
    else if (near != NULL)
        text_add(&said, "error: there is no starter '%s'; did you mean '%s'?", name, near);
    else
        text_add(&said, "error: there is no starter '%s'; `carom init --list` lists them", name);
    *out = said.data;
    if (said.failed) return CAROM_INTERNAL;
    return text != NULL || list ? CAROM_OK : CAROM_USAGE;
}

void carom_free(void *text)
{
    memory_free(text);
}
