/* The loop over time steps. */
#include "aggregation/kernel/steps/steps.h"

#include "aggregation/kernel/stall.h"
#include "frame/frame.h"

/* ---- a step ------------------------------------------------------------------------------------------------------ */

static double top_speed(const steps *s)
{
    double top = 0;
#pragma omp parallel for schedule(static) num_threads(s->threads) reduction(max                                        \
                                                                            : top) if (s->live_count > PARALLEL_FROM)
    for (uint32_t n = 0; n < s->live_count; n++) top = fmax(top, s->motions[s->live[n]].speed);
    return top;
}

/* Infinite if nothing moves. */
static double step_length(const steps *s)
{
    return s->settings->dt > 0 ? s->settings->dt : s->settings->cfl * s->least_radius / top_speed(s);
}

/* Displacements by the solver may cause new overlaps. */
static void recheck_displaced(steps *s)
{
    uint64_t displaced = 0;
    for (int t = 0; t < s->threads; t++) {
        displaced += s->buffers[t].displaced;
        s->buffers[t].displaced = 0;
    }
    pair_list_moved(s);
    if (displaced == 0) return;
    pair_list_renew(s);
    pair_list_scan(s, true);
}

/* Pseudo-time is faster while the iterations converge, and slower if they do not (evolve). */
static void tally_solvers(steps *s)
{
    uint64_t problems = s->tally.problems, stalls = s->tally.stalls;
    for (int t = 0; t < s->threads; t++) {
        frame_steps *own = &s->buffers[t].tally;
        s->tally.problems += own->problems;
        s->tally.iterations += own->iterations;
        s->tally.stalls += own->stalls;
        s->tally.held_back += own->held_back;
        *own = (frame_steps){0};
        s->work += s->buffers[t].work;
        s->buffers[t].work = 0;
    }
    problems = s->tally.problems - problems;
    stalls = s->tally.stalls - stalls;
    if (!s->settings->daha.evolve || problems == 0) return;
    s->solver.pseudo_time_scale =
        clamp(s->solver.pseudo_time_scale * (EVOLVE_PROBLEMS * stalls > problems ? EVOLVE_SLOWER : EVOLVE_FASTER),
              EVOLVE_LEAST, EVOLVE_MOST);
}

static double end_of_step(const steps *s, double dt)
{
    return s->settings->dt > 0 ? (double)(s->tally.count + 1) * dt : s->time + dt;
}

static carom_status step(steps *s, double dt, error *e)
{
    const double end = end_of_step(s, dt);
    s->dt = dt;
    flight_step(s, dt, end);
    s->tally.count++;
    s->time = end;
    pair_list_renew(s);
    pair_list_scan(s, false);
    s->contact_count = 0;
    TRY(contacts_gather(s, e));
    while (s->contact_count > s->round_start) {
        TRY(resolve_contacts(s, e));
        recheck_displaced(s);
        TRY(contacts_gather(s, e));
    }
    tally_solvers(s);
    if (s->contact_count > 0) merge_contacts(s);
    return CAROM_OK;
}

/* ---- no progress ------------------------------------------------------------------------------------------------- */

static double longest_side(const steps *s)
{
    double side = 0;
    for (int k = 0; k < DIM; k++) side = fmax(side, s->size[k]);
    return side;
}

static double last_merge_of(const steps *s)
{
    const double time = s->history.count > 0 ? s->history.merges[s->history.count - 1].time : 0;
    return fmax(time, s->progress.since);
}

/* The time by which another merge is overdue; the time of the last merge if no merge is possible. */
static double stall_time(const steps *s)
{
    drift d = {.mass = 0};
    const double last_merge = last_merge_of(s);
    for (uint32_t n = 0; n < s->live_count; n++)
        drift_weigh(&d, s->clusters[s->live[n]].mass, s->clusters[s->live[n]].momentum);
    for (uint32_t n = 0; n < s->live_count; n++)
        drift_measure(&d, s->clusters[s->live[n]].mass, s->motions[s->live[n]].velocity, s->box);
    return last_merge + stall_wait(&d, s->progress.patience, stall_path(s->size, s->least_radius, s->live_count));
}

static carom_status end_without_progress(const steps *s, double top, carom_stop *stop, error *e)
{
    const double last_merge = last_merge_of(s);
    *stop = CAROM_STOP_NO_PROGRESS;
    return error_set(e, CAROM_DYNAMICS, "error: no progress: the %u clusters at time %.9g %s", s->live_count, s->time,
                     top == 0 ? "do not move"
                     : s->progress.overdue <= last_merge
                         ? "all move alike"
                         : "have not met for a long time; raise aggregation.patience if they may");
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static carom_stop limit_reached(const steps *s, const engine_limits *limits)
{
    if (s->live_count <= limits->clusters) return CAROM_STOP_CLUSTERS;
    if (s->events[EVENT_COLLISION] >= limits->collisions) return CAROM_STOP_COLLISIONS;
    if (events_total(s->events) >= limits->events) return CAROM_STOP_EVENTS;
    return CAROM_STOP_NONE;
}

/* The check happens before the first step, and when the fastest cluster has crossed the box since the last merge: most
 * merges occur earlier. */
static carom_status check_progress(steps *s, carom_stop *stop, error *e)
{
    const double top = top_speed(s);
    if (s->live_count < 2) return CAROM_OK;
    if (isinf(s->progress.overdue) && (top == 0 || s->history.count == 0 || s->progress.flown >= longest_side(s)))
        s->progress.overdue = stall_time(s);
    return s->time < s->progress.overdue ? CAROM_OK : end_without_progress(s, top, stop, e);
}

static carom_status steps_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    steps *s = self;
    const uint64_t most = s->work + limits->slice;
    *stop = limit_reached(s, limits);
    for (; *stop == CAROM_STOP_NONE && s->work < most; s->work += 1 + s->live_count / 16) {
        double dt = step_length(s);
        TRY(check_progress(s, stop, e));
        if (!(s->time + dt <= limits->time)) {
            *stop = dt < (double)INFINITY ? CAROM_STOP_TIME : CAROM_STOP_NO_EVENTS;
        } else if (s->live_count == 1 && !(limits->time < (double)INFINITY)) {
            *stop = CAROM_STOP_NO_EVENTS;
        } else {
            TRY(step(s, dt, e));
            *stop = limit_reached(s, limits);
        }
    }
    return CAROM_OK;
}
