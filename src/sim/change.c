/* Changes of the scene of a simulation that exists: its text is read again with the change, by the same reader. */
#include "sim/sim.h"

#include "base/memory.h"
#include "scene/exact.h"
#include "scene/planes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- scenes of a simulation -------------------------------------------------------------------------------------- */

carom_status change_read(const scene *s, const char *name, const char *text, const char *set, scene **out, error *e)
{
    const char *read = text != NULL ? text : s->resolved;
    const scene_text from = {.source = name,
                             .folder = s->folder,
                             .text = read,
                             .length = strlen(read),
                             .sets = &set,
                             .set_count = set != NULL,
                             .arrays = s->arrays,
                             .endless = s->endless};
    const carom_status status = scene_read_text(out, &from, &vocabulary, e);
    if (status == CAROM_USAGE) e->status = CAROM_BAD_DATA; /* an error in the override */
    if (status != CAROM_OK) return e->status;
    return scene_check_read(out, e);
}

void change_scene(carom_sim *sim, scene *fresh)
{
    sim_changes *c = &sim->changes;
    if (c->last == c->of_engine)
        c->earlier = c->last;
    else
        scene_free(c->last);
    sim->scene = c->last = fresh;
    for (size_t k = 0; k < sim->observer_count; k++) sim->observers[k].entry = &fresh->observe[k];
}

void change_engine(carom_sim *sim, void *gas)
{
    frames_leave_state(sim, 0);
    sim->kernel->destroy(sim->gas);
    sim->gas = gas;
    sim->changes.of_engine = sim->scene;
    scene_free(sim->changes.earlier);
    sim->changes.earlier = NULL;
}

const char *carom_sim_scene(const carom_sim *sim)
{
    return USABLE(sim) ? sim->scene->resolved : NULL;
}

void change_destroy(carom_sim *sim)
{
    scene_free(sim->changes.last);
    scene_free(sim->changes.earlier);
    memory_free(sim->changes.ids);
    sim->changes = (sim_changes){0};
}

/* ---- permitted changes ------------------------------------------------------------------------------------------- */

/* Keys that do not belong to the initial state. */
static const char *const free_keys[] = {"fields", "contacts", "drives", "run",         "output",
                                        "view",   "title",    "hard",   "aggregation", "variational"};

static carom_status check_key(carom_sim *sim, const char *set)
{
    const size_t length = strcspn(set, ".=");
    for (size_t k = 0; k < sizeof free_keys / sizeof *free_keys; k++)
        if (strlen(free_keys[k]) == length && strncmp(set, free_keys[k], length) == 0) return CAROM_OK;
    if (length == strlen("observe") && strncmp(set, "observe", length) == 0)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: observables are added by carom_sim_observe; `observe` cannot be changed");
    return error_set(&sim->message, CAROM_USAGE,
                     "error: `%.*s` cannot be changed during a run: it belongs to the initial state, or to arrays that "
                     "the state consists of; start a new simulation from the present positions",
                     (int)(length < 60 ? length : 60), set);
}

static bool apart(const carom_sim *sim, const double a[3], const double b[3])
{
    double far = 0, size = 0;
    for (int k = 0; k < sim->scene->dimension; k++) {
        far = fmax(far, fabs(a[k] - b[k]));
        size = fmax(size, sim->frame.box[k]);
    }
    return !(far <= 1e-9 * size);
}

static carom_status refuse_jump(carom_sim *sim, const char *name)
{
    return error_set(&sim->message, CAROM_USAGE,
                     "error: with this change the driven surface '%s' would jump at time %.9g: keep its motion up to "
                     "then, and change it by a motion with `time: %.9g`",
                     name, sim->time, sim->time);
}

/* Displacement of a mesh by its drive. */
static void mesh_moved(const scene *s, size_t number, double time, double moved[3])
{
    for (int k = 0; k < 3; k++) moved[k] = 0;
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].mesh == number) scene_drive_moved(&s->drives[d], time, moved);
}

static const scene_drive *drive_of_mesh(const scene *s, size_t number)
{
    static const scene_drive none;
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].mesh == number) return &s->drives[d];
    return &none;
}

/* Number of pieces of a motion that have begun before a time. */
static size_t begun_pieces(const scene_drive *d, double time)
{
    size_t count = 0;
    while (count < d->motion_count && d->motion[count].time < time) count++;
    return count;
}

static bool same_motion(const scene_motion *a, const scene_motion *b)
{
    bool same = a->time == b->time && a->rate == b->rate && a->frequency == b->frequency && a->phase == b->phase;
    for (int k = 0; k < 3; k++)
        same = same && a->velocity[k] == b->velocity[k] && a->axis[k] == b->axis[k] && a->through[k] == b->through[k] &&
               a->swing[k] == b->swing[k];
    return same;
}

