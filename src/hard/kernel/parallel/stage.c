/* Re-basing of a parallel run: each domain re-bases its bodies and copies, the whole its clock. */
#include "hard/kernel/parallel/stage.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/parallel/exchange.h"
#include "hard/kernel/parallel/halo.h"
#include "hard/kernel/parallel/recut.h"
#include "hard/kernel/parallel/share.h"
#include "hard/kernel/parallel/times.h"
#include "hard/kernel/response/collapse.h"
#include "hard/kernel/schedule/rebase.h"
#include "hard/kernel/schedule/run.h"
#include "hard/kernel/totals.h"

static void rebase_members(domain *d)
{
    gas *g = d->gas;
    const real t = d->crew->reached;
    real speed = 0;
    g->now = t;
    memset(&d->squares, 0, sizeof d->squares);
    for (uint32_t i = 0; i < g->count; i++) {
        if (d->role[i] == ROLE_ABSENT) continue;
        g->counts = d->role[i] == ROLE_OWNED;
        bring_to(g, i, t);
        if (!g->counts) continue;
        total_add_square(g, i, &d->squares);
        speed = later(speed, fastest_of(g, i));
    }
    features_rebase_arrays(g, t);
    d->fastest_axis = speed;
}

/* The clock of the whole applies to all domains. */
static void set_clock(domain *d)
{
    const gas *whole = d->crew->gas;
    gas *g = d->gas;
    g->origin = whole->origin;
    g->origin_low = whole->origin_low;
    g->scale = whole->scale;
    g->now = g->last_event = 0;
    g->far = whole->far;
    g->stall.span = whole->stall.span;
    d->rebuild = true;
}

static carom_status watch_progress(crew *c, carom_stop *stop, error *e)
{
    gas *g = c->gas;
    if (may_be_stalled(g)) TRY(collect_domains(c, false, e));
    if (c->first == 0 && *stop == CAROM_STOP_NONE && !progress_watch(g)) {
        *stop = CAROM_STOP_NO_PROGRESS;
        (void)progress_report(g, e);
    }
    return transport_broadcast(c->transport, stop, sizeof *stop, e);
}

/* Velocities that have become small are rescaled. */
static carom_status rescale_alone(crew *c, carom_stop *stop, error *e)
{
    TRY(unite_domains(c, e));
    if (c->first == 0) rebase_speeds(c->gas);
    return share_rank(c, stop, e);
}

static carom_status stage_begin(crew *c, carom_stop *stop, error *e)
{
    gas *g = c->gas;
    exact_sum squares = {.deferred = 0};
    double speed = 0;
    g->now = c->reached;
    TRY(watch_progress(c, stop, e));
    TRY(crew_each(c, rebase_members, e));
    rebase_clock(g);
    for (int n = c->first; n < c->first + c->own; n++) {
        exact_merge(&squares, &c->domain[n].squares);
        speed = fmax(speed, (double)c->domain[n].fastest_axis);
    }
    TRY(exchange_sum(c, &squares, e));
    TRY(exchange_largest(c, &speed, e));
    if (!(fabs(g->origin) < (double)INFINITY)) return clock_overflow(g, stop, e);
    TRY(crew_each(c, set_clock, e));
    c->reached = 0;
    if (cooled_bits(g, exponent_of(g, total_rms(&squares, g->count))) >= COOLED_BITS) return rescale_alone(c, stop, e);
    g->far = far_at_speed(g, (real)speed);
    features_rebased(g);
    TRY(crew_each(c, set_clock, e));
    c->reached = just_before(0);
    c->survey_end = c->epoch_end = c->reached;
    if (*stop != CAROM_STOP_NONE) return CAROM_OK; /* lists are made for new cuts only when the run goes on */
    return recut(c, e);
}
