/* The run loop: the engine advances to the next time at which a sample, a frame or a limit is due; observers and
 * files receive the frame. */
#include "sim/sim.h"

#include <math.h>

double until_time(const scene *s)
{
    return s->until.time;
}

run_until until_of_scene(const scene *s)
{
    const scene_until *u = &s->until;
    return (run_until){.time = until_time(s),
                       .wall = u->wall_time > 0 ? clock_wall() + u->wall_time : INFINITY,
                       .events = u->events > 0 ? u->events : UINT64_MAX,
                       .collisions = u->collisions > 0 ? u->collisions : UINT64_MAX,
                       .clusters = u->clusters > 0 ? u->clusters : 1,
                       .pressure = u->pressure,
                       .rest = true};
}

static run_until until_of_limits(const carom_limits *limits)
{
    return (run_until){.time = limits->time > 0 ? limits->time : INFINITY,
                       .wall = limits->wall_s > 0 ? clock_wall() + limits->wall_s : INFINITY,
                       .events = limits->events > 0 ? limits->events : UINT64_MAX,
                       .collisions = limits->collisions > 0 ? limits->collisions : UINT64_MAX,
                       .coasts = true};
}

carom_stop limit_met(const carom_sim *sim)
{
    const uint64_t *events = sim->kernel->events(sim->gas);
    if (sim->until.rest && rest_holds(sim)) return CAROM_STOP_REST;
    if (isfinite(sim->until.time) && sim->time >= sim->until.time) return CAROM_STOP_TIME;
    if (events[EVENT_COLLISION] >= sim->until.collisions) return CAROM_STOP_COLLISIONS;
    if (events_total(events) >= sim->until.events) return CAROM_STOP_EVENTS;
    if (sim->engine->merges && sim->kernel->clusters(sim->gas) <= sim->until.clusters) return CAROM_STOP_CLUSTERS;
    return CAROM_STOP_NONE;
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
    const run_until *until = &sim->until;
    engine_limits limits = {fmin(reach->time, until->time),
                            lesser(reach->events, until->events),
                            reach->collisions > 0 ? lesser(reach->collisions, until->collisions) : until->collisions,
                            sim->slice,
                            until->clusters,
                            until->pressure};
    narrow(&limits, &sim->frames);
    limits.time = fmin(limits.time, fmin(flows_time(sim), rest_time(sim)));
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
    TRY(files_frame(sim));
    frames_release(sim);
    return CAROM_OK;
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
    TRY(flows_pass(sim));
    TRY(rest_pass(sim));
    TRY(observers_sample_due(sim, sim->time));
    return frame_if_due(sim);
}

/* Stop and checkpoint requests, wall time. */
static carom_status mind_the_clock(carom_sim *sim)
{
    double now = clock_wall(), every = sim->scene->output.checkpoint_every_wall;
    sim->wall_s = sim->earlier_wall_s + now - sim->began_wall;
    sim->cpu_s = sim->earlier_cpu_s + clock_cpu() - sim->began_cpu;
    report_progress(sim, false);
    if (sim->stop != CAROM_STOP_NONE) return CAROM_OK;
    if (atomic_load(&sim->stop_requested))
        sim->stop = CAROM_STOP_SIGNAL;
    else if (now >= sim->until.wall)
        sim->stop = CAROM_STOP_WALL_TIME;
    if (sim->stop != CAROM_STOP_NONE) return CAROM_OK; /* the end of the run writes a checkpoint */
    bool wanted = atomic_exchange(&sim->checkpoint_requested, 0) != 0;
    if (wanted || (every > 0 && now - sim->last_checkpoint >= every)) return files_checkpoint(sim);
    return CAROM_OK;
}

