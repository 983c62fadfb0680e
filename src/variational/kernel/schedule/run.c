/* The event loop: clocks fire, flight bounds and certificates end. */
#include "variational/kernel/schedule/run.h"

#include "variational/kernel/features/drives.h"
#include "variational/kernel/features/presence.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contacts.h"
#include "variational/kernel/schedule/certificates.h"
#include "variational/kernel/schedule/fire.h"
#include "variational/kernel/schedule/flight_bound.h"
#include "variational/kernel/schedule/invariants.h"

#include <assert.h>
#include <stdio.h>

/* The check of all pairs costs about as much as some tens of events. */
static uint64_t check_every(const world *w)
{
    return 256 + (uint64_t)w->elements * w->elements / 64;
}

static uint64_t physical(const world *w)
{
    uint64_t sum = 0;
    for (int k = 0; k < EVENT_KINDS; k++)
        if (k < EVENT_CERTIFICATE) sum += w->totals.events[k];
    return sum;
}

static carom_stop limit_reached(const world *w, const engine_limits *limits)
{
    if (limits->events < UINT64_MAX && physical(w) >= limits->events) return CAROM_STOP_EVENTS;
    if (w->totals.events[EVENT_COLLISION] >= limits->collisions) return CAROM_STOP_COLLISIONS;
    return CAROM_STOP_NONE;
}

static carom_status world_squeezed(world *w, error *e)
{
    const contact *c = &w->contacts.contact[w->progress.squeezed];
    char one[ELEMENT_NAME], other[ELEMENT_NAME];
    element_name(w, c->i, one);
    element_name(w, c->j, other);
    return scene_end(
        drives_spot(w, c->i, c->j), e,
        "squeezed: at time %.9g %s and %s are within a gap of %.3g, in layer %u, and pressed together without "
        "end: energy and cost grow beyond all bounds" HINT
        "leave room between what moves; or, if this is meant, make variational.stiffness larger",
        w->now, one, other, thickness(w, c->n + 1), c->n);
}

/* The time of the next change that the scene prescribes: of a drive, then of a mesh. */
static double next_change(const world *w)
{
    return lesser(drives_next(w), presence_next(w));
}

static carom_status make_change(world *w, error *e)
{
    return drives_next(w) <= presence_next(w) ? drives_change(w, e) : presence_change(w, e);
}

/* The time of the next event. */
static double next_event(world *w)
{
    uint32_t at = clocks_next(w), i;
    double fires = at != NONE ? clock_time(&w->schedule.clock[at]) : INFINITY, due;
    if (!fel_peek(w->flights.queue, &i, &due)) due = INFINITY;
    return lesser(lesser(fires, due), next_change(w));
}

/* Certificates of a checkpoint may be wrong, which is an error of the file. Wrong ones of this run are a defect of
 * the program. */
static carom_status check_invariants(world *w, error *e)
{
    const char *broken = w->observer != NULL ? NULL : invariants_broken(w, next_event(w));
    if (broken == NULL) return CAROM_OK;
    if (!w->progress.resumed) fprintf(stderr, "at time %.17g does not hold: %s\n", w->now, broken);
    assert(w->progress.resumed);
    return error_set(e, CAROM_BAD_DATA,
                     "error: the certificates of the checkpoint do not fit its state: at time %.9g does not hold: %s; "
                     "start again with --force",
                     w->now, broken);
}

static bool check_is_due(world *w)
{
    if (w->progress.work < w->progress.next_check) return false;
    w->progress.next_check = w->progress.work + check_every(w);
    return true;
}

/* The time up to which due checks are carried out together. */
static double checked_until(const world *w, double due, double fires)
{
    return OWN_CLOCKS ? due : lesser(fires, due + shortest_wait(w, 1));
}

/* Carries out the next event, if it is not after `until`. */
static carom_status step(world *w, double until, bool *done, error *e)
{
    uint32_t at = clocks_next(w), i;
    double fires = at != NONE ? clock_time(&w->schedule.clock[at]) : INFINITY, due;
    if (!fel_peek(w->flights.queue, &i, &due)) due = INFINITY;
    *done = lesser(fires, due) > until || isinf(lesser(fires, due));
    if (*done) return CAROM_OK;
    w->now = lesser(fires, due);
    if (due <= fires) return flights_recheck(w, due, checked_until(w, due, fires), e);
    w->last_event = fires;
    return fire(w, at, fires, e);
}

/* Whether a run that only events end is over: no force is due, and no pair comes near, or none has within more
 * checks than any gas needs between two impacts. */
static bool is_over(world *w)
{
    const uint64_t looks = w->totals.events[EVENT_CERTIFICATE] + w->totals.events[EVENT_TRANSFER];
    uint32_t i;
    double due;
    if (!isinf(w->scene->until.time)) return false;
    if (physical(w) != w->progress.quiet_since) {
        w->progress.quiet_since = physical(w);
        w->progress.quiet_checks = looks;
    }
    if (clocks_next(w) != NONE || !isinf(next_change(w))) return false;
    if (w->observer != NULL) return isinf(w->observer->next(w));
    return !fel_peek(w->flights.queue, &i, &due) || isinf(due) ||
           (looks - w->progress.quiet_checks) / w->elements > QUIET_CHECKS;
}

/* Several clocks may fire, and drives and meshes may change, at the same time. A checkpoint contains the time only, so a run
 * must not stop between them. */
static bool moment_is_over(const world *w)
{
    if (w->observer != NULL && w->observer->next(w) <= w->now) return false;
    if (next_change(w) <= w->now) return false;
    uint32_t at = clocks_next(w);
    return at == NONE || clock_time(&w->schedule.clock[at]) > w->now;
}

static carom_status run_events(world *w, const engine_limits *limits, carom_stop *stop, error *e)
{
    bool done = false;
    const uint64_t most = w->progress.work + limits->slice;
    *stop = CAROM_STOP_NONE;
    for (;; w->progress.work++) {
        if (CAROM_INVARIANTS && check_is_due(w)) TRY(check_invariants(w, e));
        if (!CAROM_INVARIANTS && team_size_is_due(&w->team, w->totals.events[EVENT_FORCE]))
            team_size_watch(&w->team, w->totals.events[EVENT_FORCE]);
        if (moment_is_over(w)) {
            if (w->progress.work >= most || (*stop = limit_reached(w, limits)) != CAROM_STOP_NONE) return CAROM_OK;
            if (is_over(w)) {
                *stop = CAROM_STOP_NO_EVENTS;
                return CAROM_OK;
            }
        }
        double change = next_change(w), until = lesser(limits->time, change);
        carom_status status = w->observer != NULL ? w->observer->step(w, until, &done, e) : step(w, until, &done, e);
        if (status == CAROM_OK && done && change <= limits->time) status = make_change(w, e);
        if (status == CAROM_DYNAMICS) *stop = w->progress.squeezed != NONE ? CAROM_STOP_SQUEEZED : CAROM_STOP_STRETCHED;
        TRY(status);
        if (w->progress.squeezed != NONE) {
            *stop = CAROM_STOP_SQUEEZED;
            return world_squeezed(w, e);
        }
        if (!done || change <= limits->time) continue;
        *stop = CAROM_STOP_TIME;
        return CAROM_OK;
    }
}

static carom_status world_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    world *w = self;
    team_size_resume(&w->team);
    const carom_status status = run_events(w, limits, stop, e);
    team_size_pause(&w->team);
    return status;
}
