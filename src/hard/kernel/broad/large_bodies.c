/* Large bodies: a lower bound of the contact time for each neighbour.
 *
 * A large body has thousands of neighbours, too many for a prediction of all of them after each collision. For each
 * neighbour it stores a lower bound of the contact time: the time at which the neighbour, on its present path, meets a
 * sphere with the position and velocity that the large body had when the bound was made. The radius of this sphere
 * grows at the largest permitted deviation of the velocity since then. Only neighbours with a bound before the first
 * event are predicted, with the same operations as all others. The cost of an event is therefore independent of the
 * size of the large bodies. */
#include "hard/kernel/broad/large_bodies.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/narrow/detect.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/predict.h"

#include "base/memory.h"
#include "geometry/contact.h"

static large_body *large_body_at(const gas *g, uint32_t i)
{
    return &g->lists->large[g->lists->large_of[i]];
}

/* The bounds hold for spheres with a common acceleration, the stable rule, and no interaction beyond contact. */
static bool bounds_hold(const gas *g)
{
    return g->sleep == NULL && g->stepped == NULL && g->shapes == NULL && g->shear == NULL && is_stable(g);
}

/* ---- the tree of bounds ------------------------------------------------------------------------------------------ */

static void set_due(large_body *b, uint32_t k, real time)
{
    uint32_t n = b->leaves + k;
    b->due[n] = time;
    for (n /= 2; n > 0; n /= 2) {
        real least = b->due[2 * n] < b->due[2 * n + 1] ? b->due[2 * n] : b->due[2 * n + 1];
        if (b->due[n] == least) return;
        b->due[n] = least;
    }
}

static uint32_t soonest(const large_body *b)
{
    uint32_t n = 1;
    while (n < b->leaves) n = 2 * n + (b->due[2 * n + 1] < b->due[2 * n]);
    return n - b->leaves;
}

