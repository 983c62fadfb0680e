/* The result file and the checkpoint of a run. */
#include "sim/sim.h"

#include "base/memory.h"
#include "output/results/read.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* State of the run in a checkpoint, besides engine and observers. */
typedef struct run_part {
    double time, last_frame, initial_energy, cpu_s, wall_s;
    int64_t stop;
    rhythm frames;
    double supplied; /* by changes from outside */
} run_part;

typedef struct observer_part {
    rhythm rhythm;
    int64_t begun;
    double last_time;
} observer_part;

/* ---- the result file --------------------------------------------------------------------------------------------- */

static carom_status shapes(carom_sim *sim, result_observable *watched, measure_result *results)
{
    for (size_t k = 0; k < sim->observer_count; k++) {
        observer *o = &sim->observers[k];
        TRY(o->kind->result(o->self, &results[k], &sim->message));
        watched[k] = (result_observable){o->entry->name, o->kind->settings->name, &results[k]};
    }
    return CAROM_OK;
}

/* Events after the last complete block in the file are in the checkpoint. */
static carom_status restore_events(carom_sim *sim, const snapshot *in)
{
    const snapshot_array *pending = snapshot_find(in, "events");
    if (pending == NULL || pending->type != SNAPSHOT_U8 || pending->count % sizeof(carom_event) != 0)
        return error_set(&sim->message, CAROM_BAD_DATA,
                         "error: the checkpoint has no events, which its scene records; start again with --force");
    return result_events(sim->result, pending->data, pending->count / sizeof(carom_event), &sim->message);
}

static carom_status open_result(carom_sim *sim, const checkpoint *from)
{
    size_t n = sim->observer_count;
    const scene *s = sim->scene;
    result_observable *watched = NEW_ARRAY(n, result_observable);
    measure_result *results = NEW_ARRAY(n, measure_result);
    const char **species = NEW_ARRAY(s->species_count, const char *);
    carom_status status = CAROM_OK;
    if (watched == NULL || results == NULL || species == NULL)
        status = error_memory(&sim->message, "the result file", n * 64);
    if (status == CAROM_OK) status = shapes(sim, watched, results);
    const bool linked =
        (sim->engine->links != NULL && sim->engine->links(s)) || sim->links.meshes > 0 || s->bonds_count > 0;
    if (status == CAROM_OK) {
        for (size_t k = 0; k < s->species_count; k++) species[k] = s->species[k].name;
        result_header header = {carom_version(),
                                carom_commit(),
                                s->resolved,
                                s->title,
                                sim->engine->settings->name,
                                from ? "resumed" : "",
                                s->seed,
                                sim->options.threads,
                                species,
                                s->species_count,
                                linked ? &sim->links : NULL,
                                s->output.events.given,
                                sim->engine->lasting,
                                (int)s->output.compression};
        status = from == NULL ? result_create(&sim->result, sim->options.output, sim->options.force, &header, watched,
                                              n, &sim->frame, &sim->message)
                              : result_resume(&sim->result, sim->options.output, from->lengths, from->length_count,
                                              &header, watched, n, &sim->frame, &sim->message);
    }
    memory_free(watched);
    memory_free(results);
    memory_free(species);
    if (status == CAROM_OK && from != NULL && s->output.events.given) status = restore_events(sim, &from->state);
    return status;
}

/* Whether a result contains a checkpoint. False for other files; an error for a damaged result. */
static carom_status look_within(const char *output, bool *holds, error *e)
{
    reader *r;
    *holds = false;
    if (!h5_begins(output)) return CAROM_OK;
    carom_status status = reader_open(&r, output, e);
    if (status == CAROM_OK) *holds = reader_about(r)->checkpoint > 0;
    reader_close(r);
    return status;
}

static carom_status look_for_run(const char *output, const char *beside, error *e)
{
    bool begun = access(output, F_OK) == 0, kept = access(beside, F_OK) == 0;
    if (begun && kept) return CAROM_OK;
    bool within = false;
    if (begun) TRY(look_within(output, &within, e));
    if (within) return CAROM_OK;
    if (begun)
        return error_set(e, CAROM_NO_INPUT,
                         "error: cannot resume '%s': there is no checkpoint '%s'; start again with --force", output,
                         beside);
    if (kept)
        return error_set(
            e, CAROM_NO_INPUT,
            "error: cannot resume '%s': the file does not exist, only its checkpoint; start again with --force",
            output);
    return error_set(e, CAROM_NO_INPUT,
                     "error: cannot resume '%s': there is no such run yet; start it without --resume", output);
}

