/* One step after the other. */
#include "aggregation/kernel/steps/steps.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- a step ------------------------------------------------------------------------------------------------------ */

static double top_speed(const steps *s)
{
    double top = 0;
#pragma omp parallel for schedule(static) num_threads(s->threads) reduction(max : top) if (s->live_count > 2000)
    for (uint32_t n = 0; n < s->live_count; n++) top = fmax(top, s->motions[s->live[n]].speed);
    return top;
}

/* Infinite where nobody moves. */
static double step_length(const steps *s)
{
    return s->settings->dt > 0 ? s->settings->dt : s->settings->cfl * s->least_radius / top_speed(s);
}

/* What resolving has moved may overlap others now. */
static void look_again(steps *s)
{
    uint64_t displaced = 0;
    for (int t = 0; t < s->threads; t++) {
        displaced += s->crews[t].displaced;
        s->crews[t].displaced = 0;
    }
    watch_moved(s);
    if (displaced == 0) return;
    watch_renew(s);
    watch_scan(s, true);
}

/* Pseudo-time quickens while the iterations converge, and slows down where they do not (evolve). */
static void tally_solvers(steps *s)
{
    uint64_t problems = 0, stalls = 0;
    for (int t = 0; t < s->threads; t++) {
        crew *c = &s->crews[t];
        problems += c->problems;
        stalls += c->fell_back;
        s->iterations += c->iterations;
        s->unsolved += c->unsolved;
        c->problems = c->fell_back = c->iterations = c->unsolved = 0;
    }
    s->problems += problems;
    s->fell_back += stalls;
    if (!s->settings->daha.evolve || problems == 0) return;
    const double slower = 0.9, quicker = 1.01, slowest = 0.25, quickest = 1.15;
    s->pace = clamp(s->pace * (20 * stalls > problems ? slower : quicker), slowest, quickest);
}

static carom_status step(steps *s, double dt, error *e)
{
    flight_step(s, dt);
    s->step_count++;
    s->time = s->settings->dt > 0 ? (double)s->step_count * dt : s->time + dt;
    watch_renew(s);
    watch_scan(s, false);
    s->contact_count = 0;
    TRY(contacts_gather(s, e));
    while (s->contact_count > s->round_start) {
        TRY(resolve_contacts(s, e));
        look_again(s);
        TRY(contacts_gather(s, e));
    }
    tally_solvers(s);
    return s->contact_count > 0 ? merge_contacts(s, e) : CAROM_OK;
}

/* ---- no progress ------------------------------------------------------------------------------------------------- */

static double longest_side(const steps *s)
{
    double side = 0;
    for (int k = 0; k < DIM; k++) side = fmax(side, s->size[k]);
    return side;
}

/* Will distances along axis k stay as they are? All move alike along it, and no wall changes that. */
static bool is_frozen(const steps *s, int k, double top)
{
    const double rounding = 1e-13;
    double first = s->motions[s->live[0]].velocity[k];
    if (s->wall[k] && fabs(first) > 0) return false;
    for (uint32_t n = 0; n < s->live_count; n++)
        if (fabs(s->motions[s->live[n]].velocity[k] - first) > rounding * top) return false;
    return true;
}

typedef struct place {
    double x;
    uint32_t i;
} place;

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x ? 1 : p->i < q->i ? -1 : p->i > q->i;
}

static bool near_along(const steps *s, const bool frozen[DIM], uint32_t i, uint32_t j)
{
    double r[DIM], square = 0, reach = contact_distance(s, i, j);
    between(s, i, j, r);
    for (int k = 0; k < DIM; k++) square += frozen[k] ? r[k] * r[k] : 0;
    return square < reach * reach;
}

/* Is there a pair of clusters that the frozen axes do not keep apart for ever? */
static bool any_may_meet(const steps *s, const bool frozen[DIM], place *places)
{
    int axis = 0;
    double widest = 0;
    while (!frozen[axis]) axis++;
    for (uint32_t i = 0; i < s->count; i++) {
        double r[DIM];
        position_of(s, i, r);
        if (s->box[axis] > 0) r[axis] -= s->box[axis] * floor(r[axis] * s->inverse_box[axis]);
        places[i] = (place){r[axis], i};
        widest = fmax(widest, 2 * s->bodies[i].radius);
    }
    qsort(places, s->count, sizeof *places, by_place);
    for (uint32_t n = 0; n < s->count; n++)
        for (uint32_t m = 1; m < s->count; m++) {
            const place *a = &places[n], *b = &places[(n + m) % s->count];
            double beyond = n + m < s->count ? 0 : s->box[axis];
            if ((n + m >= s->count && beyond == 0) || b->x + beyond - a->x >= widest) break;
            if (s->bodies[a->i].cluster != s->bodies[b->i].cluster && near_along(s, frozen, a->i, b->i)) return true;
        }
    return false;
}

/* Looked at each time that the fastest has crossed the box since the last merge. */
static carom_status stuck(const steps *s, double top, carom_stop *stop, error *e)
{
    const double most = 1e4;
    bool frozen[DIM], any = false, all = true;
    for (int k = 0; k < DIM; k++) {
        frozen[k] = is_frozen(s, k, top);
        any = any || frozen[k];
        all = all && frozen[k];
    }
    const char *why = NULL;
    if (all)
        why = top == 0 ? "nothing moves" : "all clusters move alike";
    else if (s->flown > most * longest_side(s))
        why = "none have met while the fastest crossed the box 10000 times";
    else if (any) {
        place *places = NEW_ARRAY(s->count, place);
        if (places == NULL) return error_memory(e, "the search for what may meet", s->count * sizeof *places);
        if (!any_may_meet(s, frozen, places)) why = "they move in lanes that do not overlap";
        memory_free(places);
    }
    if (why == NULL) return CAROM_OK;
    *stop = CAROM_STOP_NO_PROGRESS;
    return error_set(e, CAROM_DYNAMICS, "error: the %u clusters at time %.17g will not meet: %s", s->live_count, s->time,
                     why);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static carom_stop limit_reached(const steps *s, const engine_limits *limits)
{
    if (s->live_count <= limits->clusters) return CAROM_STOP_CLUSTERS;
    if (s->events[EVENT_COLLISION] >= limits->collisions) return CAROM_STOP_COLLISIONS;
    if (s->events[EVENT_MERGE] + s->events[EVENT_WALL] >= limits->events) return CAROM_STOP_EVENTS;
    return CAROM_STOP_NONE;
}

static carom_status check_progress(steps *s, double dt, carom_stop *stop, error *e)
{
    const double side = longest_side(s), before = s->flown, top = top_speed(s);
    if (s->live_count < 2) return CAROM_OK;
    if (top > 0 && floor((before + top * dt) / side) == floor(before / side)) return CAROM_OK;
    return stuck(s, top, stop, e);
}

carom_status steps_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    steps *s = self;
    *stop = limit_reached(s, limits);
    for (uint64_t work = 0; *stop == CAROM_STOP_NONE && work < limits->slice; work += 1 + s->live_count / 50) {
        double dt = step_length(s);
        TRY(check_progress(s, dt, stop, e));
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
