/* A parallel run. Results are those of the serial run: whatever the domains cannot decide alone (the end of a run by
 * its dynamics, events of several domains at one time) is left to the serial event loop, on the united gas. */
#include "hard/kernel/parallel/crew.h"
#include "hard/domains.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/create.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/parallel/exchange.h"
#include "hard/kernel/parallel/halo.h"
#include "hard/kernel/parallel/members.h"
#include "hard/kernel/parallel/orders.h"
#include "hard/kernel/parallel/share.h"
#include "hard/kernel/parallel/stage.h"
#include "hard/kernel/parallel/times.h"
#include "hard/kernel/parallel/window.h"
#include "hard/kernel/schedule/rebase.h"
#include "hard/kernel/schedule/run.h"
#include "hard/kernel/schedule/schedule.h"
#include "hard/kernel/schedule/start.h"

#include <stdlib.h>

/* ---- windows ----------------------------------------------------------------------------------------------------- */

/* What may yet happen until a limit: events. */
typedef struct allowance {
    uint64_t collisions, events, stage;
} allowance;

static uint64_t events_of_run(const gas *g)
{
    return g->events[EVENT_COLLISION] + g->events[EVENT_WALL] + g->events[EVENT_FORCE];
}

static allowance allowance_of(const gas *g, const engine_limits *limits)
{
    return (allowance){.collisions = limits->collisions - g->events[EVENT_COLLISION],
                       .events = limits->events - events_of_run(g),
                       .stage = rebase_after(g) - g->since_rebase};
}

/* The marks of all domains, in the order of time. */
static int compare_marks(const void *a, const void *b)
{
    const real s = ((const mark *)a)->time, t = ((const mark *)b)->time;
    return s < t ? -1 : s > t;
}

/* The event that uses up the allowance. unique: no other event is at that time. */
typedef struct last_permitted {
    real time;
    uint64_t unique;
} last_permitted;

static last_permitted find_in_marks(mark *all, size_t count, const allowance *most)
{
    uint64_t collisions = 0, events = 0, stage = 0;
    size_t at;
    qsort(all, count, sizeof *all, compare_marks);
    for (at = 0; at + 1 < count; at++) {
        collisions += all[at].collisions;
        events += all[at].events;
        if (collisions >= most->collisions || events >= most->events || ++stage >= most->stage) break;
    }
    last_permitted last = {.time = all[at].time};
    last.unique = !(at > 0 && all[at - 1].time == last.time) && !(at + 1 < count && all[at + 1].time == last.time);
    return last;
}

/* That event in this window; at REAL_NEVER if there is none. */
static carom_status find_limit(crew *c, const allowance *most, last_permitted *last, error *e)
{
    const window_result *r = &c->result;
    mark *all;
    *last = (last_permitted){REAL_NEVER, true};
    if (r->collisions < most->collisions && r->counted < most->events && r->marks < most->stage) return CAROM_OK;
    TRY(exchange_marks(c, &all, e));
    if (all != NULL) *last = find_in_marks(all, r->marks, most);
    memory_free(all);
    return transport_broadcast(c->transport, last, sizeof *last, e);
}

/* The gas of the whole counts what the domains have done. */
static void count_window(crew *c)
{
    gas *g = c->gas;
    const window_result *r = &c->result;
    for (int kind = 0; kind < EVENT_KINDS; kind++) g->events[kind] += r->events[kind];
    g->since_rebase += r->marks;
    g->last_event = later(g->last_event, r->last_event);
    g->far = earlier(g->far, r->far);
    for (int n = c->first; n < c->first + c->own; n++) {
        gas *part = c->domain[n].gas;
        memset(part->events, 0, sizeof part->events);
        part->far = g->far;
    }
    c->idle = r->marks == 0 ? c->idle + r->work + 1 : 0;
    c->reached = c->until;
    crew_set_clock(c);
}

/* Result of an attempt to execute a window. */
typedef enum attempt { WINDOW_DONE, WINDOW_SHORTER, WINDOW_ALONE, WINDOW_FASTER } attempt;

/* An end of the window that all domains agree on, if they do not agree on c->until; a time that the serial loop has to
 * pass, if there is none. */