static carom_status refuse_own_source(carom_sim *sim, const char *path)
{
    if (!scene_reads(sim->scene, path)) return CAROM_OK;
    return error_set(&sim->message, CAROM_USAGE,
                     "error: the run would replace '%s', an input file of the scene; give the result another name",
                     path);
}

carom_status files_look(carom_sim *sim)
{
    const char *output = sim->options.output;
    if (output != NULL) TRY(refuse_own_source(sim, output));
    if (output == NULL && !sim->options.resume) return CAROM_OK;
    if (output == NULL) return error_set(&sim->message, CAROM_USAGE, "error: no result file is given to resume from");
    char *beside = checkpoint_path(output);
    if (beside == NULL) return error_memory(&sim->message, "a file name", strlen(output));
    carom_status status = refuse_own_source(sim, beside);
    if (status == CAROM_OK)
        status = sim->options.resume ? look_for_run(output, beside, &sim->message)
                                     : result_look(output, sim->options.force, &sim->message);
    memory_free(beside);
    return status;
}

carom_status files_create(carom_sim *sim)
{
    if (sim->options.output == NULL) return CAROM_OK;
    return open_result(sim, NULL);
}

carom_status files_create_again(carom_sim *sim)
{
    if (sim->result == NULL) return CAROM_OK;
    const bool force = sim->options.force;
    carom_status status = result_close(sim->result, &sim->message);
    sim->result = NULL;
    sim->options.force = true; /* the file of this simulation, without frames */
    if (status == CAROM_OK) status = open_result(sim, NULL);
    sim->options.force = force;
    return status;
}

carom_status files_frame(carom_sim *sim)
{
    return sim->result != NULL ? result_frame(sim->result, &sim->frame, &sim->message) : CAROM_OK;
}

carom_status files_finish(carom_sim *sim)
{
    if (sim->result == NULL) return CAROM_OK;
    char *summary = summary_text(sim);
    if (summary == NULL) return error_memory(&sim->message, "the summary", 1 << 16);
    look(sim, sim->time);
    carom_status status = result_finish(sim->result, carom_stop_name(sim->stop), summary, &sim->frame, &sim->message);
    carom_free(summary);
    return status;
}

/* ---- writing a checkpoint ---------------------------------------------------------------------------------------- */

static carom_status save_run(const carom_sim *sim, snapshot *out, error *e)
{
    run_part run;
    memset(&run, 0, sizeof run);
    run.time = sim->time;
    run.last_frame = sim->last_frame;
    run.initial_energy = sim->initial_energy;
    run.cpu_s = sim->cpu_s;
    run.wall_s = sim->wall_s;
    run.stop = sim->stop;
    run.frames = sim->frames;
    run.supplied = sim->changes.supplied;
    return snapshot_put(out, "run", SNAPSHOT_U8, sizeof run, &run, e);
}

static carom_status save_events(const carom_sim *sim, snapshot *out, error *e)
{
    size_t count;
    if (sim->result == NULL || !sim->scene->output.events.given) return CAROM_OK;
    const carom_event *pending = result_pending_events(sim->result, &count);
    return snapshot_put(out, "events", SNAPSHOT_U8, count * sizeof *pending, pending, e);
}

static carom_status save_observer(const observer *o, size_t k, snapshot *out, error *e)
{
    char name[64];
    observer_part part;
    memset(&part, 0, sizeof part);
    part.rhythm = o->rhythm;
    part.begun = o->begun;
    part.last_time = o->last_time;
    snprintf(name, sizeof name, "observer/%zu/when", k);
    TRY(snapshot_put(out, name, SNAPSHOT_U8, sizeof part, &part, e));
    snprintf(name, sizeof name, "observer/%zu/state", k);
    return o->kind->save(o->self, name, out, e);
}

carom_status files_save_state(const carom_sim *sim, snapshot *out, error *e)
{
    TRY(save_run(sim, out, e));
    TRY(inputs_save(sim, out, e));
    TRY(save_events(sim, out, e));
    TRY(flows_save(sim, out, e));
    TRY(rest_save(sim, out, e));
    for (size_t k = 0; k < sim->observer_count; k++) TRY(save_observer(&sim->observers[k], k, out, e));
    return sim->kernel->save(sim->gas, out, e);
}

