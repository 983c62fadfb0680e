/* Nominal motions: the conditions under which they stay, and the choice of new ones. */
#include "variational/kernel/schedule/flight_bound.h"

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/schedule/certificates.h"
#include "variational/kernel/schedule/pending.h"
#include "variational/kernel/schedule/recheck.h"

#include "base/memory.h"

/* OUTCOME_HOLDS: no change. OUTCOME_EXTENDED: same nominal motion, new bound. OUTCOME_RENEWED: new nominal motion. */
typedef enum flight_outcome { OUTCOME_HOLDS, OUTCOME_EXTENDED, OUTCOME_RENEWED } flight_outcome;

static bool nominal_is_close(const world *w, uint32_t i)
{
    double x[DIM], y[DIM], v[DIM];
    node_place(w, i, w->now, x);
    nominal_at(w, i, w->now, y, v);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    return sqrt(dot(x, x)) <= w->flights.nominal[i].tau * (1 + 1e-9) + w->flights.margin;
}

/* The longest time for which a point at the distance `room` from its limit certainly stays within it, at this speed
 * and acceleration. */
static double time_within(double room, double speed, double acceleration)
{
    double sum = speed + (acceleration > 0 ? sqrt(speed * speed + 2 * acceleration * room) : speed);
    return sum > 0 ? 2 * room / sum : INFINITY;
}

/* Sets the longest stretch for the deviation of node i; false if it is shorter than `worth`. After a kick more kicks
 * are likely. The stretch is then limited to the time to leave the tolerance if the velocity changes by the same
 * amount once per step. */
static bool extend_flight_bound(world *w, uint32_t i, double t, double worth, bool kicked)
{
    flight_bound *l = &w->flights.flight_bound[i];
    const nominal *n = &w->flights.nominal[i];
    double x[DIM], v[DIM], off[DIM], drift[DIM], end = 0;
    nominal_at(w, i, t, x, v);
    node_place(w, i, t, off);
    node_velocity(w, i, t, drift);
    for (int k = 0; k < DIM; k++) {
        off[k] -= x[k];
        drift[k] -= v[k];
    }
    const bool falls = n->straight && !node_is_held(&w->node[i]);
    double away = sqrt(dot(off, off)), fall = falls ? w->domain.gravity_magnitude : 0;
    bool rigid = is_rigid(w, i);
    fall += node_acceleration(w, i);
    double speed = sqrt(dot(drift, drift)), room = greater(n->tau - away, 0);
    double s = BOUND_USE * time_within(room, speed, fall);
    if (kicked && speed > 0) s = lesser(s, sqrt(2 * room * w->choice.step / speed));
    if (isinf(s)) {
        l->until = INFINITY;
        l->radius2 = -1;
        return true;
    }
    double radius = n->tau - 0.125 * fall * s * s;
    for (int k = 0; k < DIM; k++) {
        double g = falls ? w->domain.gravity[k] : 0, at = off[k] + s * (drift[k] + 0.5 * s * g);
        end += at * at;
    }
    if (s < worth || (!rigid && (radius < away || end > radius * radius))) return false;
    l->until = greater(t + s, just_after(t));
    l->radius2 = rigid ? -1 : radius * radius; /* paths of rigid nodes turn: a check after each kick */
    nominal_at(w, i, l->until, l->centre, v);
    return true;
}

static double smallest_gap_of_element(const world *w, uint32_t element, double t)
{
    double least = INFINITY;
    const list *known = &w->neighbours.list[element];
    for (uint32_t k = 0; k < known->count; k++)
        if (known->at[k].contact != NONE) least = lesser(least, gap_at(w, element, known->at[k].partner, t));
    return least;
}

/* The smallest gap among the contacts of node i and the rods and faces that end there. */
static double smallest_gap(const world *w, uint32_t i, double t)
{
    double least = smallest_gap_of_element(w, i, t);
    for (uint32_t k = 0; k < parts_at(w, i); k++)
        least = lesser(least, smallest_gap_of_element(w, w->topology.part[w->topology.first_part[i] + k], t));
    return least;
}