static attempt judge_window(crew *c, const allowance *most, real *end, error *e, carom_status *status)
{
    const real halt = c->result.halt, far = earlier(c->gas->far, c->result.far);
    last_permitted last;
    *end = c->until;
    if (halt <= c->until) {
        *end = just_before(halt);
        if (*end > c->reached) return WINDOW_SHORTER;
        *end = halt; /* often that of an earlier event of a body whose later events differ */
        if (c->speed_needed > 0) return WINDOW_FASTER;
        return halt < c->until ? WINDOW_SHORTER : WINDOW_ALONE;
    }
    *status = find_limit(c, most, &last, e);
    if (*status != CAROM_OK) return WINDOW_DONE;
    if (far < last.time && far < c->until) {
        *end = far;
        return WINDOW_SHORTER;
    }
    if (last.time == REAL_NEVER || (last.time == c->until && last.unique)) return WINDOW_DONE;
    *end = last.unique ? last.time : just_before(last.time);
    if (*end > c->reached) return WINDOW_SHORTER;
    *end = last.time;
    return WINDOW_ALONE;
}

static carom_status try_window(crew *c, const allowance *most, attempt *result, real *end, error *e)
{
    carom_status status = CAROM_OK;
    TRY(crew_each(c, window_run, e));
    TRY(exchange_messages(c, e));
    TRY(crew_each(c, window_compare, e));
    TRY(exchange_results(c, e));
    c->speed_needed = fmax(c->speed_needed, c->result.speed_found);
    *result = judge_window(c, most, end, e, &status);
    TRY(status);
    c->undone = *result != WINDOW_DONE;
    c->cost.windows++;
    c->cost.repeated += c->undone;
    if (!c->undone) count_window(c);
    return crew_each(c, window_end, e);
}

/* The serial loop, up to local time `end`. */
static carom_status run_alone(crew *c, const engine_limits *limits, real end, carom_stop *stop, error *e)
{
    gas *g = c->gas;
    carom_status status = CAROM_OK;
    TRY(unite_domains(c, e));
    if (c->first == 0) {
        if (g->queue == NULL) TRY(start(g, e));
        const bool last = end >= gas_local_time(g, limits->time);
        status = advance_serial(g, limits, end, stop, e);
        if (*stop == CAROM_STOP_TIME && !last) *stop = CAROM_STOP_NONE;
        if (status != CAROM_OK && status != CAROM_DYNAMICS) return status;
    }
    TRY(share_rank(c, stop, e));
    return status;
}

/* Windows whose domains often disagree become shorter, the others longer. */
static void adapt_length(crew *c, attempt result, bool whole)
{
    if (result == WINDOW_DONE && whole)
        c->length *= (real)WINDOW_GROWTH;
    else if (result != WINDOW_DONE)
        c->length *= (real)WINDOW_SHRINKAGE;
}

static real end_of_window(const crew *c, real until)
{
    const gas *g = c->gas;
    const real least = 8 * REAL_GRAIN * real_fabs(c->reached);
    real end = c->reached + later(c->length, least);
    end = earlier(earlier(end, until), earlier(c->epoch_end, stage_end(g)));
    return end > c->reached ? end : c->reached + least;
}

/* One window, or what has to happen in its place. */
static carom_status next_window(crew *c, const engine_limits *limits, real until, uint64_t *work, carom_stop *stop,
                                error *e)
{
    gas *g = c->gas;
    const allowance most = allowance_of(g, limits);
    attempt result;
    real end = end_of_window(c, until);
    if (!(end < REAL_NEVER)) return run_alone(c, limits, end, stop, e);
    const bool whole = end < until && end < c->epoch_end && end < stage_end(g);
    do {
        c->until = end;
        TRY(try_window(c, &most, &result, &end, e));
        *work += c->result.work + 1;
        adapt_length(c, result, whole);
    } while (result == WINDOW_SHORTER);
    if (result == WINDOW_ALONE) return run_alone(c, limits, end, stop, e);
    if (result == WINDOW_FASTER) {
        c->survey_end = c->epoch_end = c->reached;
        return CAROM_OK;
    }
    if (c->idle > IDLE_WORK + g->count) { /* perhaps no event will ever happen */
        c->idle = 0;
        return run_alone(c, limits, REAL_NEVER, stop, e);
    }
    return CAROM_OK;
}

/* Whether an owned body has a planned event. */
static void find_planned(domain *d)
{
    const gas *g = d->gas;
    d->planned = false;
    for (uint32_t i = 0; i < g->count && !d->planned; i++) {
        const next_event *e = &g->plan[i].first;
        d->planned = d->role[i] == ROLE_OWNED && e->partner < PARTNER_TRANSFER && is_valid(g, e);
    }
}

static carom_status time_reached(crew *c, const engine_limits *limits, real until, carom_stop *stop, error *e)
{
    double planned = 0;
    TRY(crew_each(c, find_planned, e));
    for (int n = c->first; n < c->first + c->own; n++) planned = fmax(planned, c->domain[n].planned);
    TRY(exchange_largest(c, &planned, e));
    if (planned == 0) return run_alone(c, limits, until, stop, e);
    *stop = CAROM_STOP_TIME;
    return CAROM_OK;
}