carom_status run_status_of(carom_stop stop)
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
    frames_leave_state(sim, FRAME_FIXED);
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
    TRY(recordings_pass(sim));
    TRY(observers_gather(sim));
    const bool goes_on = (sim->until.coasts && isfinite(sim->until.time)) || flows_go_on(sim);
    const bool last = stop == CAROM_STOP_NO_EVENTS && !goes_on; /* then a check of rest, if there are any */
    if (stop == CAROM_STOP_NO_EVENTS && (goes_on || rest_may_follow(sim))) stop = CAROM_STOP_TIME;
    sim->time = stop == CAROM_STOP_TIME ? limits.time : fmax(sim->time, sim->kernel->time(sim->gas));
    if (run_status_of(stop) == CAROM_DYNAMICS) {
        sim->stop = stop;
        return CAROM_OK;
    }
    TRY(status);
    TRY(callbacks_check(sim));
    if (stop != CAROM_STOP_NONE && stop != CAROM_STOP_NO_EVENTS) TRY(all_due(sim));
    sim->stop = stop == CAROM_STOP_NO_EVENTS || stop == CAROM_STOP_PRESSURE ? stop : limit_met(sim);
    if (last && sim->stop == CAROM_STOP_NONE && !rest_may_follow(sim)) sim->stop = CAROM_STOP_NO_EVENTS;
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

/* The next change of each mesh that has not taken place; forecast.c warns of times after the end that the scene gives. */
static void warn_of_waiting_meshes(carom_sim *sim)
{
    for (size_t k = 0; k < sim->frame.tallies.moment_count; k++) {
        const frame_moments *at = &sim->frame.tallies.moments[k];
        const scene_mesh *m = &sim->scene->meshes[at->mesh];
        const bool absent = m->appear.given && at->appeared < 0;
        if (!absent && (!m->vanish.given || at->vanished >= 0)) continue;
        const scene_moment *moment = absent ? &m->appear : &m->vanish;
        frame_need(&sim->frame, FRAME_PRESENT);
        const size_t present = frame_present(&sim->frame);
        const uint64_t wanted = moment->waits ? moment->when.particles : 0;
        const bool foreseen = (moment->waits ? moment->when.every : moment->time) > sim->scene->until.time;
        if (foreseen) continue;
        if (!moment->waits && moment->time > sim->time)
            warn(sim, "mesh '%s' has not %s: its time is %.9g, and the run ended at %.9g", m->name,
                 absent ? "appeared" : "vanished", moment->time, sim->time);
        else if (wanted > present)
            warn(sim, "mesh '%s' has not %s: %zu of the %llu particles that it waits for are in the system", m->name,
                 absent ? "appeared" : "vanished", present, (unsigned long long)wanted);
        else
            warn(sim, "mesh '%s' has not %s: %s", m->name, absent ? "appeared" : "vanished",
                 !moment->waits ? "its place was occupied"
                 : absent       ? "its condition did not hold at any check, or its place was occupied"
                                : "its condition did not hold at any check");
    }
}

static void warn_of_unrecorded(const carom_sim *sim)
{
    const scene_events *choice = &sim->scene->output.events;
    const bool chooses =
        choice->kinds != 0 || choice->species_count > 0 || choice->count > 0 || choice->start > 0 || choice->end > 0;
    if (sim->result == NULL || !choice->given || !chooses || result_event_count(sim->result) > 0) return;
    if (choice->start > sim->time)
        warn(sim, "output.events: no event was recorded: `start` is at time %.9g, and the run ended at %.9g",
             choice->start, sim->time);
    else
        warn(sim, "output.events: no event was recorded: none of the run is of the chosen kinds, bodies and times "
                  "(docs/events.md lists the kinds of each engine)");
}

static void warn_of_end(carom_sim *sim)
{
    warn_of_stalls(sim);
    warn_of_depth(sim);
    flows_warn_of_waits(sim);
    const bool halted = atomic_load(&sim->stop_requested) != 0 || sim->reached == CAROM_STOP_SIGNAL;
    if (halted) return; /* the rest may follow when the run is continued */
    warn_of_unmeasured(sim);
    warn_of_unrecorded(sim);
    warn_of_waiting_meshes(sim);
    flows_warn_of_starts(sim);
    rest_warn(sim);
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
    warn_of_end(sim);
    report_progress(sim, true);
    return CAROM_OK;
}

