/* carom_sim_*: creation, destruction and state of a simulation. */
#include "sim/sim.h"
#include "sim/forecast.h"

#include "base/cores.h"
#include "base/memory.h"
#include "base/threads.h"
#include "hard/compress.h"
#include "scene/state/watch.h"

#include <math.h>
#include <string.h>

/* ---- set-up ---------------------------------------------------------------------------------------------------- */

static bool watch_compression(double factor, void *user)
{
    carom_sim *sim = user;
    report_compression(sim, factor);
    return atomic_load(&sim->stop_requested) == 0;
}

static bool watch_placement(double fraction, void *user)
{
    carom_sim *sim = user;
    report_placement(sim, fraction);
    return atomic_load(&sim->stop_requested) == 0;
}

static void tell_repairs(carom_sim *sim)
{
    for (size_t k = 0; k < sim->state.mesh_count; k++)
        if (sim->state.repairs[k] != NULL)
            warn(sim, "mesh '%s': %s", sim->scene->meshes[k].name, sim->state.repairs[k]);
}

static void tell(const char *line, void *user)
{
    warn(user, "%s", line);
}

/* A resumed run and a saved one take their positions from the checkpoint: compression is not necessary. */
static carom_status prepare_state(carom_sim *sim, const checkpoint *saved)
{
    if (saved != NULL) TRY(population_load(sim, &saved->state, &sim->state, &sim->message));
    if (sim->state.count > 0) return CAROM_OK;
    TRY(state_create_watched(&sim->state, sim->scene, watch_placement, sim, &sim->message));
    tell_repairs(sim);
    if (sim->state.compress_to <= 0 || sim->options.resume || saved != NULL) return CAROM_OK;
    TRY(hard_compress(&sim->state, sim->scene, watch_compression, sim, &sim->message));
    return state_draw_velocities(&sim->state, sim->scene, &sim->message);
}

unsigned sim_tallies(const scene *s)
{
    unsigned tallies = 0;
    for (size_t k = 0; k < s->observe_count; k++) tallies |= observable_of(&s->observe[k])->tallies;
    return tallies;
}

size_t sim_number_of(const carom_sim *sim, size_t id)
{
    const uint32_t *ids = sim->changes.ids;
    const size_t particles = frame_particles(&sim->frame);
    size_t low = 0, high = particles;
    if (ids == NULL) return id;
    if (id >= sim->changes.next_id) return id - sim->changes.next_id + particles; /* a vertex */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < particles && ids[low] == id ? low : SIZE_MAX;
}

uint32_t sim_species_of(const carom_sim *sim, const char *name)
{
    for (uint32_t k = 0; k < sim->scene->species_count; k++)
        if (strcmp(sim->scene->species[k].name, name) == 0) return k;
    return UINT32_MAX;
}

/* Threads of a run that does not prescribe their number. Domains with thick halos, and copies of bodies with more data for frames
 * and checkpoints, take up to this many times the memory of one thread; where there is less, one thread runs. */
enum { MEMORY_OF_DOMAINS = 4 };

static void choose_threads(carom_sim *sim, size_t bytes)
{
    const bool chosen = sim->options.threads != CAROM_THREADS_AUTOMATIC || sim->engine->threads == NULL;
    if (chosen || transport_ranks(sim->workers.transport) > 1) return;
    if (sim->tallies & TALLY_CONTACTS) return; /* `hard` logs contacts on one thread */
    const int cores = cores_usable(), most = cores < CAROM_THREADS_MOST ? cores : CAROM_THREADS_MOST;
    const int threads = sim->engine->threads(sim->scene, &sim->state, most);
    sim->workers.threads = threads == 1 || memory_headroom(MEMORY_OF_DOMAINS * bytes) ? threads : 1;
}

