/* carom_sim_observe, and the present results of observables. */
#include "sim/sim.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---- the entry in the scene -------------------------------------------------------------------------------------- */

/* The resolved scene with one more item of `observe`, which is its last part without an empty list: "observe: []". */
static char *with_entry(const char *resolved, const char *entry)
{
    static const char none[] = "\nobserve: []\n", some[] = "\nobserve:\n";
    const char *at = strstr(resolved, none);
    if (at != NULL)
        return memory_format("%.*s\nobserve:\n  - %s\n%s", (int)(at - resolved), resolved, entry, at + strlen(none));
    at = strstr(resolved, some);
    if (at == NULL) return memory_format("%s\nobserve:\n  - %s\n", resolved, entry);
    at += strlen(some);
    while (*at == ' ') at += strcspn(at, "\n") + 1;
    return memory_format("%.*s  - %s\n%s", (int)(at - resolved), resolved, entry, at);
}

static char *with_start(const char *entry, double start)
{
    const size_t length = strlen(entry);
    return memory_format("%.*s, start: %.17g}", (int)(length - 1), entry, start);
}

/* One map in braces on one line, so that it cannot add anything else to the scene. */
static carom_status check_entry(carom_sim *sim, const char *entry)
{
    const size_t length = strlen(entry);
    if (length >= 2 && length < 10000 && entry[0] == '{' && entry[length - 1] == '}' && strpbrk(entry, "\n\r#") == NULL)
        return CAROM_OK;
    return error_set(&sim->message, CAROM_USAGE,
                     "error: an observable is added by one map on one line, as {what: pressure, every: 0.1}");
}

static carom_status read_with(carom_sim *sim, const char *entry, scene **fresh)
{
    char *text = with_entry(sim->scene->resolved, entry);
    if (text == NULL) return error_memory(&sim->message, "an observable", strlen(entry));
    carom_status status = change_read(sim->scene, "(observe)", text, NULL, fresh, &sim->message);
    memory_free(text);
    if (status != CAROM_OK) return status;
    if ((*fresh)->observe_count == sim->scene->observe_count + 1) return CAROM_OK;
    scene_free(*fresh);
    *fresh = NULL;
    return error_set(&sim->message, CAROM_USAGE, "error: '%s' is not one observable", entry);
}

/* Without a start, observation begins now. */
static carom_status read_entry(carom_sim *sim, const char *entry, scene **fresh)
{
    TRY(read_with(sim, entry, fresh));
    const scene_observe *added = &(*fresh)->observe[(*fresh)->observe_count - 1];
    if (added->start >= sim->time) return CAROM_OK;
    const bool given = added->start > 0;
    scene_free(*fresh);
    *fresh = NULL;
    if (given)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: the start of the observable is before the present time, %.9g; leave out `start`",
                         sim->time);
    char *begun = with_start(entry, sim->time);
    if (begun == NULL) return error_memory(&sim->message, "an observable", strlen(entry));
    const carom_status status = read_with(sim, begun, fresh);
    memory_free(begun);
    return status;
}

/* ---- the observer ------------------------------------------------------------------------------------------------ */

static carom_status record(carom_sim *sim, const scene *fresh)
{
    const unsigned more = sim_tallies(fresh) & ~sim->tallies;
    if (more != 0) TRY(edit_ranks(sim, "an observable with tallies of its own"));
    frames_leave_state(sim, FRAME_FIXED);
    if (more != 0 && sim->kernel->record != NULL) TRY(sim->kernel->record(sim->gas, sim->time, more, &sim->message));
    sim->tallies |= more;
    return CAROM_OK;
}

static void drop_last(carom_sim *sim, size_t count)
{
    while (sim->observer_count > count) {
        observer *o = &sim->observers[--sim->observer_count];
        if (o->self != NULL) o->kind->destroy(o->self);
    }
}

/* *taken: the scene belongs to the simulation. */
static carom_status observe(carom_sim *sim, scene *fresh, bool *taken)
{
    const scene *before = sim->scene;
    const size_t count = sim->observer_count;
    TRY(record(sim, fresh));
    look(sim, sim->time);
    sim->scene = fresh;
    const carom_status status = observers_add(sim);
    sim->scene = before;
    if (status != CAROM_OK) {
        drop_last(sim, count);
        return status;
    }
    change_scene(sim, fresh);
    *taken = true;
    return files_create_again(sim);
}

carom_status carom_sim_observe(carom_sim *sim, const char *entry)
{
    ENTER(sim, "the simulation has not been created");
    NEED(sim, entry);
    scene *fresh = NULL;
    bool taken = false;
    error_clear(&sim->message);
    if (sim->result != NULL && sim->begun)
        return error_set(
            &sim->message, CAROM_USAGE,
            "error: the run writes a result file and has begun: the observables of the file are fixed; add "
            "them before, or to the scene");
    TRY(check_entry(sim, entry));
    sim->guard.busy = true;
    carom_status status = read_entry(sim, entry, &fresh);
    if (status == CAROM_OK) status = observe(sim, fresh, &taken);
    if (!taken) scene_free(fresh);
    if (status != CAROM_BAD_DATA) return guard_leave(&sim->guard, status);
    sim->guard.busy = false; /* an error in the entry */
    return status;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

const carom_observable *carom_sim_observable(carom_sim *sim, size_t n)
{
    measure_result now;
    if (!USABLE(sim) || n >= sim->observer_count) return NULL;
    observer *o = &sim->observers[n];
    error_clear(&sim->message);
    if (o->kind->result(o->self, &now, &sim->message) != CAROM_OK) return NULL;
    sim->shown = (carom_observable){.name = o->entry->name,
                                    .what = o->kind->settings->name,
                                    .values = now.values,
                                    .value_count = now.value_count,
                                    .tables = now.tables,
                                    .table_count = now.table_count};
    return &sim->shown;
}
