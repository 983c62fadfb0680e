/* The event loop. */
#include "hard/kernel/schedule/run.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/broad/rows.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/compression.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/presence.h"
#include "hard/kernel/features/shapes_collide.h"
#include "hard/kernel/features/sleep.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/starts.h"
#include "hard/kernel/features/stepped.h"
#include "hard/kernel/features/stepped_bonds.h"
#include "hard/kernel/features/thermostat.h"
#include "hard/kernel/features/transport.h"
#include "hard/kernel/narrow/detect.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/parallel/times.h"
#include "hard/kernel/response/collapse.h"
#include "hard/kernel/response/collide.h"
#include "hard/kernel/response/record.h"
#include "hard/kernel/response/tallies.h"
#include "hard/kernel/schedule/rebase.h"
#include "hard/kernel/schedule/reference.h"
#include "hard/kernel/schedule/schedule.h"

#include "geometry/contact.h"

/* Number of bodies that overlap body i now. */
static uint32_t overlapping(const gas *g, uint32_t i)
{
    if (g->cells != NULL) return cell_grid_overlapping(g, i, g->now);
    uint32_t found = 0, neighbors = g->lists != NULL ? g->plan[i].length : g->count;
    list_copy room;
    const uint32_t *list = g->lists != NULL ? lists_row(g, i, &room) : NULL;
    for (uint32_t n = 0; n < neighbors; n++) {
        uint32_t k = list != NULL ? list[n] : n;
        found += k != i && is_overlapping(g, i, k, g->now);
    }
    return found;
}

static void tally_overlaps(gas *g, uint32_t i, uint32_t j)
{
    const uint32_t of_i = overlapping(g, i), of_j = overlapping(g, j), pair = is_overlapping(g, i, j, g->now);
    tally_three_body(g, of_i > pair || of_j > pair, of_i >= 2 || of_j >= 2);
}

static carom_stop collapse(gas *g, uint32_t i, error *e)
{
    if (g->sleep != NULL) {
        if (!g->sleep->asleep[i]) sleep_now(g, i);
        g->stall.count[i] = 0;
        return CAROM_STOP_NONE;
    }
    collapse_report(g, i, e);
    return CAROM_STOP_COLLAPSE;
}

static void schedule_again(gas *g, uint32_t i, uint32_t j)
{
    const uint32_t awakened = g->sleep != NULL ? g->sleep->awakened_count : 0;
    if (g->queue == NULL) {
        reference_after(g, i, j);
        for (uint32_t k = 0; k < awakened; k++) reference_after(g, g->sleep->awakened[k], g->sleep->awakened[k]);
    } else {
        schedule_one(g, i);
        if (j != i) schedule_one(g, j);
        for (uint32_t k = 0; k < awakened; k++) schedule_one(g, g->sleep->awakened[k]);
    }
    if (g->sleep != NULL) g->sleep->awakened_count = 0;
}

static carom_status gas_find_events(gas *g, error *e)
{
    if (g->queue == NULL) {
        reference_all(g);
        return CAROM_OK;
    }
    if (g->cells != NULL)
        TRY(cell_grid_rebuild(g, e));
    else
        TRY(lists_rebuild(g, e));
    schedule_all(g);
    return CAROM_OK;
}

static carom_status clock_overflow(const gas *g, carom_stop *stop, error *e)
{
    *stop = CAROM_STOP_NO_PROGRESS;
    return error_set(
        e, CAROM_DYNAMICS,
        "error: the time of the run exceeds the range of numbers; the gas has cooled by 2^%lld in velocity",
        (long long)g->scale);
}

/* Re-bases the clocks and makes new predictions. */
static carom_status new_stage(gas *g, carom_stop *stop, error *e)
{
    if (*stop == CAROM_STOP_NONE && !progress_watch(g)) {
        *stop = CAROM_STOP_NO_PROGRESS;
        (void)progress_report(g, e);
    }
    rebase(g);
    if (!(fabs(g->origin) < (double)INFINITY)) return clock_overflow(g, stop, e);
    if (g->sleep != NULL) g->sleep->awakened_count = 0;
    return gas_find_events(g, e);
}

