/* The live page of a running simulation. The run advances in short stretches (stretch_s); between them it executes
 * the commands of viewers. */
#include "sim/view_api.h"

#include "base/memory.h"
#include "sim/charts.h"

#include <math.h>

/* Seconds: smallest interval between two frames, and between two states of the charts; duration of a stretch;
 * longest wait. Without a pace, frames take no more than FRAME_SHARE of the time. */
static const double frame_interval = 1 / 40.0, chart_interval = 1, stretch_s = 0.01, long_wait = 10, rate_span = 0.5;
#define FRAME_SHARE 0.01

typedef struct live {
    carom_view *view;
    carom_sim *sim;
    bool paused, shown_state, ended;
    bool part;                      /* the run can go on afterwards */
    const carom_limits *limits;     /* of a part; NULL: those of the scene */
    double end;                     /* time; infinite: unknown */
    double speed, usual_speed;      /* simulated time per second; infinite: no limit */
    double clock_wall, clock_time;  /* reference of the pace */
    uint64_t steps;                 /* number of requested steps */
    double step_goal;               /* number of events at which the present step ends */
    double next_frame, next_charts; /* wall */
    double rate, rate_wall, rate_events;
} live;

static bool stopped(const live *l)
{
    return atomic_load(&l->view->stop_requested) != 0;
}

static double events_of(const live *l)
{
    return (double)events_total(l->sim->kernel->events(l->sim->gas));
}

static void count_rate(live *l, double now)
{
    if (now - l->rate_wall < rate_span) return;
    double events = events_of(l);
    if (l->rate_wall > 0) l->rate = (events - l->rate_events) / (now - l->rate_wall);
    l->rate_wall = now;
    l->rate_events = events;
}

static view_state state_of(const live *l)
{
    if (l->ended) return VIEW_ENDED;
    if (!server_visited(l->view->server)) return VIEW_WAITING;
    return l->paused ? VIEW_PAUSED : VIEW_RUNNING;
}

/* Without memory the page keeps its present charts. */
static void publish_charts(live *l, double now)
{
    if (!charts_changed(l->sim->charts) || (now < l->next_charts && !l->ended && !l->paused)) return;
    server_charts(l->view->server, charts_text(l->sim->charts));
    l->next_charts = now + chart_interval;
}

static void publish(live *l)
{
    carom_sim *sim = l->sim;
    double began = clock_wall();
    look(sim, sim->time);
    view_surfaces_at(&l->view->surfaces, sim->scene, sim->time);
    view_status status = {
        .state = state_of(l), .stop = sim->stop, .rate = l->paused || l->ended ? 0 : l->rate, .speed = l->speed};
    status_surfaces(&status, &l->view->surfaces);
    publish_charts(l, began);
    frame_need(&sim->frame, FRAME_ALL & ~FRAME_HASH);
    server_publish(l->view->server, &sim->frame, &status);
    double now = clock_wall();
    bool paced = isfinite(l->speed);
    l->next_frame = began + fmax(frame_interval, (now - began) / (paced ? 10 * FRAME_SHARE : FRAME_SHARE));
}

static void publish_if_due(live *l)
{
    double now = clock_wall();
    count_rate(l, now);
    if (server_wanted(l->view->server) && now >= l->next_frame) publish(l);
}

/* Resets the reference of the pace, so that delays are not caught up. */
static void set_clock(live *l)
{
    l->clock_wall = clock_wall();
    l->clock_time = l->sim->time;
}

static void obey(live *l, const view_command *command)
{
    switch (command->verb) {
    case VIEW_PLAY:
        l->paused = false;
        break;
    case VIEW_PAUSE:
        l->paused = true;
        l->steps = 0;
        break;
    case VIEW_STEP:
        l->paused = true;
        l->steps += (uint64_t)command->number;
        break;
    case VIEW_SPEED:
        l->speed = command->number;
        break;
    case VIEW_SEEK: /* a simulation cannot return to an earlier time */
    case VIEW_NEXT:
        break;
    }
    set_clock(l);
    l->next_frame = 0;
    l->shown_state = false;
}

static void obey_all(live *l)
{
    view_command command;
    while (server_command(l->view->server, &command)) obey(l, &command);
    if (l->shown_state) return;
    publish(l);
    l->shown_state = true;
}

static carom_status stretch(live *l, double time, uint64_t events)
{
    const run_reach reach = {.time = time, .events = events, .seconds = stretch_s};
    return run_stretch(l->sim, &reach);
}

/* Single steps: the engine halts as soon as possible after the next event; simultaneous events may occur in one
 * step. */
static carom_status step(live *l)
{
    const double began = clock_wall();
    while (l->steps > 0 && l->sim->stop == CAROM_STOP_NONE && clock_wall() - began < stretch_s) {
        const double before = events_of(l);
        if (l->step_goal <= before) l->step_goal = before + 1;
        TRY(stretch(l, INFINITY, (uint64_t)l->step_goal));
        if (events_of(l) < l->step_goal) continue;
        l->steps--;
    }
    if (l->steps == 0) l->shown_state = false;
    return CAROM_OK;
}

/* Advances to the time given by the pace. Delays are not caught up. */
static carom_status pace(live *l)
{
    double now = clock_wall(), goal = l->clock_time + (now - l->clock_wall) * l->speed;
    if (isinf(l->speed)) return stretch(l, INFINITY, UINT64_MAX);
    if (goal <= l->sim->time) {
        server_wait(l->view->server, fmin((l->sim->time - goal) / l->speed, frame_interval / 2));
        return CAROM_OK;
    }
    TRY(stretch(l, goal, UINT64_MAX));
    if (l->sim->time >= goal)
        server_wait(l->view->server, frame_interval / 4);
    else if (clock_wall() - now > stretch_s)
        set_clock(l);
    return CAROM_OK;
}

