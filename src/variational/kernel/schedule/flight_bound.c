/* Nominal motions: when they are kept, and how new ones are chosen. */
#include "variational/kernel/schedule/flight_bound.h"

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/schedule/certificates.h"

#include "base/memory.h"

/* Fewer nodes are not worth waking other threads for; so many are looked at by one at a time. */
enum { FEW_NODES = 64, SOME_NODES = 16 };

/* HOLDS: nothing has changed; LONGER: the nominal motion serves on; ANEW: there is another. */
typedef enum leash_fate { HOLDS, LONGER, ANEW } leash_fate;

static void leash_due(world *w, uint32_t i)
{
    glance *g = &w->glance[i];
    double due = i < w->count ? lesser(w->leash[i].until, g->next) : g->next;
    if (due == g->due) return;
    g->due = due;
    fel_schedule(w->queue, i, due);
}

static bool nominal_is_near(const world *w, uint32_t i)
{
    double x[DIM], y[DIM], v[DIM];
    node_place(w, i, w->now, x);
    nominal_at(w, i, w->now, y, v);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    return sqrt(dot(x, x)) <= w->nominal[i].tau * (1 + 1e-9) + w->margin;
}

/* The longest time that something that is `room` away from its limit, at this speed and acceleration, certainly stays
 * within it. */
static double time_within(double room, double speed, double acceleration)
{
    double sum = speed + (acceleration > 0 ? sqrt(speed * speed + 2 * acceleration * room) : speed);
    return sum > 0 ? 2 * room / sum : INFINITY;
}

/* Gives node i a stretch as long as its deviation allows; false where that is less than `worth`. One that was
 * just kicked may be kicked on: then no longer than it would take it to get away if it kept gaining what it has
 * gained, once a step. */
static bool lengthen(world *w, uint32_t i, double t, double worth, bool kicked)
{
    const double use = 0.6;
    leash *l = &w->leash[i];
    const nominal *n = &w->nominal[i];
    double x[DIM], v[DIM], off[DIM], drift[DIM], end = 0;
    nominal_at(w, i, t, x, v);
    node_place(w, i, t, off);
    node_velocity(w, i, t, drift);
    for (int k = 0; k < DIM; k++) {
        off[k] -= x[k];
        drift[k] -= v[k];
    }
    const bool falls = n->straight && w->node[i].w != 0;
    double away = sqrt(dot(off, off)), fall = falls ? w->fall : 0;
    bool rigid = is_rigid(w, i);
    fall += node_bend(w, i);
    double speed = sqrt(dot(drift, drift)), room = greater(n->tau - away, 0);
    double s = use * time_within(room, speed, fall);
    if (kicked && speed > 0) s = lesser(s, sqrt(2 * room * w->choice.step / speed));
    if (isinf(s)) {
        l->until = INFINITY;
        l->radius2 = -1;
        return true;
    }
    double radius = n->tau - 0.125 * fall * s * s;
    for (int k = 0; k < DIM; k++) {
        double g = falls ? w->gravity[k] : 0, at = off[k] + s * (drift[k] + 0.5 * s * g);
        end += at * at;
    }
    if (s < worth || (!rigid && (radius < away || end > radius * radius))) return false;
    l->until = greater(t + s, just_after(t));
    l->radius2 = rigid ? -1 : radius * radius; /* a path that turns is looked at after each kick */
    nominal_at(w, i, l->until, l->centre, v);
    return true;
}

static double smallest_gap_of(const world *w, uint32_t who, double t)
{
    double least = INFINITY;
    const list *known = &w->list[who];
    for (uint32_t k = 0; k < known->count; k++)
        if (known->at[k].contact != NOBODY) least = lesser(least, gap_at(w, who, known->at[k].who, t));
    return least;
}

/* The smallest gap among the contacts of node i and the rods and faces that end there. */
static double smallest_gap(const world *w, uint32_t i, double t)
{
    double least = smallest_gap_of(w, i, t);
    for (uint32_t k = 0; k < parts_at(w, i); k++)
        least = lesser(least, smallest_gap_of(w, w->part[w->first_part[i] + k], t));
    return least;
}

/* What a node that is pushed to and fro will do is best told from what it did of late; what a driven one will do, from
 * its drive. */
static void choose_motion(world *w, uint32_t i, double t, const double x[DIM], bool touching)
{
    nominal *n = &w->nominal[i];
    double v[DIM], mean[DIM], past = t - n->t;
    node_velocity(w, i, t, v);
    n->straight = touching && w->fall > 0 && w->node[i].w != 0;
    for (int k = 0; k < DIM; k++) mean[k] = past > 0 ? (x[k] - n->x[k]) / past : v[k];
    bool wobbles = touching && w->node[i].w != 0 && 4 * dot(mean, mean) < dot(v, v);
    for (int k = 0; k < DIM; k++) {
        n->v[k] = wobbles ? mean[k] : v[k];
        n->x[k] = x[k];
    }
    n->t = t;
    if (w->node[i].w == 0) n->straight = true;
}

/* ---- settling ---------------------------------------------------------------------------------------------------- */

/* Shells tremble: where there is room, their vertices may do so by more than others. */
static double widest_tolerance(const world *w, uint32_t i)
{
    if (!is_vertex(w, i)) return w->tau;
    double gap = w->glance[i].gap;
    for (uint32_t k = 0; k < parts_at(w, i); k++) gap = lesser(gap, w->glance[w->part[w->first_part[i] + k]].gap);
    return greater(w->tau, lesser(TOLERATED / 2 * gap, near_tolerance(w)));
}

