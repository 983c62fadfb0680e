/* The run loop: the engine advances to the next time at which a sample, a frame or a limit is due; observers and
 * files receive the frame. */
#include "sim/sim.h"

#include <math.h>

double until_time(const scene *s)
{
    return s->until.time;
}

uint64_t until_events(const scene *s)
{
    return s->until.events > 0 ? s->until.events : UINT64_MAX;
}

uint64_t until_collisions(const scene *s)
{
    return s->until.collisions > 0 ? s->until.collisions : UINT64_MAX;
}

uint64_t until_clusters(const scene *s)
{
    return s->until.clusters > 0 ? s->until.clusters : 1;
}

carom_stop limit_met(const carom_sim *sim)
{
    const uint64_t *events = sim->kernel->events(sim->gas);
    if (sim->time >= until_time(sim->scene)) return CAROM_STOP_TIME;
    if (events[EVENT_COLLISION] >= until_collisions(sim->scene)) return CAROM_STOP_COLLISIONS;
    if (events_total(events) >= until_events(sim->scene)) return CAROM_STOP_EVENTS;
    if (sim->engine->merges && sim->kernel->clusters(sim->gas) <= until_clusters(sim->scene))
        return CAROM_STOP_CLUSTERS;
    return CAROM_STOP_NONE;
}