static carom_status make_engine(carom_sim *sim)
{
    const scene *s = sim->scene;
    sim->engine = engine_of(s);
    sim->kernel = sim->engine->kernel(s);
    TRY(ranks_check_engine(sim));
    /* Present particles may be where driven meshes were at the start. */
    if (sim->changes.ids == NULL) TRY(sim->engine->check_state(s, &sim->state, &sim->message));
    size_t bytes = sim->kernel->memory(sim->state.count);
    if (!memory_can_hold(bytes)) return error_memory(&sim->message, "the engine", bytes);
    sim->tallies = sim_tallies(s);
    choose_threads(sim, bytes);
    TRY(sim->kernel->create(&sim->gas, s, &sim->state, sim->tallies, &sim->workers, &sim->message));
    sim->changes.of_engine = s;
    return CAROM_OK;
}

static carom_status prepare_engine(carom_sim *sim)
{
    TRY(make_engine(sim));
    TRY(sim_make_frame(sim, &sim->state));
    TRY(flows_create(sim));
    TRY(rest_create(sim, sim->scene, &sim->state));
    if (sim->changes.ids == NULL) forecast(sim->scene, &sim->state, tell, sim);
    const size_t count = sim->state.count;
    state_free(&sim->state); /* the engine has a copy of the state */
    sim->state.count = count;
    look(sim, 0);
    TRY(flows_check(sim));
    TRY(rest_check(sim));
    sim->initial_energy = frame_energy_of(&sim->frame).total;
    return CAROM_OK;
}

/* A run that the dynamics have ended does not go on, as that of the saved simulation. */
static void take_stop(carom_sim *sim)
{
    if (run_status_of(sim->stop) == CAROM_DYNAMICS)
        error_set(&sim->message, CAROM_DYNAMICS,
                  "error: the dynamics ended the run before it was saved: %s at time %.9g", carom_stop_name(sim->stop),
                  sim->time);
    else if (!files_has_ended(sim))
        sim->stop = CAROM_STOP_NONE;
}

/* Rows of series that were stored in another result file are missing in a new one. */
static carom_status check_new_file(carom_sim *sim)
{
    measure_result now;
    if (sim->options.output == NULL) return CAROM_OK;
    sim->last_frame = -INFINITY;
    for (size_t k = 0; k < sim->observer_count; k++) {
        TRY(sim->observers[k].kind->result(sim->observers[k].self, &now, &sim->message));
        for (size_t t = 0; t < now.table_count; t++)
            if (now.tables[t].first_row > 0)
                return error_set(&sim->message, CAROM_USAGE,
                                 "error: the saved simulation wrote a result file, which contains the earlier rows of "
                                 "'%s': load it without a result file, or resume the run of that file",
                                 sim->observers[k].entry->name);
    }
    return CAROM_OK;
}

static carom_status prepare_follower(carom_sim *sim)
{
    TRY(ranks_agree(sim));
    TRY(prepare_state(sim, NULL));
    TRY(make_engine(sim));
    state_free(&sim->state);
    return CAROM_OK;
}

/* HDF5 does not survive without memory. */
static carom_status begin_engine(carom_sim *sim)
{
    const bool writes = sim->options.output != NULL;
    if (sim->kernel->begin != NULL) TRY(sim->kernel->begin(sim->gas, &sim->message));
    return !writes || memory_headroom(0) ? CAROM_OK : error_memory(&sim->message, "a result file", 0);
}

/* A new file is last: it replaces an earlier one, which remains if there is no memory for the run. */
static carom_status open_files(carom_sim *sim)
{
    if (sim->options.resume) TRY(files_resume(sim));
    frames_release(sim);
    TRY(begin_engine(sim));
    return sim->options.resume ? CAROM_OK : files_create(sim);
}

static carom_status prepare(carom_sim *sim, const checkpoint *saved, const char *path)
{
    TRY(ranks_join(sim, saved != NULL));
    if (sim->follows) return prepare_follower(sim);
    const scene_output *output = &sim->scene->output;
    sim->frames = (rhythm){.every = output->frames_every, .every_collisions = output->frames_every_collisions};
    sim->last_frame = -INFINITY;
    sim->planned = sim->until = until_of_scene(sim->scene);
    sim->began_wall = clock_wall();
    TRY(files_look(sim));
    if (saved != NULL) TRY(files_check_same(sim, saved, path, "load", &sim->message));
    TRY(ranks_agree(sim));
    TRY(prepare_state(sim, saved));
    TRY(prepare_engine(sim));
    TRY(observers_create(sim));
    TRY(inputs_create(sim));
    if (saved != NULL) {
        TRY(files_load_state(sim, &saved->state));
        take_stop(sim);
        TRY(check_new_file(sim));
    }
    TRY(recordings_check(sim));
    TRY(open_files(sim));
    TRY(recordings_create(sim));
    frames_release(sim);
    sim->setup_s = clock_wall() - sim->began_wall;
    return CAROM_OK;
}

