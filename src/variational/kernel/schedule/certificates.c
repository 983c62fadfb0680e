/* Certificates of nominal motions. The distances of these from the flights are at most tau_i and tau_j. Layer l
 * cannot act before they come within reach + 2 eta/l + tau_i + tau_j of each other. */
#include "variational/kernel/schedule/certificates.h"

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/narrow/separation.h"
#include "variational/kernel/schedule/flight_bound.h"
#include "variational/kernel/schedule/nominal.h"
#include "variational/kernel/schedule/pending.h"
#include "variational/kernel/schedule/recheck.h"

/* The separation of node i, in this nominal motion, and `partner`, and the sum of both tolerances. */
static inline __attribute__((always_inline)) separation separation_now(const world *w, uint32_t i, const motion *a,
                                                                       uint32_t partner, double t, double *slack)
{
    if (is_linked(w, i, partner)) return separation_of_elements(w, i, partner, t, true, slack);
    *slack = w->flights.nominal[i].tau + w->flights.margin;
    if (partner >= NODES) return separation_of_surface(w, a, &w->domain.surface[partner - NODES], t);
    motion b = nominal_motion(w, partner, t);
    *slack += w->flights.nominal[partner].tau;
    return separation_of_nodes(w, a, &b);
}

static void enter_contact(world *w, uint32_t i, uint32_t partner, uint32_t index)
{
    list_find(&w->neighbours.list[i], partner)->contact = index;
    if (partner < NODES) list_find(&w->neighbours.list[partner], i)->contact = index;
}

static uint32_t begin_contact(world *w, uint32_t i, uint32_t partner)
{
    uint32_t index = partner < i ? contact_begin(w, partner, i) : contact_begin(w, i, partner);
    if (index != NONE) enter_contact(w, i, partner, index);
    return index;
}

/* Requests smaller tolerances for the nodes of an element; false: they are small enough. */
static bool tighten(world *w, uint32_t element, double fair)
{
    if (element >= NODES) return false;
    uint32_t ends[3];
    bool any = false;
    for (int n = ends_of(w, element, ends); n-- > 0;) {
        if (w->flights.nominal[ends[n]].tau <= fair) continue;
        pending_add(w, ends[n], TOLERANCE_TOO_LARGE);
        any = true;
    }
    return any;
}

/* Requests smaller tolerances if they are large for the gap. The new nominal motions then include a check of the
 * pair. */
static bool tolerance_is_too_large(world *w, uint32_t i, uint32_t partner, double gap, double slack)
{
    double fair = TOLERATED / 2 * greater(gap, 0);
    if (slack <= 2 * fair) return false;
    bool first = tighten(w, i, fair);
    return tighten(w, partner, fair) || first;
}

static double shortest_wait(const world *w, uint32_t layer)
{
    if (OWN_CLOCKS) return EARLY * w->choice.step * pow(layer, -w->settings->step_law);
    return layer == 1 ? SHORTEST_WAIT * w->choice.step
                      : SHORTEST_WAIT * w->choice.step * pow(layer, -w->settings->step_law);
}

/* Whether a layer becomes active now, in place of another check within a time `ahead`. Only a bound is not exact. */
static inline bool acts_soon(const world *w, const separation *s, uint32_t layer, double wait, double ahead)
{
    if (s->kind != SEPARATION_BOUND && wait > ahead) return false;
    return wait <= shortest_wait(w, layer);
}

/* OWN_CLOCKS: requests smaller tolerances until the layer begins at its thickness, up to the margin. The tolerances
 * of vertices follow recheck.gap. */
static bool wakes_too_early(world *w, uint32_t i, uint32_t partner, double room)
{
    const double fair = greater(TOLERATED / 2 * room, w->flights.margin);
    w->flights.recheck[i].gap = (float)greater(room, 0);
    if (partner < NODES) w->flights.recheck[partner].gap = (float)greater(room, 0);
    bool first = tighten(w, i, 1.01 * fair);
    return tighten(w, partner, 1.01 * fair) || first;
}