/* A collision with another body or a boundary, or a kick: the change of the bodies. */
static carom_status carry_out(gas *g, uint32_t i, const next_event *event, carom_stop *stop, error *e)
{
    bool pair = is_pair(event);
    uint32_t j = pair ? event->partner : i;
    sort_pair(g, &i, &j);
    const real before_i = g->body[i].t, before_j = g->body[j].t;
    g->now = g->last_event = later(event->time, g->now); /* `rewind` permits events before the present */
    g->stall.sliding_time = 0;
    const double difference = g->transport != NULL ? energy_difference(g, i, j) : 0;
    record_begin(g, i, j, event);
    if (pair && g->stepped != NULL)
        TRY(stepped_event(g, i, j, event->time, e));
    else if (pair && g->shapes != NULL)
        shapes_collide(g, i, j, event->time);
    else if (pair)
        collide_pair(g, i, j, event->time);
    else if (event->partner == PARTNER_KICK)
        thermostat_kick(g, i, event->time);
    else if (event->partner < PARTNER_SURFACE)
        collide_element(g, i, event->partner - PARTNER_ELEMENT, event->time);
    else if (g->shapes != NULL)
        shapes_hit(g, i, event->partner - PARTNER_SURFACE, event->time);
    else if (event->partner - PARTNER_SURFACE < g->surface_count)
        collide_surface(g, i, event->partner - PARTNER_SURFACE, event->time);
    else
        collide_exact(g, i, event->partner - PARTNER_SURFACE - g->surface_count, event->time);
    record_end(g);
    if (g->transport != NULL) tally_transfer(g, i, j, difference);
    if (pair && g->tally_three_body) tally_overlaps(g, i, j);
    if (!collapse_watch(g, i, event->time, before_i)) *stop = collapse(g, i, e);
    if (pair && !collapse_watch(g, j, event->time, before_j) && *stop == CAROM_STOP_NONE) *stop = collapse(g, j, e);
    return CAROM_OK;
}

/* The same with its consequences, or a check of a support. */
static carom_status physical_event(gas *g, uint32_t i, const next_event *event, carom_stop *stop, error *e)
{
    if (event->partner == PARTNER_CHECK) {
        sleep_check(g, i, event->time);
        schedule_again(g, i, i);
        return CAROM_OK;
    }
    TRY(carry_out(g, i, event, stop, e));
    g->since_rebase++;
    g->ending.idle = 0;
    if (rebase_due(g)) return new_stage(g, stop, e);
    schedule_again(g, i, is_pair(event) ? event->partner : i);
    return CAROM_OK;
}

static bool any_planned_event(const gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        const next_event *e = &g->plan[i].first;
        if (e->partner < PARTNER_TRANSFER && is_valid(g, e)) return true;
    }
    return false;
}

/* Whether the pair may ever collide, with any images along periodic axes: not if the other axes exclude it. */
static bool may_collide(const gas *g, uint32_t i, uint32_t j)
{
    real r[DIM], v[DIM], s = contact_distance(g, i, j, g->now) * g->reach;
    if (g->stepped != NULL && stepped_linked(g, i, j)) return true;
    if (g->shear != NULL || is_asleep(g, i) != is_asleep(g, j)) return true;
    relative_at(g, i, j, g->now, g->now, r, v);
    if (dot(v, v) == 0) return g->shapes != NULL; /* they may rotate */
    for (int k = 0; k < DIM; k++)
        if (g->box[k] > 0) r[k] = v[k] = 0;
    real apart = dot(r, r) - s * s, discriminant = dot(v, v) * (s * s) - moment_squared(r, v);
    return apart <= 0 || contact_meeting(dot(v, r), apart, discriminant) < REAL_NEVER ||
           detect_pair(g, i, j, g->now) < REAL_NEVER; /* by rounding: then it may be planned */
}

/* Searches for a pair, or a body and a surface, that may ever collide, and stores it as witness. */
static bool find_possible_contact(gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        real limit = REAL_NEVER; /* until which the search for meshes is complete, in a periodic box */
        next_event best = {REAL_NEVER, PARTNER_NONE, 0};
        detect_surfaces(g, i, &best);
        if (g->solids != NULL) meshes_detect(g, i, &best, &limit);
        g->ending.witness[0] = g->ending.witness[1] = i;
        if (best.time < REAL_NEVER || limit < REAL_NEVER) return true;
        for (g->ending.witness[1] = 0; g->ending.witness[1] < i; g->ending.witness[1]++)
            if (may_collide(g, i, g->ending.witness[1])) return true;
    }
    return false;
}