static bool stage_is_due(const crew *c, real until)
{
    const gas *g = c->gas;
    return rebase_due(g) || (c->reached == stage_end(g) && stage_end(g) < until);
}

/* On all ranks. */
static carom_status advance_domains(crew *c, const engine_limits *limits, carom_stop *stop, error *e)
{
    gas *g = c->gas;
    TRY(crew_disperse(c, e)); /* sends a loaded state to the other ranks: limits refer to its clock and counts */
    *stop = limit_reached(g, limits);
    for (uint64_t work = 0; *stop == CAROM_STOP_NONE && work < limits->slice;) {
        TRY(crew_disperse(c, e));
        const real until = gas_local_time(g, limits->time);
        if (stage_is_due(c, until))
            TRY(stage_begin(c, stop, e));
        else if (!(c->reached < until))
            TRY(time_reached(c, limits, until, stop, e));
        else if (!(c->reached < c->epoch_end))
            TRY(halo_renew(c, e));
        else
            TRY(next_window(c, limits, until, &work, stop, e));
        /* With the event that completes a stage, as in the serial loop: before limits are tested, and states saved. */
        if (*stop == CAROM_STOP_NONE && c->dispersed && rebase_due(g)) TRY(stage_begin(c, stop, e));
        if (*stop == CAROM_STOP_NONE) *stop = limit_reached(g, limits);
    }
    return *stop == CAROM_STOP_COLLAPSE || *stop == CAROM_STOP_NO_PROGRESS ? CAROM_DYNAMICS : CAROM_OK;
}

static carom_status crew_advance(gas *g, const engine_limits *limits, carom_stop *stop, error *e)
{
    crew *c = g->crew;
    TRY(crew_usable(c, e));
    TRY(order_send(c, &(rank_order){ORDER_ADVANCE, *limits}, e));
    const carom_status status = advance_domains(c, limits, stop, e);
    if (status != CAROM_OK && status != CAROM_DYNAMICS) return status;
    if (*stop != CAROM_STOP_NONE) TRY(crew_collect(g, e)); /* for frames, which cannot report a failure */
    return status;
}

static bool gas_domains(const void *self, engine_domains *out)
{
    const gas *g = self;
    if (g->crew == NULL) return false;
    *out = g->crew->cost;
    out->count = g->crew->count;
    return true;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static carom_status crew_create(gas *g, int threads, transport *ranks, error *e)
{
    const char *reason = hard_undivided(g->scene);
    const int domains = threads * transport_ranks(ranks);
    if (reason != NULL)
        return error_set(e, CAROM_USAGE, "error: a run with %s has one process and one thread only; leave out %s",
                         reason, transport_ranks(ranks) > 1 ? "mpirun and --threads" : "--threads");
    crew *c = g->crew = NEW_ARRAY(1, crew);
    if (c == NULL) return error_memory(e, "domains", sizeof *c);
    c->gas = g;
    c->transport = ranks;
    c->domain = NEW_ARRAY((size_t)domains, domain);
    if (c->domain == NULL) return error_memory(e, "domains", (size_t)domains * sizeof *c->domain);
    c->count = domains;
    c->own = threads;
    c->first = threads * transport_rank(ranks);
    for (int n = 0; n < domains; n++) {
        c->domain[n].crew = c;
        c->domain[n].index = n;
    }
    return team_create(&c->team, threads, e);
}

static void free_domain(domain *d)
{
    members_destroy(d);
    adjacent_free(d);
    memory_free(d->post);
    memory_free(d->entered);
    memory_free(d->gone);
    memory_free(d->kept);
    memory_free(d->place);
    memory_free(d->change);
    memory_free(d->moved);
    memory_free(d->marks);
    buffer_free(&d->before);
    buffer_free(&d->tallies);
    error_clear(&d->error);
}

static void crew_destroy(gas *g)
{
    crew *c = g->crew;
    error ignored = {.text = NULL};
    if (c == NULL) return;
    (void)order_send(c, &(rank_order){.kind = ORDER_END}, &ignored);
    error_clear(&ignored);
    exchange_free(c);
    for (int n = 0; c->domain != NULL && n < c->count; n++) free_domain(&c->domain[n]);
    error_clear(&c->error);
    team_destroy(c->team);
    cuts_free(&c->cuts);
    memory_free(c->domain);
    memory_free(c->list_origin);
    memory_free(c);
    g->crew = NULL;
}
