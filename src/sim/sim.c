/* carom_sim_*: making and freeing a simulation, and looking at it. */
#include "sim/sim.h"

#include "base/memory.h"
#include "base/threads.h"
#include "hard/compress.h"

#include <math.h>

/* ---- set-up ---------------------------------------------------------------------------------------------------- */

static bool watch_compression(double factor, void *user)
{
    carom_sim *sim = user;
    report_compression(sim, factor);
    return atomic_load(&sim->stop_requested) == 0;
}

/* A resumed run takes its positions from the checkpoint: there is nothing to compress. */
static carom_status prepare_state(carom_sim *sim)
{
    TRY(state_create(&sim->state, sim->scene, &sim->message));
    if (sim->state.compress_to <= 0 || sim->options.resume) return CAROM_OK;
    TRY(hard_compress(&sim->state, sim->scene, watch_compression, sim, &sim->message));
    return state_draw_velocities(&sim->state, sim->scene, &sim->message);
}

static unsigned tallies_wanted(const scene *s)
{
    unsigned tallies = 0;
    for (size_t k = 0; k < s->observe_count; k++) tallies |= observable_of(&s->observe[k])->tallies;
    return tallies;
}

static carom_status prepare_engine(carom_sim *sim)
{
    const scene *s = sim->scene;
    sim->engine = engine_of(s);
    sim->kernel = sim->engine->kernel(s);
    TRY(sim->engine->check_state(s, &sim->state, &sim->message));
    size_t bytes = sim->kernel->memory(sim->state.count);
    if (!memory_can_hold(bytes)) return error_memory(&sim->message, "the engine", bytes);
    TRY(sim->kernel->create(&sim->gas, s, &sim->state, tallies_wanted(s), &sim->message));
    TRY(links_of_scene(&sim->links, s, &sim->state, &sim->message));
    size_t count = sim->state.count;
    state_free(&sim->state); /* from now on the engine knows who is where */
    sim->state.count = count;
    TRY(frame_create(&sim->frame, s->dimension, count, &sim->message));
    if (sim->engine->merges) TRY(frame_add_clusters(&sim->frame, &sim->message));
    if (sim->engine->rotates != NULL && sim->engine->rotates(s))
        TRY(frame_add_spins(&sim->frame, !sim->engine->merges, &sim->message));
    if (s->ellipsoids) TRY(frame_add_axes(&sim->frame, &sim->message));
    if (sim->engine->layers) TRY(frame_add_layers(&sim->frame, &sim->message));
    look(sim, 0);
    sim->initial_energy = frame_energy_of(&sim->frame).total;
    return CAROM_OK;
}

static carom_status prepare(carom_sim *sim)
{
    const scene_output *output = &sim->scene->output;
    sim->frames = (rhythm){.every = output->frames_every, .every_collisions = output->frames_every_collisions};
    sim->last_frame = -INFINITY;
    sim->began_wall = clock_wall();
    TRY(files_look(sim));
    TRY(prepare_state(sim));
    TRY(prepare_engine(sim));
    TRY(observers_create(sim));
    TRY(sim->options.resume ? files_resume(sim) : files_create(sim));
    sim->setup_s = clock_wall() - sim->began_wall;
    return CAROM_OK;
}

carom_status carom_sim_new(carom_sim **out, const carom_scene *loaded, const carom_options *options)
{
    carom_sim *sim = NEW_ARRAY(1, carom_sim);
    *out = sim;
    if (sim == NULL) return CAROM_INTERNAL;
    if (options != NULL) sim->options = *options;
    if (loaded == NULL || loaded->checked == NULL)
        return error_set(&sim->message, CAROM_USAGE, "error: no scene has been loaded");
    sim->scene = loaded->checked;
    threads_set(sim->options.threads);
    return prepare(sim);
}

void carom_sim_free(carom_sim *sim)
{
    if (sim == NULL) return;
    error ignored = {0};
    observers_destroy(sim);
    if (sim->result != NULL) (void)result_close(sim->result, &ignored);
    if (sim->gas != NULL) sim->kernel->destroy(sim->gas);
    frame_destroy(&sim->frame);
    state_free(&sim->state);
    links_free(&sim->links);
    error_clear(&sim->message);
    error_clear(&ignored);
    memory_free(sim);
}

carom_status carom_sim_add_potential(carom_sim *sim, const carom_potential *p)
{
    if (sim->gas == NULL || p == NULL || p->force == NULL || !(p->step > 0))
        return error_set(&sim->message, CAROM_USAGE, "error: a potential needs a force and a step, and a simulation");
    if (sim->kernel->add_potential == NULL)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: the engine `%s` has no potentials; use `engine: variational`",
                         sim->engine->settings->name);
    for (size_t k = 0; p->particles != NULL && k < p->count; k++)
        if (p->particles[k] >= sim->frame.count)
            return error_set(&sim->message, CAROM_USAGE,
                             "error: there is no particle %zu: they are numbered from 0 to %zu", p->particles[k],
                             sim->frame.count - 1);
    TRY(sim->kernel->add_potential(sim->gas, p, &sim->message));
    if (sim->result != NULL) TRY(result_not_closed(sim->result, &sim->message));
    if (sim->time > 0) return CAROM_OK;
    look(sim, 0);
    sim->initial_energy = frame_energy_of(&sim->frame).total;
    return CAROM_OK;
}

/* ---- asking and looking ------------------------------------------------------------------------------------------ */

void carom_sim_request_stop(carom_sim *sim)
{
    atomic_store(&sim->stop_requested, 1);
}

void carom_sim_request_checkpoint(carom_sim *sim)
{
    atomic_store(&sim->checkpoint_requested, 1);
}

const char *carom_sim_message(const carom_sim *sim)
{
    return error_text(&sim->message);
}

carom_stop carom_sim_stop(const carom_sim *sim)
{
    return sim->stop;
}

const carom_frame *carom_sim_frame(carom_sim *sim)
{
    look(sim, sim->time);
    return &sim->frame;
}