static carom_status write_checkpoint(carom_sim *sim, const char *path, checkpoint *c)
{
    const uint64_t *events = sim->kernel->events(sim->gas);
    c->version = (char *)carom_version();
    c->commit = (char *)carom_commit();
    c->scene = sim->scene->resolved;
    c->title = sim->scene->title;
    c->engine = (char *)sim->engine->settings->name;
    c->time = fmax(sim->time, sim->kernel->time(sim->gas));
    c->particles = frame_particles(&sim->frame);
    c->events = events_total(events);
    c->collisions = events[EVENT_COLLISION];
    result_lengths(sim->result, c->lengths);
    TRY(files_save_state(sim, &c->state, &sim->message));
    TRY(result_sync(sim->result, &sim->message));
    TRY(checkpoint_write(path, c, &sim->message));
    sim->checkpoint_time = c->time;
    return CAROM_OK;
}

carom_status files_checkpoint(carom_sim *sim)
{
    sim->last_checkpoint = clock_wall();
    if (sim->result == NULL) return CAROM_OK;
    TRY(observers_store(sim));
    checkpoint c = {.length_count = result_length_count(sim->result)};
    char *path = checkpoint_path(sim->options.output);
    c.lengths = NEW_ARRAY(c.length_count, uint64_t);
    carom_status status = path != NULL && c.lengths != NULL ? write_checkpoint(sim, path, &c)
                                                            : error_memory(&sim->message, "the checkpoint", 256);
    snapshot_free(&c.state);
    memory_free(c.lengths);
    memory_free(path);
    return status;
}

/* Whether the run is complete: only larger limits in `run.until` continue it. */
static bool is_over(carom_stop stop)
{
    return stop == CAROM_STOP_TIME || stop == CAROM_STOP_COLLISIONS || stop == CAROM_STOP_EVENTS ||
           stop == CAROM_STOP_CLUSTERS || stop == CAROM_STOP_PRESSURE || stop == CAROM_STOP_NO_EVENTS ||
           stop == CAROM_STOP_REST;
}

carom_status files_tidy(carom_sim *sim)
{
    if (sim->result == NULL || sim->options.keep_checkpoint || !is_over(sim->stop)) return CAROM_OK;
    char *path = checkpoint_path(sim->options.output);
    if (path == NULL) return error_memory(&sim->message, "the checkpoint", 256);
    carom_status status = result_embed(sim->result, path, &sim->message);
    if (status == CAROM_OK && unlink(path) != 0)
        warn(sim, "the checkpoint '%s' cannot be removed: %s", path, strerror(errno));
    memory_free(path);
    return status;
}

/* ---- resuming ---------------------------------------------------------------------------------------------------- */

carom_status files_check_same(const carom_sim *sim, const checkpoint *c, const char *path, const char *verb, error *e)
{
    char *key = NULL;
    TRY(sim->options.resume ? scene_difference_of_file(c->scene, sim->scene->resolved, &key, e)
                            : scene_difference(c->scene, sim->scene->resolved, &key, e));
    if (key != NULL) {
        error_set(e, CAROM_BAD_DATA,
                  "error: cannot %s '%s': the scene differs at `%s`; undo the change (%s may change), or start anew%s",
                  verb, path, key,
                  strncmp(key, "output", 6) == 0 ? "all of output but its events" : "only run.until and output",
                  sim->options.resume ? " with --force" : "");
        memory_free(key);
        return CAROM_BAD_DATA;
    }
    bool same_build = strcmp(c->version, carom_version()) == 0 && strcmp(c->commit, carom_commit()) == 0;
    if (same_build) return CAROM_OK;
    if (!sim->options.force)
        return error_set(e, CAROM_BAD_DATA,
                         "error: checkpoint '%s' was written by carom %s (%s), this is %s (%s): the results may differ "
                         "in their bits; use that build, or --resume --force to continue with this one",
                         path, c->version, c->commit, carom_version(), carom_commit());
    warn(sim, "the checkpoint was written by carom %s (%s); this is %s (%s)", c->version, c->commit, carom_version(),
         carom_commit());
    return CAROM_OK;
}