static carom_status go_on(live *l)
{
    view_server *server = l->view->server;
    while (l->sim->stop == CAROM_STOP_NONE && !stopped(l)) {
        obey_all(l);
        if (!l->paused) publish_if_due(l);
        if (l->steps > 0)
            TRY(step(l));
        else if (!l->paused)
            TRY(pace(l));
        else if (l->shown_state)
            server_wait(server, long_wait);
    }
    if (l->sim->stop == CAROM_STOP_NONE) l->sim->stop = CAROM_STOP_SIGNAL;
    return CAROM_OK;
}

/* Default pace: VIEW_SECONDS for the whole run if its end is known, else by the root-mean-square speed. */
static double usual_speed(carom_sim *sim, double end)
{
    double square = 0, longest = 0;
    if (isfinite(end) && end > sim->time) return (end - sim->time) / VIEW_SECONDS;
    const carom_frame *f = &sim->frame;
    const size_t d = (size_t)f->dimension, moving = frame_particles(f) > 0 ? frame_particles(f) : f->count;
    look(sim, sim->time);
    frame_need(f, FRAME_VELOCITY);
    for (size_t i = 0; i < moving * d; i++) square += f->velocity[i] * f->velocity[i];
    for (size_t k = 0; k < d; k++) longest = fmax(longest, f->box[k]);
    double speed = frame_true(f, sqrt(square / (double)moving));
    return speed > 0 ? longest / speed / (VIEW_SECONDS / 3) : INFINITY;
}

static carom_status begin_to_show(live *l)
{
    carom_view *view = l->view;
    subject made;
    view_surfaces_at(&view->surfaces, l->sim->scene, l->sim->time);
    carom_status status = subject_of_sim(&made, l->sim, &view->surfaces, &view->message);
    made.shown.speed = l->usual_speed;
    made.shown.end = isfinite(l->end) ? l->end : NAN;
    if (status == CAROM_OK) status = server_show(view->server, &made.shown, &view->message);
    subject_free(&made);
    return status;
}

/* Shows the last state until a viewer requests the end. */
static void show_end(live *l)
{
    view_command command;
    while (!stopped(l)) {
        while (server_command(l->view->server, &command)) continue;
        server_wait(l->view->server, long_wait);
    }
}

static void show_start(live *l)
{
    while (!server_visited(l->view->server) && !stopped(l)) server_wait(l->view->server, long_wait);
    set_clock(l);
}

static carom_status run_whole(live *l)
{
    TRY(run_begin(l->sim));
    show_start(l);
    TRY(go_on(l));
    const carom_status status = run_finish(l->sim);
    l->ended = true;
    if (status == CAROM_OK || status == CAROM_DYNAMICS) {
        publish(l);
        show_end(l);
    }
    return status;
}

static carom_status go_through_part(live *l)
{
    TRY(run_part_begin(l->sim, l->limits));
    show_start(l);
    TRY(go_on(l));
    l->ended = true;
    if (!stopped(l)) publish(l);
    show_end(l);
    return CAROM_OK;
}

/* The message of the simulation becomes that of the view. */
static carom_status simulate(live *l)
{
    carom_sim *sim = l->sim;
    error *e = &l->view->message;
    l->usual_speed = l->speed = usual_speed(sim, l->end);
    TRY(begin_to_show(l));
    sim->charts = charts_new();
    if (sim->charts == NULL) return error_memory(e, "the charts", 1 << 15);
    const carom_status status = l->part ? run_part_end(sim, l->limits, go_through_part(l)) : run_whole(l);
    charts_free(sim->charts);
    sim->charts = NULL;
    if (status != CAROM_OK && *error_text(&sim->message) != '\0') error_set(e, status, "%s", error_text(&sim->message));
    return status;
}

static carom_status enter(carom_view *view, carom_sim *sim)
{
    ENTER(view, "the page is not served");
    error_clear(&view->message);
    NEED(view, sim);
    const carom_status status = guard_check(&sim->guard, &sim->message, "the simulation has not been created");
    return status == CAROM_OK ? CAROM_OK : error_set(&view->message, status, "%s", error_text(&sim->message));
}

static carom_status show(live *l)
{
    l->view->guard.busy = l->sim->guard.busy = true;
    const carom_status status = simulate(l);
    l->view->guard.busy = false;
    return guard_leave(&l->sim->guard, status);
}

carom_status carom_view_simulate(carom_view *view, carom_sim *sim)
{
    TRY(enter(view, sim));
    if (sim->finished) return error_set(&view->message, CAROM_USAGE, "error: the simulation has ended already");
    return show(&(live){.view = view, .sim = sim, .end = until_time(sim->scene)});
}

carom_status carom_view_run(carom_view *view, carom_sim *sim, const carom_limits *limits)
{
    TRY(enter(view, sim));
    const carom_status status = run_part_check(sim, limits);
    if (status != CAROM_OK) return error_set(&view->message, status, "%s", error_text(&sim->message));
    const double limit = limits == NULL ? until_time(sim->scene) : limits->time > 0 ? limits->time : INFINITY;
    return show(&(live){.view = view, .sim = sim, .part = true, .limits = limits, .end = limit});
}