static void clear_times(large_body *b)
{
    for (uint32_t k = 0; k < 2 * b->leaves; k++) b->due[k] = REAL_NEVER;
    b->deviation = -1;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* Deviation of the large body's velocity from the stored one. */
static void velocity_deviation(const gas *g, const large_body *b, real by[DIM])
{
    const body *s = &g->body[b->body];
    for (int k = 0; k < DIM; k++) by[k] = s->v[k] - b->velocity[k] - g->gravity[k] * (s->t - b->since);
}

static bool bounds_expired(const gas *g, const large_body *b)
{
    real by[DIM], most = LARGE_BODY_DEVIATION_USED * b->deviation; /* the rest covers rounding */
    velocity_deviation(g, b, by);
    return b->deviation < 0 || dot(by, by) > most * most;
}

/* Lower bound of the local time of a contact of b and j. */
static real not_before(const gas *g, const large_body *b, uint32_t j)
{
    real r[DIM], v[DIM], by[DIM];
    relative_at(g, b->body, j, g->now, g->now, r, v);
    velocity_deviation(g, b, by);
    for (int k = 0; k < DIM; k++) v[k] -= by[k];
    real rate = b->deviation + contact_distance(g, b->body, j, 0) * g->growth;
    if (is_large(g->lists, j)) {
        const large_body *other = large_body_at(g, j);
        if (other->deviation < 0) return g->now;
        velocity_deviation(g, other, by);
        for (int k = 0; k < DIM; k++) v[k] += by[k];
        rate += other->deviation;
    }
    real s = contact_distance(g, b->body, j, g->now) + g->lists->slack;
    return g->now + contact_parabola(dot(v, v) - rate * rate, dot(v, r) - s * rate, dot(r, r) - s * s);
}

/* Index of body j in the list of a large body. */
static uint32_t row_index(const gas *g, const large_body *b, uint32_t j)
{
    uint32_t *row_place = &g->lists->row_place[j], length = g->plan[b->body].length;
    if (*row_place < length && b->row[*row_place] == j) return *row_place;
    for (*row_place = 0; b->row[*row_place] != j;) ++*row_place;
    return *row_place;
}

static void renew_bound(const gas *g, large_body *b, uint32_t j)
{
    if (b->deviation >= 0) set_due(b, row_index(g, b, j), not_before(g, b, j));
}

static void large_bodies_renew_bounds(gas *g, uint32_t i)
{
    list_copy room;
    if (!bounds_hold(g)) return;
    const uint32_t *row = lists_row(g, i, &room);
    for (uint32_t k = 0; k < g->plan[i].length; k++)
        if (is_large(g->lists, row[k])) renew_bound(g, large_body_at(g, row[k]), i);
}

/* Stores the present velocity, with a new permitted deviation, and renews all bounds. */
static void renew_all_bounds(const gas *g, large_body *b)
{
    const body *s = &g->body[b->body];
    const uint32_t length = g->plan[b->body].length;
    real speed = 0;
    for (uint32_t k = 0; k < length; k++) {
        real r[DIM], v[DIM];
        relative_at(g, b->body, b->row[k], g->now, g->now, r, v);
        speed += real_sqrt(dot(v, v));
    }
    for (int k = 0; k < DIM; k++) b->velocity[k] = s->v[k];
    b->since = s->t;
    b->deviation = length > 0 ? (real)LARGE_BODY_DEVIATION * speed / (real)length : 0;
    for (uint32_t k = 0; k < length; k++) {
        set_due(b, k, not_before(g, b, b->row[k]));
        if (is_large(g->lists, b->row[k])) renew_bound(g, large_body_at(g, b->row[k]), b->body);
    }
}

static void large_bodies_plan(gas *g, uint32_t i, plan *p)
{
    large_body *b = large_body_at(g, i);
    if (!bounds_hold(g)) {
        predict(g, i, b->row, p->length, p);
        return;
    }
    if (bounds_expired(g, b)) renew_all_bounds(g, b);
    uint32_t done = 0;
    while (b->due[1] < REAL_NEVER && b->due[1] <= p->first.time) {
        const uint32_t k = soonest(b), j = b->row[k];
        consider(g, p, i, (next_event){detect_pair(g, i, j, g->now), j, g->body[j].stamp});
        set_due(b, k, REAL_NEVER);
        b->done[done++] = k;
    }
    while (done-- > 0) set_due(b, b->done[done], not_before(g, b, b->row[b->done[done]]));
    p->second = (next_event){p->first.time, PARTNER_UNKNOWN, 0};
}

/* ---- lists of large bodies --------------------------------------------------------------------------------------- */

static carom_status large_body_reserve(large_body *b, uint32_t wanted, error *e)
{
    if (wanted <= b->room) return CAROM_OK;
    uint32_t room = b->room == 0 ? 64 : b->room;
    while (room < wanted) room *= 2;
    uint32_t *row = memory_resize(b->row, b->room, room, sizeof *row);
    if (row != NULL) b->row = row;
    uint32_t *done = memory_resize(b->done, b->room, room, sizeof *done);
    if (done != NULL) b->done = done;
    real *due = memory_new(2 * (size_t)room, sizeof *due);
    if (row == NULL || done == NULL || due == NULL) {
        memory_free(due);
        return error_memory(e, "neighbour lists", room * (2 * sizeof *row + 2 * sizeof *due));
    }
    memory_free(b->due);
    b->due = due;
    b->leaves = room;
    for (uint32_t k = b->room; k < room; k++) row[k] = b->body;
    b->room = room;
    clear_times(b);
    return CAROM_OK;
}

static carom_status large_bodies_append(gas *g, uint32_t i, uint32_t j, error *e)
{
    large_body *b = large_body_at(g, i);
    const uint32_t k = g->plan[i].length;
    TRY(large_body_reserve(b, k + 1, e));
    g->plan[i].length++;
    b->row[k] = j;
    g->lists->row_place[j] = k;
    set_due(b, k, g->now);
    return CAROM_OK;
}

static void large_bodies_drop(gas *g, uint32_t i, uint32_t j)
{
    large_body *b = large_body_at(g, i);
    const uint32_t k = row_index(g, b, j), last = --g->plan[i].length;
    b->row[k] = b->row[last];
    g->lists->row_place[b->row[k]] = k;
    set_due(b, k, b->due[b->leaves + last]);
    b->row[last] = i;
    set_due(b, last, REAL_NEVER);
}

static void large_bodies_empty(gas *g, uint32_t i)
{
    large_body *b = large_body_at(g, i);
    for (uint32_t k = 0; k < g->plan[i].length; k++) b->row[k] = i;
    g->plan[i].length = 0;
    clear_times(b);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

enum { SPARE_LARGE = 8 };

/* Room for one more large body. */
static carom_status reserve_large(neighbor_lists *l, error *e)
{
    if (l->large_count < l->large_room) return CAROM_OK;
    const uint32_t room = l->large_room + l->large_room / 2 + SPARE_LARGE;
    large_body *more =
        l->large == NULL ? NEW_ARRAY(room, large_body) : memory_resize(l->large, l->large_room, room, sizeof *more);
    if (more == NULL) return error_memory(e, "neighbour lists", room * sizeof *more);
    l->large = more;
    l->large_room = room;
    return CAROM_OK;
}

static carom_status large_bodies_enter(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    if (l->large_of == NULL) return CAROM_OK;
    l->large_of[i] = NONE;
    if (!(extent_of(g, i) >= l->large_body_from)) return CAROM_OK;
    TRY(reserve_large(l, e));
    large_body *b = &l->large[l->large_count];
    TRY(large_body_reserve(b, 1, e));
    l->large_of[i] = l->large_count++;
    b->body = i;
    for (uint32_t k = 0; k < b->room; k++) b->row[k] = i;
    clear_times(b);
    return CAROM_OK;
}

static void large_bodies_leave(gas *g, uint32_t i)
{
    neighbor_lists *l = g->lists;
    if (!is_large(l, i)) return;
    large_body *b = large_body_at(g, i), *last = &l->large[--l->large_count];
    const large_body held = *b;
    l->large_of[last->body] = l->large_of[i];
    *b = *last;
    *last = held;
    l->large_of[i] = NONE;
}

static void large_bodies_forget(gas *g, uint32_t i)
{
    if (is_large(g->lists, i)) clear_times(large_body_at(g, i));
}

static carom_status large_bodies_clear(gas *g, error *e)
{
    neighbor_lists *l = g->lists;
    if (l->large_of == NULL) return CAROM_OK;
    l->large_count = 0;
    for (uint32_t i = 0; i < g->room; i++) l->large_of[i] = NONE;
    for (uint32_t i = 0; i < g->count; i++) TRY(large_bodies_enter(g, i, e));
    return CAROM_OK;
}

static bool any_large(const gas *g, real from)
{
    for (uint32_t k = 0; k < g->kind_count; k++)
        if (g->radius[k] * g->grow_to * g->reach >= from) return true;
    return false;
}

static carom_status large_bodies_create(gas *g, error *e)
{
    neighbor_lists *l = g->lists;
    l->large_body_from = (real)(LARGE_BODY_RADII / 2) * mean_contact(whole_of(g));
    if (!any_large(g, l->large_body_from)) return CAROM_OK;
    l->large_of = NEW_ARRAY(g->room, uint32_t);
    l->row_place = NEW_ARRAY(g->room, uint32_t);
    l->mark = NEW_ARRAY(g->room, uint8_t);
    if (l->large_of == NULL || l->row_place == NULL || l->mark == NULL)
        return error_memory(e, "neighbour lists", (size_t)g->room * 9);
    return CAROM_OK;
}

static void large_bodies_destroy(neighbor_lists *l)
{
    for (uint32_t k = 0; l->large != NULL && k < l->large_room; k++) {
        memory_free(l->large[k].row);
        memory_free(l->large[k].done);
        memory_free(l->large[k].due);
    }
    memory_free(l->large);
    memory_free(l->large_of);
    memory_free(l->row_place);
    memory_free(l->mark);
}