/* Chooses a nominal motion. For a node that oscillates it is the mean motion of the recent past. For a driven one it
 * is the motion of the drive. */
static void choose_motion(world *w, uint32_t i, double t, const double x[DIM], bool touching)
{
    nominal *n = &w->flights.nominal[i];
    double v[DIM], mean[DIM], past = t - n->t;
    node_velocity(w, i, t, v);
    n->straight = touching && w->domain.gravity_magnitude > 0 && !node_is_held(&w->node[i]);
    for (int k = 0; k < DIM; k++) mean[k] = past > 0 ? (x[k] - n->x[k]) / past : v[k];
    bool wobbles = touching && !node_is_held(&w->node[i]) && 4 * dot(mean, mean) < dot(v, v);
    for (int k = 0; k < DIM; k++) {
        n->v[k] = wobbles ? mean[k] : v[k];
        n->x[k] = x[k];
    }
    n->t = t;
    if (node_is_held(&w->node[i])) n->straight = true;
}

/* ---- updates ----------------------------------------------------------------------------------------------------- */

/* Shells vibrate: if there is free space, vertices have larger tolerances than other nodes. */
static double widest_tolerance(const world *w, uint32_t i)
{
    if (!is_vertex(w, i)) return w->flights.tau;
    double gap = w->flights.recheck[i].gap;
    for (uint32_t k = 0; k < parts_at(w, i); k++)
        gap = lesser(gap, w->flights.recheck[w->topology.part[w->topology.first_part[i] + k]].gap);
    return greater(w->flights.tau, lesser(TOLERATED / 2 * gap, lists_tolerance(w)));
}

static void renew_nominal(world *w, uint32_t i, double t)
{
    double x[DIM], gap = smallest_gap(w, i, t);
    node_place(w, i, t, x);
    choose_motion(w, i, t, x, !OWN_CLOCKS && !isinf(gap));
    w->flights.nominal[i].tau = (float)lesser(widest_tolerance(w, i), TOLERATED / 4 * greater(gap, 0));
    if (!extend_flight_bound(w, i, t, 0, false)) w->flights.flight_bound[i].until = just_after(t);
}

/* Updates a pending node. Stretches shorter than a few steps cost more than a new nominal motion. */
static flight_outcome update_flight(world *w, uint32_t i, double t)
{
    pending_why fit = (pending_why)w->flights.pending_reason[i];
    w->flights.pending_reason[i] = NOT_PENDING;
    const node *a = &w->node[i];
    if (fit == KICKED && flight_bound_holds(w, i, a->t, components_at(a->x), components_at(a->v))) return OUTCOME_HOLDS;
    if (fit != TOLERANCE_TOO_LARGE && extend_flight_bound(w, i, t, WORTHWHILE_STEPS * w->choice.step, fit == KICKED))
        return OUTCOME_EXTENDED;
    renew_nominal(w, i, t);
    return OUTCOME_RENEWED;
}

/* Prefetches what update_flight reads. */
static inline void prefetch_flight(const world *w, const uint32_t *at, uint32_t n, uint32_t count)
{
    if (n + 3 < count) __builtin_prefetch(&w->neighbours.list[at[n + 3]]);
    if (n + 1 >= count) return;
    uint32_t i = at[n + 1];
    __builtin_prefetch(&w->flights.nominal[i]);
    grid_prefetch(w, i);
    __builtin_prefetch(w->neighbours.list[i].at);
    __builtin_prefetch((const char *)w->neighbours.list[i].at + 64);
}

static void update_some_flights(world *w, const uint32_t *at, uint32_t from, uint32_t to, double t)
{
    for (uint32_t n = from; n < to; n++) {
        prefetch_flight(w, at, n, to);
        w->flights.outcome[n] = (uint8_t)update_flight(w, at[n], t);
    }
}

static void certify_some(world *w, uint32_t from, uint32_t to, double t, double until, scope of)
{
    for (uint32_t n = from; n < to; n++) {
        prefetch_flight(w, w->flights.renewed, n, to);
        certify_element(w, w->flights.renewed[n], t, until, of);
    }
}