int carom_cores(void)
{
    return cores_usable();
}

carom_status sim_create(carom_sim **out, const carom_scene *loaded, const carom_options *options,
                        const checkpoint *saved, const char *path)
{
    carom_sim *sim = NEW_ARRAY(1, carom_sim);
    *out = sim;
    if (sim == NULL) return CAROM_INTERNAL;
    if (options != NULL) sim->options = *options;
    if (loaded == NULL || loaded->checked == NULL)
        return error_set(&sim->message, CAROM_USAGE, "error: no scene has been loaded");
    sim->scene = loaded->checked;
    const int threads = sim->options.threads;
    if (threads != CAROM_THREADS_AUTOMATIC && (threads < 0 || threads > CAROM_THREADS_MOST))
        return error_set(&sim->message, CAROM_USAGE, "error: the number of threads must be 1 to %d (0: one), not %d",
                         CAROM_THREADS_MOST, threads);
    threads_set(threads);
    sim->workers.threads = threads > 0 ? threads : 1;
    sim->guard.busy = true; /* compression and files call callbacks */
    const carom_status status = prepare(sim, saved, path);
    ranks_fail(sim, status);
    return guard_made(&sim->guard, status);
}

carom_status carom_sim_new(carom_sim **out, const carom_scene *loaded, const carom_options *options)
{
    return out != NULL ? sim_create(out, loaded, options, NULL, NULL) : CAROM_USAGE;
}

void carom_sim_free(carom_sim *sim)
{
    if (sim == NULL || sim->guard.busy) return;
    error ignored = {0};
    observers_destroy(sim);
    flows_destroy(sim);
    rest_destroy(sim);
    if (sim->result != NULL) (void)result_close(sim->result, &ignored);
    frames_end(sim);
    if (sim->gas != NULL) sim->kernel->destroy(sim->gas);
    callbacks_destroy(sim);
    recordings_destroy(sim);
    frame_destroy(&sim->frame);
    state_free(&sim->state);
    links_free(&sim->links);
    change_destroy(sim);
    error_clear(&sim->message);
    error_clear(&ignored);
    memory_free(sim->inputs);
    memory_free(sim);
}

/* ---- asking and looking ------------------------------------------------------------------------------------------ */

void carom_sim_request_stop(carom_sim *sim)
{
    if (sim == NULL) return;
    atomic_store(&sim->stop_requested, 1);
    transport_hurry(sim->workers.transport);
}

void carom_sim_request_checkpoint(carom_sim *sim)
{
    if (sim != NULL) atomic_store(&sim->checkpoint_requested, 1);
}

const char *carom_sim_message(const carom_sim *sim)
{
    return sim != NULL ? error_text(&sim->message) : "error: out of memory";
}

size_t carom_sim_fault_count(const carom_sim *sim)
{
    return sim != NULL ? sim->message.fault_count : 0;
}

const carom_fault *carom_sim_fault(const carom_sim *sim, size_t n)
{
    return sim != NULL && n < sim->message.fault_count ? &sim->message.faults[n] : NULL;
}

carom_stop carom_sim_stop(const carom_sim *sim)
{
    return sim != NULL ? sim->stop : CAROM_STOP_NONE;
}

double carom_sim_time(const carom_sim *sim)
{
    return sim != NULL ? sim->time : 0;
}

uint64_t carom_sim_events(const carom_sim *sim, const char *kind)
{
    if (sim == NULL || kind == NULL || sim->gas == NULL) return 0;
    const uint64_t *events = sim->kernel->events(sim->gas);
    if (strcmp(kind, "total") == 0) return events_total(events);
    for (int k = 0; k < EVENT_KINDS; k++)
        if (strcmp(kind, event_kind_names[k]) == 0) return events[k];
    return 0;
}