/* Driven boundaries, or a shrinking box. */
static bool boundaries_move(const gas *g)
{
    return g->motions != NULL || g->compression != NULL;
}

/* Whether no body will ever collide: a single body, or an open box whose bodies have dispersed. The O(N^2) search is
 * made only if no body has a planned event and the stored witness is invalid. */
static bool no_future_event(gas *g)
{
    g->ending.idle = 0;
    if (g->thermostat != NULL || boundaries_move(g) || any_planned_event(g)) return false;
    uint64_t stamps = (uint64_t)g->body[g->ending.witness[0]].stamp + g->body[g->ending.witness[1]].stamp;
    bool pair = g->ending.witness[0] != g->ending.witness[1];
    if (g->ending.witness_stamps == stamps + 1 && (!pair || may_collide(g, g->ending.witness[0], g->ending.witness[1])))
        return false;
    if (!find_possible_contact(g)) return true;
    g->ending.witness_stamps = (uint64_t)g->body[g->ending.witness[0]].stamp + g->body[g->ending.witness[1]].stamp + 1;
    return false;
}

/* Whether the run ends before its next limit. Bodies that enter or leave, meshes that appear or vanish, and drives that
 * start, then meet no bookkeeping event from before. */
static bool is_over(gas *g, const engine_limits *limits)
{
    const bool changes = isfinite(presence_next(g)) || isfinite(starts_next(g));
    return (g->reserve == NULL || isinf(limits->time)) && !changes && no_future_event(g);
}

/* Whether bookkeeping events repeat at the same time: bodies so fast that they leave their lists within the rounding of
 * time. */
static bool time_stalled(gas *g, real t)
{
    if (t != g->ending.idle_since) {
        g->ending.idle_since = t;
        g->ending.idle_count = 0;
    }
    return ++g->ending.idle_count > TRANSFERS_AT_ONE_TIME_PER_BODY * (uint64_t)g->count + TRANSFERS_AT_ONE_TIME;
}

static carom_status renew_neighbors(gas *g, uint32_t i, real t, error *e)
{
    g->now = t;
    g->events[EVENT_TRANSFER]++;
    if (g->queue == NULL)
        reference_after(g, i, i);
    else if (g->cells != NULL) {
        cell_grid_cross(g, i);
        schedule_planned(g, i);
    } else if (lists_follow_flow(g)) {
        TRY(lists_move_with_flow(g, e));
        TRY(lists_renew(g, i, e));
        schedule_all(g);
    } else {
        TRY(lists_renew(g, i, e));
        schedule_one(g, i);
    }
    return CAROM_OK;
}

/* A transfer, or all crossings of cells that are due. *count: their number. */
static carom_status transfer(gas *g, uint32_t i, const next_event *event, uint64_t *count, error *e)
{
    *count = 1;
    if (event->stamp != TRANSFER_TOGETHER) return renew_neighbors(g, i, event->time, e);
    g->now = event->time;
    *count = cell_grid_cross_together(g);
    g->events[EVENT_TRANSFER] += *count;
    return CAROM_OK;
}

static carom_stop limit_reached(const gas *g, const engine_limits *limits)
{
    if (g->events[EVENT_COLLISION] >= limits->collisions) return CAROM_STOP_COLLISIONS;
    if (g->events[EVENT_COLLISION] + g->events[EVENT_WALL] + g->events[EVENT_FORCE] >= limits->events)
        return CAROM_STOP_EVENTS;
    if (limits->pressure > 0 && g->compression != NULL && g->compression->pressure >= limits->pressure)
        return CAROM_STOP_PRESSURE;
    return CAROM_STOP_NONE;
}

static bool first_event(gas *g, uint32_t *i, next_event *e)
{
    return g->queue == NULL ? reference_first(g, i, e) : schedule_first(g, i, e);
}