/* Balls of a given state may touch meshes. */
static double least_start_gap(const world *w, bool ball)
{
    return thickness(w, 1) * (ball && w->start.given ? 1 - STATE_COMPRESSION : 1);
}

/* Records the smallest gap of meshes below the least one at the start; false: cores overlap. */
static bool check_start(world *w, uint32_t i, uint32_t partner, double gap)
{
    const bool ball = !is_of_mesh(w, i) || (partner < NODES && !is_of_mesh(w, partner));
    const bool of_mesh = is_of_mesh(w, i) || (partner < NODES && is_of_mesh(w, partner));
    if (ball && !of_mesh) return gap > 0 || !w->start.given;
    /* of pairs with equal gaps, up to rounding, the message names the one with the least numbers */
    const double equal = 1e-12 * thickness(w, 1);
    const uint32_t first = i < partner ? i : partner, last = i < partner ? partner : i;
    const bool before = first < w->start.i || (first == w->start.i && last < w->start.partner);
    if (gap < least_start_gap(w, ball) * (1 - 1e-9) && gap < w->start.gap + (before ? equal : -equal)) {
        w->start.gap = gap;
        w->start.i = first;
        w->start.partner = last;
    }
    return gap > 0;
}

/* Activates the layers of a pair that may act by `until`. Returns the time until the next layer may act. */
static inline double wake_layers(world *w, uint32_t i, const motion *a, neighbour *n, double t, double until)
{
    double slack, reach = contact_reach(w, i, n->partner);
    separation s = separation_now(w, i, a, n->partner, t, &slack);
    if (w->start.checking && !check_start(w, i, n->partner, separation_distance(&s) - reach)) return INFINITY;
    for (;;) {
        uint32_t awake = n->contact != NONE ? w->contacts.contact[n->contact].n : 0;
        double wait = separation_wait(&s, reach + thickness(w, awake + 1) + slack);
        if (!acts_soon(w, &s, awake + 1, wait, until - t)) return wait;
        /* tolerances follow the gaps of contacts, so only a contact can have smaller ones */
        if (awake > 0 && tolerance_is_too_large(w, i, n->partner, separation_distance(&s) - reach, slack))
            return INFINITY;
        if (OWN_CLOCKS && wakes_too_early(w, i, n->partner, separation_distance(&s) - reach - thickness(w, awake + 1)))
            return INFINITY;
        if (n->contact == NONE && begin_contact(w, i, n->partner) == NONE) return INFINITY;
        if (IMPULSES && w->contacts.contact[n->contact].n > 0) return INFINITY;
        contact_deepen(w, n->contact, t);
        if (w->progress.squeezed != NONE || w->progress.out_of_memory) return INFINITY;
    }
}

static inline void prefetch_neighbour(const world *w, const neighbour *n)
{
    if (n->partner < NODES) __builtin_prefetch(&w->flights.nominal[n->partner]);
    if (n->contact != NONE) __builtin_prefetch(&w->contacts.contact[n->contact]);
}

/* A certificate of a pair with its present layers; -INFINITY if it needs more of them. */
static inline double certify_once(const world *w, uint32_t i, const motion *a, const neighbour *n, double t,
                                  double until, double *least)
{
    double slack, reach = contact_reach(w, i, n->partner);
    separation s = separation_now(w, i, a, n->partner, t, &slack);
    if (s.kind == SEPARATION_BOUND) *least = lesser(*least, s.bound.distance - reach - thickness(w, 1));
    uint32_t awake = n->contact != NONE ? w->contacts.contact[n->contact].n : 0;
    double wait = separation_wait(&s, reach + thickness(w, awake + 1) + slack);
    return acts_soon(w, &s, awake + 1, wait, until - t) || w->start.checking ? -INFINITY : t + wait;
}