/* Several ends of a part may have new nominal motions at once. The part enters the list once. */
static void add_renewed(world *w, uint32_t i)
{
    w->flights.renewed[w->flights.renewed_count++] = i;
    for (uint32_t k = 0; k < parts_at(w, i); k++) {
        uint32_t part = w->topology.part[w->topology.first_part[i] + k];
        if (w->flights.is_renewed[part - w->count]) continue;
        w->flights.is_renewed[part - w->count] = true;
        w->flights.renewed[w->flights.renewed_count++] = part;
    }
}

/* All pending nodes: longer bounds, or new nominal motions. */
static void update_pending_flights(world *w, double t)
{
    uint32_t *at = w->flights.pending.at, count = w->flights.pending.count;
    w->progress.work += count;
    if (w->team.now > 1 && count > FEW_NODES) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->team.now)
        for (uint32_t from = 0; from < count; from += SOME_NODES)
            update_some_flights(w, at, from, from + SOME_NODES < count ? from + SOME_NODES : count, t);
    } else {
        update_some_flights(w, at, 0, count, t);
    }
    w->flights.renewed_count = 0;
    w->flights.pending.count = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (w->flights.outcome[n] == OUTCOME_EXTENDED) recheck_schedule(w, at[n]);
        if (w->flights.outcome[n] == OUTCOME_RENEWED) add_renewed(w, at[n]);
    }
}

/* Certificates for elements with new nominal motions (ALL), or for elements with certificates that end by `until`
 * (DUE). */
static carom_status certify_renewed(world *w, double t, double until, scope of, error *e)
{
    const uint32_t count = w->flights.renewed_count;
    w->progress.work += (uint64_t)count * (of == ALL ? 16 : 4); /* a list has tens of neighbours */
    TRY(lists_keep_valid(w, w->flights.renewed, count, t, until, e));
    if (w->team.now > 1 && count > FEW_NODES) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->team.now)
        for (uint32_t from = 0; from < count; from += SOME_NODES)
            certify_some(w, from, from + SOME_NODES < count ? from + SOME_NODES : count, t, until, of);
    } else {
        certify_some(w, 0, count, t, until, of);
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = w->flights.renewed[n];
        certify_wake(w, i, t, until);
        recheck_schedule(w, i);
        if (is_part(w, i)) w->flights.is_renewed[i - w->count] = false;
        if (of == DUE)
            w->totals.events[EVENT_CERTIFICATE]++;
        else if (!is_part(w, i))
            w->totals.events[EVENT_TRANSFER]++;
    }
    return CAROM_OK;
}

static carom_status flights_update(world *w, double t, error *e)
{
    while (w->flights.pending.count > 0) {
        update_pending_flights(w, t);
        if (w->flights.renewed_count > 0) TRY(certify_renewed(w, t, t, ALL, e));
    }
    return w->progress.out_of_memory
               ? error_memory(e, "contacts", w->contacts.contact_capacity * sizeof *w->contacts.contact)
               : CAROM_OK;
}

static carom_status flights_recheck(world *w, double t, double until, error *e)
{
    uint32_t i;
    double due;
    w->flights.renewed_count = 0;
    while (fel_peek(w->flights.queue, &i, &due) && due <= until) {
        w->flights.recheck[i].due = INFINITY;
        fel_schedule(w->flights.queue, i, INFINITY);
        if (i < w->count && w->flights.flight_bound[i].until <= until)
            pending_add(w, i, EXPIRED);
        else
            w->flights.renewed[w->flights.renewed_count++] = i;
    }
    if (w->flights.renewed_count > 0) TRY(certify_renewed(w, t, until, DUE, e));
    return w->flights.pending.count > 0 ? flights_update(w, t, e) : CAROM_OK;
}

static carom_status flights_renew_all(world *w, double t, error *e)
{
    for (uint32_t i = 0; i < w->count; i++) pending_add(w, i, TOLERANCE_TOO_LARGE);
    return flights_update(w, t, e);
}