static carom_stop report_reversed(const gas *g, uint32_t i, const next_event *event, error *e)
{
    const bool stable = is_stable(g);
    error_set(e, CAROM_DYNAMICS,
              "error: %s%s at time %.17g: the next event of particle %u lies %.3g before the present%s",
              stable ? "" : hard_detections[g->settings->detection],
              stable ? "the resolution of time is used up" : " detection ran backwards", gas_true_time(g, g->now),
              g->id[i], ldexp((double)(g->now - event->time), (int)g->scale),
              stable ? "; use `hard: {precision: long_double}`"
                     : "; the stable rule (`hard: {detection: stable}`) has no such events");
    return CAROM_STOP_NO_PROGRESS;
}

static carom_stop report_stalled(const gas *g, uint32_t i, error *e)
{
    error_set(
        e, CAROM_DYNAMICS,
        "error: simulated time no longer advances at %.17g: the flight time of particle %u is below the rounding of "
        "time; use other units, or `hard: {precision: long_double}`",
        gas_true_time(g, g->now), g->id[i]);
    return CAROM_STOP_NO_PROGRESS;
}

/* Local time at which a re-basing is due even after few events: before spheres grow beyond the reach of the lists (then
 * the box shrinks); before searches for contacts with moving boundaries, which start at the stored time of a body,
 * exceed their number of steps; before the rounding of times and positions increases with the length of flights. */
static real stage_end(const gas *g)
{
    if (g->compression != NULL) return compression_due(g) < g->far ? compression_due(g) : g->far;
    return g->motions != NULL && MOST_LOOKAHEADS * g->motions->lookahead < g->far
               ? MOST_LOOKAHEADS * g->motions->lookahead
               : g->far;
}

static carom_status end_stage(gas *g, carom_stop *stop, error *e)
{
    g->now = stage_end(g);
    return new_stage(g, stop, e);
}

static carom_status advance_serial(gas *g, const engine_limits *limits, real end, carom_stop *stop, error *e)
{
    real until = earlier(gas_local_time(g, limits->time), end);
    *stop = limit_reached(g, limits);
    const uint64_t tested =
        g->queue == NULL ? g->count / 16 : 0; /* the reference path tests all bodies and all plans */
    for (uint64_t work = 0; *stop == CAROM_STOP_NONE && work < limits->slice; work += 1 + tested) {
        uint32_t i = 0;
        next_event event = {REAL_NEVER, PARTNER_NONE, 0};
        const bool any = first_event(g, &i, &event);
        if (stage_end(g) < until && (any ? stage_end(g) < event.time : boundaries_move(g))) {
            TRY(end_stage(g, stop, e));
            work += g->count;
            until = gas_local_time(g, limits->time);
            if (*stop == CAROM_STOP_NONE) *stop = limit_reached(g, limits);
        } else if (!any)
            *stop = CAROM_STOP_NO_EVENTS;
        else if (event.time > until)
            *stop = is_over(g, limits) ? CAROM_STOP_NO_EVENTS : CAROM_STOP_TIME;
        else if (event.time < g->now && (is_stable(g) || g->settings->detection != DETECTION_REWIND))
            *stop = report_reversed(g, i, &event, e);
        else if (event.partner == PARTNER_TRANSFER) {
            uint64_t transfers;
            TRY(transfer(g, i, &event, &transfers, e));
            work += transfers;
            g->ending.idle += transfers;
            if (g->ending.idle >= g->count && is_over(g, limits)) *stop = CAROM_STOP_NO_EVENTS;
            if (time_stalled(g, event.time)) *stop = report_stalled(g, i, e);
        } else {
            uint64_t rebased = g->events[EVENT_REBASE];
            carom_status status = physical_event(g, i, &event, stop, e);
            if (status != CAROM_OK) return status;
            if (g->events[EVENT_REBASE] != rebased) {
                until = gas_local_time(g, limits->time);
                work += g->count; /* new predictions for all bodies */
            }
            if (*stop == CAROM_STOP_NONE) *stop = limit_reached(g, limits);
        }
    }
    return *stop == CAROM_STOP_COLLAPSE || *stop == CAROM_STOP_NO_PROGRESS ? CAROM_DYNAMICS : CAROM_OK;
}