static carom_status load_observer(carom_sim *sim, size_t k, const snapshot *in)
{
    char name[64];
    observer_part part;
    observer *o = &sim->observers[k];
    snprintf(name, sizeof name, "observer/%zu/when", k);
    TRY(snapshot_get(in, name, SNAPSHOT_U8, sizeof part, &part, &sim->message));
    o->rhythm = part.rhythm;
    o->begun = part.begun != 0;
    o->last_time = part.last_time;
    snprintf(name, sizeof name, "observer/%zu/state", k);
    return o->kind->load(o->self, name, in, &sim->message);
}

/* Restores the count of a rhythm; counts again if its interval in the scene has changed. */
static void take_rhythm(rhythm *r, const rhythm *before, double time, const uint64_t *events)
{
    bool same = r->every == before->every && r->every_collisions == before->every_collisions;
    if (same)
        r->done = before->done;
    else
        rhythm_skip(r, time, events);
}

carom_status files_load_state(carom_sim *sim, const snapshot *in)
{
    run_part run;
    TRY(inputs_check(sim, in));
    TRY(snapshot_get(in, "run", SNAPSHOT_U8, sizeof run, &run, &sim->message));
    frames_leave_state(sim, 0);
    TRY(sim->kernel->load(sim->gas, in, &sim->message));
    TRY(flows_load(sim, in));
    sim->time = run.time;
    sim->last_frame = run.last_frame;
    sim->initial_energy = run.initial_energy;
    sim->cpu_s = sim->earlier_cpu_s = run.cpu_s;
    sim->wall_s = sim->earlier_wall_s = run.wall_s;
    sim->stop = (carom_stop)run.stop;
    sim->changes.supplied = run.supplied;
    TRY(rest_load(sim, in));
    take_rhythm(&sim->frames, &run.frames, run.time, sim->kernel->events(sim->gas));
    for (size_t k = 0; k < sim->observer_count; k++) TRY(load_observer(sim, k, in));
    look(sim, fmax(sim->time, sim->kernel->time(sim->gas)));
    return CAROM_OK;
}

/* Whether the run ended at a limit that is also a limit of this scene. */
bool files_has_ended(carom_sim *sim)
{
    if (sim->stop == CAROM_STOP_NO_EVENTS) return true;
    if (sim->stop == CAROM_STOP_NONE || limit_met(sim) == CAROM_STOP_NONE) return false;
    sim->stop = limit_met(sim);
    return true;
}

static carom_status read_within(checkpoint *c, const char *output, error *e)
{
    reader *r;
    *c = (checkpoint){0};
    carom_status status = reader_open(&r, output, e);
    if (status == CAROM_OK) status = reader_checkpoint(r, c, e);
    reader_close(r);
    return status;
}

/* Continues from the checkpoint file `path`, or from the checkpoint in the result. The continuation overwrites the
 * result and the checkpoint in it, which is therefore first written to its file. */
static carom_status go_on_from(carom_sim *sim, const checkpoint *c, const char *path, bool within)
{
    TRY(files_check_same(sim, c, within ? sim->options.output : path, "resume from", &sim->message));
    TRY(files_load_state(sim, &c->state));
    sim->checkpoint_time = c->time;
    const bool ended = files_has_ended(sim);
    sim->finished = ended && result_is_whole(sim->options.output);
    if (sim->finished) {
        warn(sim, "the run is finished: %s%s at time %.9g; nothing to resume",
             sim->stop == CAROM_STOP_NO_EVENTS ? "no further events" : "stopped by ",
             sim->stop == CAROM_STOP_NO_EVENTS ? "" : carom_stop_name(sim->stop), sim->time);
        return observers_finish(sim); /* the checkpoint was written before the last sample */
    }
    if (!ended) sim->stop = CAROM_STOP_NONE; /* if it has ended, the steps after the last checkpoint are repeated */
    if (within) TRY(checkpoint_write(path, c, &sim->message));
    return open_result(sim, c);
}

static carom_status resume(carom_sim *sim, const char *path)
{
    checkpoint c;
    const bool within = access(path, F_OK) != 0;
    carom_status status =
        within ? read_within(&c, sim->options.output, &sim->message) : checkpoint_read(&c, path, &sim->message);
    if (status == CAROM_OK) status = go_on_from(sim, &c, path, within);
    checkpoint_free(&c);
    return status;
}

carom_status files_resume(carom_sim *sim)
{
    char *path = checkpoint_path(sim->options.output);
    if (path == NULL) return error_memory(&sim->message, "the checkpoint", 256);
    carom_status status = resume(sim, path);
    memory_free(path);
    return status;
}