static void renominate(world *w, uint32_t i, double t)
{
    double x[DIM], gap = smallest_gap(w, i, t);
    node_place(w, i, t, x);
    choose_motion(w, i, t, x, !OWN_CLOCKS && !isinf(gap));
    w->nominal[i].tau = (float)lesser(widest_tolerance(w, i), TOLERATED / 4 * greater(gap, 0));
    if (!lengthen(w, i, t, 0, false)) w->leash[i].until = just_after(t);
}

/* What has become of a node that was to be looked at; it is no longer. Stretches shorter than a few steps are not
 * worth a place in the queue. */
static leash_fate mend(world *w, uint32_t i, double t)
{
    const double steps = 4;
    leash_fit fit = (leash_fit)w->is_loose[i];
    w->is_loose[i] = SNUG;
    if (fit == TAUT && leash_holds(w, i)) return HOLDS;
    if (fit != TOO_LONG && lengthen(w, i, t, steps * w->choice.step, fit == TAUT)) return LONGER;
    renominate(w, i, t);
    return ANEW;
}

/* What mending needs. */
static inline void fetch_flight(const world *w, const uint32_t *at, uint32_t n, uint32_t count)
{
    if (n + 3 < count) __builtin_prefetch(&w->list[at[n + 3]]);
    if (n + 1 >= count) return;
    uint32_t i = at[n + 1];
    __builtin_prefetch(&w->nominal[i]);
    near_fetch(w, i);
    __builtin_prefetch(w->list[i].at);
    __builtin_prefetch((const char *)w->list[i].at + 64);
}

static void mend_some(world *w, const uint32_t *at, uint32_t from, uint32_t to, double t)
{
    for (uint32_t n = from; n < to; n++) {
        fetch_flight(w, at, n, to);
        w->fate[n] = (uint8_t)mend(w, at[n], t);
    }
}

static void look_some(world *w, uint32_t from, uint32_t to, double t, double until, scope of)
{
    for (uint32_t n = from; n < to; n++) {
        fetch_flight(w, w->anew, n, to);
        certify_look(w, w->anew[n], t, until, of);
    }
}

/* Several ends of a part may have new nominal motions at once: it is looked at once. */
static void add_anew(world *w, uint32_t i)
{
    w->anew[w->anew_count++] = i;
    for (uint32_t k = 0; k < parts_at(w, i); k++) {
        uint32_t part = w->part[w->first_part[i] + k];
        if (w->is_anew[part - w->count]) continue;
        w->is_anew[part - w->count] = true;
        w->anew[w->anew_count++] = part;
    }
}

/* Those that were loose: longer leashes, or new nominal motions. */
static void mend_all(world *w, double t)
{
    uint32_t *at = w->loose.at, count = w->loose.count;
    w->work += count;
    if (w->threads > 1 && count > FEW_NODES) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads)
        for (uint32_t from = 0; from < count; from += SOME_NODES)
            mend_some(w, at, from, from + SOME_NODES < count ? from + SOME_NODES : count, t);
    } else {
        mend_some(w, at, 0, count, t);
    }
    w->anew_count = 0;
    w->loose.count = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (w->fate[n] == LONGER) leash_due(w, at[n]);
        if (w->fate[n] == ANEW) add_anew(w, at[n]);
    }
}

/* Certificates for those that move otherwise now, all of them, or for those that have some that end by `until`. */
static carom_status certify_all(world *w, double t, double until, scope of, error *e)
{
    const uint32_t count = w->anew_count;
    w->work += (uint64_t)count * (of == ALL ? 16 : 4); /* a list has tens of neighbours */
    TRY(near_keep(w, w->anew, count, t, until, e));
    if (w->threads > 1 && count > FEW_NODES) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads)
        for (uint32_t from = 0; from < count; from += SOME_NODES)
            look_some(w, from, from + SOME_NODES < count ? from + SOME_NODES : count, t, until, of);
    } else {
        look_some(w, 0, count, t, until, of);
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = w->anew[n];
        certify_wake(w, i, t);
        leash_due(w, i);
        if (is_part(w, i)) w->is_anew[i - w->count] = false;
        if (of == DUE)
            w->events[EVENT_CERTIFICATE]++;
        else if (!is_part(w, i))
            w->events[EVENT_TRANSFER]++;
    }
    return CAROM_OK;
}

static carom_status leash_settle(world *w, double t, error *e)
{
    while (w->loose.count > 0) {
        mend_all(w, t);
        if (w->anew_count > 0) TRY(certify_all(w, t, t, ALL, e));
    }
    return w->out_of_memory ? error_memory(e, "contacts", w->contact_capacity * sizeof *w->contact) : CAROM_OK;
}

static carom_status leash_check(world *w, double t, double until, error *e)
{
    uint32_t i;
    double due;
    w->anew_count = 0;
    while (fel_peek(w->queue, &i, &due) && due <= until) {
        w->glance[i].due = INFINITY;
        fel_schedule(w->queue, i, INFINITY);
        if (i < w->count && w->leash[i].until <= until)
            leash_slack(w, i, OVERDUE);
        else
            w->anew[w->anew_count++] = i;
    }
    if (w->anew_count > 0) TRY(certify_all(w, t, until, DUE, e));
    return w->loose.count > 0 ? leash_settle(w, t, e) : CAROM_OK;
}

static carom_status leash_all(world *w, double t, error *e)
{
    for (uint32_t i = 0; i < w->count; i++) leash_slack(w, i, TOO_LONG);
    return leash_settle(w, t, e);
}