static carom_status begin(carom_sim *sim)
{
    if (sim->begun) return CAROM_OK;
    sim->begun = true; /* samples and frames at time 0 */
    sim->planned = until_of_scene(sim->scene);
    sim->last_checkpoint = clock_wall();
    sim->slice = RUN_SLICE / 16;
    if (sim->time <= 0) {
        TRY(all_due(sim));
        if (sim->last_frame < sim->time) TRY(take_frame(sim));
        TRY(files_checkpoint(sim));
    } else if (sim->result != NULL && sim->last_frame == -INFINITY) { /* of a saved simulation */
        TRY(take_frame(sim));
        TRY(files_checkpoint(sim));
    }
    return CAROM_OK;
}

/* The clocks of a run do not count the time between two calls. */
static void start_clocks(carom_sim *sim)
{
    sim->earlier_wall_s = sim->wall_s;
    sim->earlier_cpu_s = sim->cpu_s;
    sim->began_wall = clock_wall();
    sim->began_cpu = clock_cpu();
    sim->earlier_events = events_total(sim->kernel->events(sim->gas));
}

carom_status run_begin(carom_sim *sim)
{
    start_clocks(sim);
    TRY(begin(sim));
    sim->until = sim->planned;
    if (sim->stop == CAROM_STOP_NONE) sim->stop = limit_met(sim);
    return CAROM_OK;
}

carom_status run_stretch(carom_sim *sim, const run_reach *reach)
{
    TRY(stretch(sim, reach));
    return mind_the_clock(sim);
}

static bool has_reached(const carom_sim *sim, const run_reach *reach)
{
    const uint64_t *events = sim->kernel->events(sim->gas);
    return sim->time >= reach->time || events_total(events) >= reach->events ||
           (reach->collisions > 0 && events[EVENT_COLLISION] >= reach->collisions);
}

static carom_status go_to(carom_sim *sim, const run_reach *reach)
{
    while (sim->stop == CAROM_STOP_NONE && !has_reached(sim, reach)) TRY(run_stretch(sim, reach));
    return CAROM_OK;
}

static carom_status go_on(carom_sim *sim, double time)
{
    const run_reach reach = {.time = time, .events = UINT64_MAX, .seconds = RUN_SECONDS};
    return go_to(sim, &reach);
}

static carom_status advance_to(carom_sim *sim, const run_reach *reach)
{
    TRY(run_begin(sim));
    TRY(go_to(sim, reach));
    look(sim, sim->time);
    TRY(callbacks_check(sim));
    return complete_given(sim);
}

/* Ends a call. */
static carom_status leave(carom_sim *sim, carom_status status)
{
    const carom_status kept = guard_leave(&sim->guard, status);
    if (sim->guard.spent != CAROM_OK) ranks_fail(sim, status);
    return kept;
}

static carom_status advance_part(carom_sim *sim, const run_reach *reach)
{
    if (sim->finished) return CAROM_OK;
    sim->guard.busy = true;
    carom_status status = advance_to(sim, reach);
    return leave(sim, status == CAROM_OK ? run_status_of(sim->stop) : status);
}

carom_status carom_sim_advance(carom_sim *sim, double time)
{
    ENTER(sim, "the simulation has not been created");
    if (isnan(time)) return error_set(&sim->message, CAROM_USAGE, "error: the time to advance to is not a number");
    return advance_part(sim, &(run_reach){.time = time, .events = UINT64_MAX, .seconds = RUN_SECONDS});
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
    return run_status_of(sim->stop);
}

/* A scene that was loaded after carom_scene_allow_endless may have no limits. */
static carom_status check_end(carom_sim *sim)
{
    const scene_until *u = &sim->scene->until;
    const bool ends = isfinite(u->time) || u->events > 0 || u->collisions > 0 || u->clusters > 0 || u->pressure > 0 ||
                      u->wall_time > 0;
    if (ends) return CAROM_OK;
    return error_set(&sim->message, CAROM_USAGE, "error: the run has no end: give it limits, or the scene 'run.until'");
}

carom_status carom_sim_run(carom_sim *sim)
{
    if (sim != NULL && sim->follows) return ranks_follow(sim);
    ENTER(sim, "the simulation has not been created");
    if (sim->finished) return CAROM_OK;
    TRY(check_end(sim));
    sim->guard.busy = true;
    carom_status status = run_begin(sim);
    if (status == CAROM_OK) status = go_on(sim, INFINITY);
    if (status == CAROM_OK) status = run_finish(sim);
    if ((status == CAROM_OK || status == CAROM_DYNAMICS) && sim->given) {
        look(sim, sim->time);
        const carom_status completed = complete_given(sim);
        status = completed != CAROM_OK ? completed : status;
    }
    return leave(sim, status);
}