static void certify_element(world *w, uint32_t i, double t, double until, scope of)
{
    list *known = &w->neighbours.list[i];
    double next = w->flights.recheck[i].next, least = INFINITY;
    motion mine = {0};
    if (of == ALL)
        for (uint32_t k = 0; k < known->count; k++) prefetch_neighbour(w, &known->at[k]);
    if (!is_part(w, i)) mine = nominal_motion(w, i, t);
    for (uint32_t k = 0; k < known->count; k++) {
        neighbour *n = &known->at[k];
        if (of == ALL || n->until <= until) n->until = certify_once(w, i, &mine, n, t, until, &least);
        next = lesser(next, n->until);
    }
    w->flights.recheck[i].next = next;
    if (of == ALL) w->flights.recheck[i].gap = (float)least;
}

static void certify_wake(world *w, uint32_t i, double t, double until)
{
    list *known = &w->neighbours.list[i];
    recheck *l = &w->flights.recheck[i];
    if (l->next <= until) {
        motion mine = {0};
        if (!is_part(w, i)) mine = nominal_motion(w, i, t);
        l->next = list_valid_until(w, i, t);
        for (uint32_t k = 0; k < known->count; k++) {
            neighbour *n = &known->at[k];
            if (n->until <= until) n->until = t + wake_layers(w, i, &mine, n, t, until);
            l->next = lesser(l->next, n->until);
        }
    }
    l->next = greater(l->next, just_after(t));
}

static void drop_touch(batch *b, touch *p, contact *pair)
{
    pair->closest = lesser(pair->closest, p->least);
    p->contact = NONE;
    b->dead++;
}

/* When the deepest of many layers becomes inactive, those above it may do so without waiting for their ticks. Layer
 * 1 is an exception: the impact ends at its tick. Returns the certificate of the last layer made inactive. */
static double sleep_more_layers(world *w, uint32_t index, const separation *s, double slack, double wait)
{
    contact *pair = &w->contacts.contact[index];
    while (pair->n > 1) {
        const uint32_t at = clock_of_layer(w, row_of(w, index), pair->n);
        clock *c = &w->schedule.clock[at];
        batch *b = batch_of(c, pair);
        double next = separation_wait(s, pair->reach + c->thickness + slack);
        touch *p = next >= c->step ? find_touch(b, pair, index) : NULL;
        if (p == NULL) break;
        drop_touch(b, p, pair);
        if (OWN_CLOCKS) clock_rest(w, at);
        pair->n--;
        wait = next;
    }
    return wait;
}

static void contact_sleep(world *w, clock *c, batch *b, uint32_t at, double t)
{
    touch *p = &b->at[at];
    uint32_t index = p->contact;
    contact *pair = &w->contacts.contact[index];
    uint32_t i = pair->i, partner = pair->j;
    if (pair->n != c->layer) return;
    double slack;
    motion a = {0};
    if (!is_part(w, i)) a = nominal_motion(w, i, t);
    separation s = separation_now(w, i, &a, partner, t, &slack);
    double wait = separation_wait(&s, pair->reach + c->thickness + slack);
    if (IMPULSES)
        wait = AGAIN * w->choice.step;
    else if (wait < c->step)
        return;
    drop_touch(b, p, pair);
    if (--pair->n == 0) {
        enter_contact(w, i, partner, NONE);
        contact_end(w, index);
    } else {
        wait = sleep_more_layers(w, index, &s, slack, wait);
    }
    list_find(&w->neighbours.list[i], partner)->until = t + wait;
    if (t + wait < w->flights.recheck[i].next) {
        w->flights.recheck[i].next = t + wait;
        recheck_schedule(w, i);
    }
}

static void contact_remove_touches(world *w, uint32_t index)
{
    contact *pair = &w->contacts.contact[index];
    for (; pair->n > 0; pair->n--) {
        batch *b = batch_of(&w->schedule.clock[clock_of_layer(w, row_of(w, index), pair->n)], pair);
        touch *p = find_touch(b, pair, index);
        if (p != NULL) drop_touch(b, p, pair);
    }
    enter_contact(w, pair->i, pair->j, NONE);
    contact_end(w, index);
}