/* Whether a mesh that turns has another angle: its motion up to now must be the same. */
static bool turns_differently(const scene_drive *a, const scene_drive *b, double time)
{
    const size_t count = begun_pieces(a, time), other = begun_pieces(b, time);
    bool turns = false, same = count == other;
    for (size_t k = 0; k < count; k++) turns = turns || a->motion[k].rate != 0;
    for (size_t k = 0; k < other; k++) turns = turns || b->motion[k].rate != 0;
    for (size_t k = 0; same && k < count; k++) same = same_motion(&a->motion[k], &b->motion[k]);
    return turns && !same;
}

/* Driven surfaces of `hard` are where their motion since the start puts them. */
static carom_status check_motions(carom_sim *sim, const scene *fresh)
{
    const scene *s = sim->scene;
    double before[3], after[3];
    for (size_t k = 0; k < s->plane_count; k++) {
        scene_plane_moved(s, k, sim->time, before);
        scene_plane_moved(fresh, k, sim->time, after);
        if (apart(sim, before, after)) return refuse_jump(sim, s->planes[k].name);
    }
    for (size_t n = 0; n < scene_exact_count(s); n++) {
        scene_exact_moved(s, n, sim->time, before);
        scene_exact_moved(fresh, n, sim->time, after);
        if (apart(sim, before, after)) return refuse_jump(sim, scene_exact_name(s, n));
    }
    for (size_t k = 0; k < s->mesh_count; k++) {
        mesh_moved(s, k, sim->time, before);
        mesh_moved(fresh, k, sim->time, after);
        if (apart(sim, before, after) || turns_differently(drive_of_mesh(s, k), drive_of_mesh(fresh, k), sim->time))
            return refuse_jump(sim, s->meshes[k].name);
    }
    return CAROM_OK;
}

/* ---- the engine of the changed scene ------------------------------------------------------------------------------ */

/* Engines without a state of their own to take over load the saved one. */
static carom_status load_state(carom_sim *sim, void *gas)
{
    snapshot state = {0};
    carom_status status = sim->kernel->save(sim->gas, &state, &sim->message);
    if (status == CAROM_OK) status = sim->kernel->load(gas, &state, &sim->message);
    snapshot_free(&state);
    return status;
}

static carom_status make_engine(carom_sim *sim, const scene *fresh, void **gas)
{
    initial_state state = {0};
    error *e = &sim->message;
    const bool numbered = sim->kernel->add_potential != NULL || sim->engine->merges; /* positions of the start */
    carom_status status = numbered ? state_create(&state, fresh, e) : population_state(sim, fresh, 0, &state, e);
    if (status == CAROM_OK && numbered) status = sim->engine->check_state(fresh, &state, e);
    if (status == CAROM_OK) status = sim->kernel->create(gas, fresh, &state, sim->tallies, &sim->workers, e);
    if (status == CAROM_OK)
        status =
            sim->kernel->adopt != NULL ? sim->kernel->adopt(*gas, sim->gas, sim->time, NULL, e) : load_state(sim, *gas);
    if (status == CAROM_OK) status = callbacks_move(sim, *gas);
    if (status == CAROM_OK) status = rest_create(sim, fresh, &state);
    state_free(&state);
    return status;
}

static carom_status check_fresh(carom_sim *sim, const scene *fresh)
{
    if (engine_of(fresh) != sim->engine || sim->engine->kernel(fresh) != sim->kernel)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: this change selects another type of numbers or method; start a new simulation");
    return check_motions(sim, fresh);
}

/* The limits of the scene; an equal wall time is not counted from now. */
static void plan_end(carom_sim *sim, const scene *fresh)
{
    const double wall = sim->planned.wall;
    sim->planned = until_of_scene(fresh);
    if (fresh->until.wall_time == sim->scene->until.wall_time) sim->planned.wall = wall;
}

static carom_status change(carom_sim *sim, scene *fresh)
{
    void *gas = NULL;
    TRY(check_fresh(sim, fresh));
    const double before = edit_begin(sim);
    const carom_status status = make_engine(sim, fresh, &gas);
    if (status != CAROM_OK) {
        if (gas != NULL) sim->kernel->destroy(gas);
        return status;
    }
    plan_end(sim, fresh);
    change_scene(sim, fresh);
    change_engine(sim, gas);
    TRY(recordings_renew(sim));
    return edit_end(sim, before);
}

carom_status carom_sim_change(carom_sim *sim, const char *key_equals_value)
{
    ENTER(sim, "the simulation has not been created");
    NEED(sim, key_equals_value);
    scene *fresh = NULL;
    TRY(edit_check(sim, "changing the scene", true));
    TRY(check_key(sim, key_equals_value));
    sim->guard.busy = true;
    error_clear(&sim->message);
    carom_status status = change_read(sim->scene, sim->scene->source, NULL, key_equals_value, &fresh, &sim->message);
    if (status == CAROM_OK) status = change(sim, fresh);
    if (status != CAROM_OK && (fresh == NULL || sim->scene != fresh)) scene_free(fresh);
    if (status == CAROM_BAD_DATA || status == CAROM_NO_INPUT) { /* an error in the change: the state is as before */
        sim->guard.busy = false;
        return status;
    }
    return guard_leave(&sim->guard, status);
}