/* ---- parts of a run ---- */

static carom_status check_limits(carom_sim *sim, const carom_limits *limits)
{
    if (limits == NULL || (limits->time >= 0 && limits->wall_s >= 0)) return CAROM_OK;
    return error_set(&sim->message, CAROM_USAGE, "error: limits of a run must be numbers that are not negative");
}

carom_status run_part_check(carom_sim *sim, const carom_limits *limits)
{
    TRY(check_limits(sim, limits));
    if (sim->finished && sim->options.output != NULL)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: the run is finished and its result file complete; to go on, raise `run.until` of the "
                         "scene and `resume` the file");
    return CAROM_OK;
}

/* Whether a run that has stopped can go on with other limits. */
static bool can_go_on(carom_stop stop)
{
    return run_status_of(stop) != CAROM_DYNAMICS;
}

carom_status run_part_begin(carom_sim *sim, const carom_limits *limits)
{
    if (limits == NULL) TRY(check_end(sim));
    sim->finished = false;
    if (can_go_on(sim->stop)) sim->stop = CAROM_STOP_NONE;
    TRY(run_begin(sim));
    if (limits == NULL) return CAROM_OK;
    sim->until = until_of_limits(limits);
    if (can_go_on(sim->stop)) sim->stop = limit_met(sim);
    return CAROM_OK;
}

carom_status run_part_end(carom_sim *sim, const carom_limits *limits, carom_status status)
{
    if (status == CAROM_OK && (sim->own != NULL || sim->given)) {
        look(sim, sim->time); /* the energy of a potential is checked with each state that the caller can read */
        status = callbacks_check(sim);
        if (status == CAROM_OK) status = complete_given(sim);
    }
    if (status == CAROM_OK) status = run_status_of(sim->stop);
    if (status == CAROM_EARLY) atomic_store(&sim->stop_requested, 0);
    sim->reached = sim->stop;
    if (status == CAROM_EARLY || (limits != NULL && sim->stop != CAROM_STOP_NO_EVENTS && can_go_on(sim->stop)))
        sim->stop = CAROM_STOP_NONE;
    return status;
}

static carom_status part_to(carom_sim *sim, const run_reach *reach, const carom_limits *limits)
{
    if (sim->finished && limits == NULL && sim->options.output != NULL) return CAROM_OK; /* as carom_sim_run */
    TRY(run_part_check(sim, limits));
    sim->guard.busy = true;
    carom_status status = run_part_begin(sim, limits);
    if (status == CAROM_OK) status = go_to(sim, reach);
    return leave(sim, run_part_end(sim, limits, status));
}

carom_status carom_sim_run_to(carom_sim *sim, const carom_limits *limits)
{
    ENTER(sim, "the simulation has not been created");
    return part_to(sim, &(run_reach){.time = INFINITY, .events = UINT64_MAX, .seconds = RUN_SECONDS}, limits);
}

carom_status carom_sim_pause_at(carom_sim *sim, const carom_limits *pause, const carom_limits *limits)
{
    ENTER(sim, "the simulation has not been created");
    NEED(sim, pause);
    TRY(check_limits(sim, pause));
    return part_to(sim,
                   &(run_reach){.time = pause->time > 0 ? pause->time : INFINITY,
                                .events = pause->events > 0 ? pause->events : UINT64_MAX,
                                .collisions = pause->collisions,
                                .seconds = RUN_SECONDS},
                   limits);
}

carom_status carom_sim_finish(carom_sim *sim)
{
    ENTER(sim, "the simulation has not been created");
    if (sim->finished) return CAROM_OK;
    sim->guard.busy = true;
    carom_status status = run_begin(sim);
    if (sim->stop == CAROM_STOP_NONE) sim->stop = sim->reached != CAROM_STOP_NONE ? sim->reached : CAROM_STOP_SIGNAL;
    if (status == CAROM_OK) status = run_finish(sim);
    return leave(sim, status == CAROM_EARLY || status == CAROM_DYNAMICS ? CAROM_OK : status);
}