void look(carom_sim *sim, double time)
{
    sim->kernel->fill_frame(sim->gas, time, &sim->frame);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void narrow(engine_limits *limits, const rhythm *r)
{
    limits->time = fmin(limits->time, fmax(rhythm_time(r), r->start));
    limits->events = lesser(limits->events, rhythm_events(r));
    limits->collisions = lesser(limits->collisions, rhythm_collisions(r));
}

/* The next time or count at which a sample, a frame or a limit is due. */
static engine_limits next_halt(const carom_sim *sim, const run_reach *reach)
{
    engine_limits limits = {fmin(reach->time, until_time(sim->scene)),
                            lesser(reach->events, until_events(sim->scene)),
                            until_collisions(sim->scene),
                            sim->slice,
                            until_clusters(sim->scene),
                            sim->scene->until.pressure};
    narrow(&limits, &sim->frames);
    for (size_t k = 0; k < sim->observer_count; k++) {
        const observer *o = &sim->observers[k];
        if (o->begun)
            narrow(&limits, &o->rhythm);
        else
            limits.time = fmin(limits.time, o->entry->start);
    }
    return limits;
}

static carom_status take_frame(carom_sim *sim)
{
    look(sim, sim->time);
    TRY(callbacks_check(sim));
    sim->last_frame = sim->time;
    return files_frame(sim);
}

static carom_status frame_if_due(carom_sim *sim)
{
    const uint64_t *events = sim->kernel->events(sim->gas);
    if (!rhythm_due(&sim->frames, sim->time, events)) return CAROM_OK;
    TRY(take_frame(sim));
    rhythm_pass(&sim->frames, sim->time, events);
    return CAROM_OK;
}

static carom_status all_due(carom_sim *sim)
{
    TRY(observers_sample_due(sim, sim->time));
    return frame_if_due(sim);
}

/* Stop and checkpoint requests, wall time. */
static carom_status mind_the_clock(carom_sim *sim)
{
    double now = clock_wall(), every = sim->scene->output.checkpoint_every_wall, most = sim->scene->until.wall_time;
    sim->wall_s = sim->earlier_wall_s + now - sim->began_wall;
    sim->cpu_s = sim->earlier_cpu_s + clock_cpu() - sim->began_cpu;
    report_progress(sim, false);
    if (sim->stop != CAROM_STOP_NONE) return CAROM_OK;
    if (atomic_load(&sim->stop_requested))
        sim->stop = CAROM_STOP_SIGNAL;
    else if (most > 0 && now - sim->began_wall >= most)
        sim->stop = CAROM_STOP_WALL_TIME;
    if (sim->stop != CAROM_STOP_NONE) return CAROM_OK; /* the end of the run writes a checkpoint */
    bool wanted = atomic_exchange(&sim->checkpoint_requested, 0) != 0;
    if (wanted || (every > 0 && now - sim->last_checkpoint >= every)) return files_checkpoint(sim);
    return CAROM_OK;
}

static carom_status status_of(carom_stop stop)
{
    switch (stop) {
    case CAROM_STOP_COLLAPSE:
    case CAROM_STOP_NO_PROGRESS:
    case CAROM_STOP_SQUEEZED:
    case CAROM_STOP_STRETCHED:
        return CAROM_DYNAMICS;
    case CAROM_STOP_SIGNAL:
        return CAROM_EARLY;
    default:
        return CAROM_OK;
    }
}

/* Advances the engine to the next halt, or by one slice. The next slice is shorter if this one took longer than
 * `seconds`, and longer if it was complete and short: operations differ in cost. */
static carom_status advance(carom_sim *sim, const engine_limits *limits, double seconds, carom_stop *stop)
{
    const double began = clock_wall();
    const carom_status status = sim->kernel->advance(sim->gas, limits, stop, &sim->message);
    const double took = clock_wall() - began;
    if (took > seconds)
        sim->slice = (uint64_t)fmax(1, (double)sim->slice * fmin(seconds / took, 0.5));
    else if (*stop == CAROM_STOP_NONE && took < seconds / 4 && sim->slice < RUN_SLICE)
        sim->slice *= 2;
    return status;
}

/* One stretch: to the next halt, or one slice. */
static carom_status stretch(carom_sim *sim, const run_reach *reach)
{
    carom_stop stop = CAROM_STOP_NONE;
    engine_limits limits = next_halt(sim, reach);
    carom_status status = advance(sim, &limits, reach->seconds, &stop);
    sim->time = stop == CAROM_STOP_TIME ? limits.time : fmax(sim->time, sim->kernel->time(sim->gas));
    if (status_of(stop) == CAROM_DYNAMICS) {
        sim->stop = stop;
        return CAROM_OK;
    }
    TRY(status);
    TRY(callbacks_check(sim));
    if (stop != CAROM_STOP_NONE && stop != CAROM_STOP_NO_EVENTS) TRY(all_due(sim));
    sim->stop = stop == CAROM_STOP_NO_EVENTS || stop == CAROM_STOP_PRESSURE ? stop : limit_met(sim);
    return CAROM_OK;
}

static void warn_of_stalls(const carom_sim *sim)
{
    const frame_steps *s = &sim->frame.tallies.steps;
    if (s->stalls > 0)
        warn(sim, "the solver failed for %llu of %llu groups of overlapping clusters; `sor` resolved them instead",
             (unsigned long long)s->stalls, (unsigned long long)s->problems);
    if (s->held_back > 0)
        warn(sim,
             "%llu of %llu groups of overlapping clusters could not be resolved: the clusters merged at their "
             "positions before the step",
             (unsigned long long)s->held_back, (unsigned long long)s->problems);
}

/* Impacts far beyond the first layers are expensive and conserve energy less exactly. */
static void warn_of_depth(const carom_sim *sim)
{
    enum { DEEP = 8 };
    const uint64_t *layers = sim->frame.tallies.layers;
    uint64_t all = 0, deep = 0;
    for (int n = 0; layers != NULL && n < LAYER_BINS; n++) {
        all += layers[n];
        if (n >= DEEP) deep += layers[n];
    }
    if (20 * deep > all)
        warn(sim,
             "%llu of %llu impacts reached layers above %d: a variational.stiffness above %.3g (or an eta above %.3g) "
             "costs less and conserves energy better",
             (unsigned long long)deep, (unsigned long long)all, DEEP, sim->frame.tallies.stiffness,
             sim->frame.tallies.eta);
}

/* A run may be shorter than planned, and be continued later: this is no error of the scene. */
static void warn_of_unmeasured(const carom_sim *sim)
{
    const scene *s = sim->scene;
    for (size_t k = 0; k < s->observe_count && k < sim->observer_count; k++) {
        const scene_observe *o = &s->observe[k];
        const observable *kind = sim->observers[k].kind;
        const double second = o->start + (kind->equal_steps ? o->every : 0);
        if (second <= sim->time * (1 + 1e-9)) continue;
        warn(sim, "observe.%zu: %s was not measured: %s at time %.9g, after the end of the run, %.9g", k,
             kind->settings->name, o->start > sim->time ? "its `start` is" : "its second sample is due",
             o->start > sim->time ? o->start : second, sim->time);
    }
}

/* The checkpoint is written before the last sample, so that a longer run can continue without it. */
static carom_status end(carom_sim *sim)
{
    TRY(files_checkpoint(sim));
    TRY(observers_finish(sim));
    TRY(callbacks_check(sim));
    if (sim->last_frame < sim->time) TRY(take_frame(sim));
    TRY(files_finish(sim));
    TRY(files_tidy(sim));
    warn_of_stalls(sim);
    warn_of_depth(sim);
    warn_of_unmeasured(sim);
    report_progress(sim, true);
    return CAROM_OK;
}

carom_status run_begin(carom_sim *sim)
{
    if (sim->begun) return CAROM_OK;
    sim->begun = true; /* samples and frames at time 0 */
    sim->began_wall = clock_wall();
    sim->began_cpu = clock_cpu();
    sim->last_checkpoint = sim->began_wall;
    sim->slice = RUN_SLICE / 16;
    if (sim->time <= 0) {
        TRY(all_due(sim));
        if (sim->last_frame < sim->time) TRY(take_frame(sim));
        TRY(files_checkpoint(sim));
    }
    if (sim->stop == CAROM_STOP_NONE) sim->stop = limit_met(sim);
    return CAROM_OK;
}

carom_status run_stretch(carom_sim *sim, const run_reach *reach)
{
    TRY(stretch(sim, reach));
    return mind_the_clock(sim);
}

static carom_status go_on(carom_sim *sim, double time)
{
    const run_reach reach = {.time = time, .events = UINT64_MAX, .seconds = RUN_SECONDS};
    TRY(run_begin(sim));
    while (sim->stop == CAROM_STOP_NONE && sim->time < time) TRY(run_stretch(sim, &reach));
    return CAROM_OK;
}

carom_status carom_sim_advance(carom_sim *sim, double time)
{
    ENTER(sim, "the simulation has not been created");
    if (isnan(time)) return error_set(&sim->message, CAROM_USAGE, "error: the time to advance to is not a number");
    if (sim->finished) return CAROM_OK;
    sim->guard.busy = true;
    carom_status status = go_on(sim, time);
    if (status == CAROM_OK) {
        look(sim, sim->time);
        status = callbacks_check(sim);
    }
    return guard_leave(&sim->guard, status == CAROM_OK ? status_of(sim->stop) : status);
}

carom_status run_finish(carom_sim *sim)
{
    sim->finished = true;
    error report = sim->message; /* of a collapse: errors of files must not replace it */
    sim->message = (error){0};
    carom_status status = end(sim);
    if (status != CAROM_OK) {
        error_clear(&report);
        return status;
    }
    error_clear(&sim->message);
    sim->message = report;
    return status_of(sim->stop);
}

carom_status carom_sim_run(carom_sim *sim)
{
    ENTER(sim, "the simulation has not been created");
    if (sim->finished) return CAROM_OK;
    sim->guard.busy = true;
    carom_status status = go_on(sim, INFINITY);
    if (status == CAROM_OK) status = run_finish(sim);
    return guard_leave(&sim->guard, status);
}
