/* Neighbour lists, renewed for each body separately.
 *
 * The list of i contains each j with |list_origin_i - list_origin_j| < contact distance + skin (and a margin for
 * rounding). The list origin of a body is its position at the last renewal of its list. A body renews its list at a
 * distance of half a skin from its list origin. Until then only bodies in its list can reach it. Cells contain the
 * bodies by their list origins. Lists do not affect the physics. */
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/broad/grid.h"
#include "hard/kernel/broad/large_bodies.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/stepped_plan.h"
#include "hard/kernel/features/thermostat.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/predict.h"

#include "base/memory.h"
#include "geometry/ball.h"

/* Thickness of the skin, from the contact distance and the spacing of the bodies. */
static double skin_for(double contact, double spacing)
{
    double gap = spacing > contact ? spacing - contact : 0;
    return SKIN_OF_CONTACT * contact + SKIN_OF_GAP * gap;
}

/* ---- storage of the lists ---------------------------------------------------------------------------------------- */

static carom_status widen(gas *g, uint32_t capacity, error *e)
{
    neighbor_lists *l = g->lists;
    capacity = (capacity + 7) / 8 * 8;
    uint32_t *wider = memory_new((size_t)g->count * capacity, sizeof *wider);
    if (wider == NULL) return error_memory(e, "neighbour lists", (size_t)g->count * capacity * sizeof *wider);
    for (uint32_t i = 0; i < g->count; i++) {
        const bool has_one = l->neighbor != NULL && !is_large(l, i);
        uint32_t *to = wider + (size_t)i * capacity, length = has_one ? g->plan[i].length : 0;
        for (uint32_t k = 0; k < length; k++) to[k] = lists_row(g, i)[k];
        for (uint32_t k = length; k < capacity; k++) to[k] = i;
    }
    memory_free(l->neighbor);
    l->neighbor = wider;
    l->capacity = capacity;
    return CAROM_OK;
}

static carom_status append(gas *g, uint32_t i, uint32_t j, error *e)
{
    if (is_large(g->lists, i)) return large_bodies_append(g, i, j, e);
    uint32_t length = g->plan[i].length++;
    if (length == g->lists->capacity) {
        g->plan[i].length--;
        TRY(widen(g, length + length / 2, e));
        g->plan[i].length++;
    }
    lists_row(g, i)[length] = j;
    return CAROM_OK;
}

static void drop(gas *g, uint32_t i, uint32_t j)
{
    if (is_large(g->lists, i)) {
        large_bodies_drop(g, i, j);
        return;
    }
    uint32_t *row = lists_row(g, i), last = --g->plan[i].length, k = 0;
    while (row[k] != j) k++;
    row[k] = row[last];
    row[last] = i;
}

static bool contains(const uint32_t *row, uint32_t length, uint32_t j)
{
    bool found = false;
    for (uint32_t k = 0; k < length; k++) found |= row[k] == j;
    return found;
}

static carom_status lists_rebuild(gas *g, error *e)
{
    neighbor_lists *l = g->lists;
    grid_clear(g);
    if (g->shear != NULL) g->shear->grid_time = g->now;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t *row = l->neighbor + (size_t)i * l->capacity;
        for (uint32_t k = 0; k < l->capacity; k++) row[k] = i;
        g->plan[i].length = 0;
    }
    large_bodies_clear(g);
    for (uint32_t i = 0; i < g->count; i++) {
        TRY(grid_insert(g, i, e));
        TRY(grid_find(g, i, i, e));
        for (uint32_t k = 0; k < l->found_count; k++) {
            TRY(append(g, i, l->found[k], e));
            TRY(append(g, l->found[k], i, e));
        }
    }
    return CAROM_OK;
}

/* Makes the found bodies the list of i, and updates the lists of the bodies that are new in it or no longer in it. */
static carom_status exchange(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    const uint32_t before = g->plan[i].length;
    for (uint32_t k = 0; k < l->found_count; k++)
        if (!contains(lists_row(g, i), before, l->found[k])) TRY(append(g, l->found[k], i, e));
    uint32_t *row = lists_row(g, i);
    for (uint32_t k = 0; k < before; k++) {
        if (!contains(l->found, l->found_count, row[k])) drop(g, row[k], i);
        row[k] = i;
    }
    g->plan[i].length = 0;
    return CAROM_OK;
}

/* The same for long lists: bodies of the old list are marked OLD, those that remain STAY. */
static carom_status exchange_many(gas *g, uint32_t i, error *e)
{
    enum { NEW, OLD, STAY };
    neighbor_lists *l = g->lists;
    const uint32_t *row = lists_row(g, i), before = g->plan[i].length;
    for (uint32_t k = 0; k < before; k++) l->mark[row[k]] = OLD;
    for (uint32_t k = 0; k < l->found_count; k++) {
        if (l->mark[l->found[k]] == NEW) TRY(append(g, l->found[k], i, e));
        l->mark[l->found[k]] = STAY;
    }
    for (uint32_t k = 0; k < before; k++)
        if (l->mark[row[k]] == OLD) drop(g, row[k], i);
    for (uint32_t k = 0; k < before; k++) l->mark[row[k]] = NEW;
    for (uint32_t k = 0; k < l->found_count; k++) l->mark[l->found[k]] = NEW;
    large_bodies_empty(g, i);
    return CAROM_OK;
}

static carom_status lists_renew(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    if (g->shear != NULL && real_fabs(shear_strain(g)) > MOST_STRAIN) TRY(grid_renew_sheared(g, e));
    grid_remove(g, i);
    TRY(grid_insert(g, i, e));
    TRY(grid_find(g, i, NONE, e));
    if (is_large(l, i))
        TRY(exchange_many(g, i, e));
    else
        TRY(exchange(g, i, e));
    for (uint32_t k = 0; k < l->found_count; k++) TRY(append(g, i, l->found[k], e));
    return CAROM_OK;
}

/* ---- validity of a list ------------------------------------------------------------------------------------------ */

/* Solves |d + v dt| = h for |d| < h. */
static real straight_flight(const real d[DIM], const real v[DIM], real h)
{
    real a = dot(v, v), b = dot(d, v), c = dot(d, d) - h * h;
    if (c >= 0) return 0;
    if (a == 0) return REAL_NEVER;
    return (real_sqrt(b * b - a * c) - b) / a;
}

/* A time within which a falling body moves at most by h: |d| + |v| dt + |g| dt^2 / 2 = h. */
static real falling_flight(const gas *g, const real d[DIM], const real v[DIM], real h)
{
    real left = h - real_sqrt(dot(d, d));
    if (left <= 0) return 0;
    real speed = real_sqrt(dot(v, v)), pull = real_sqrt(dot(g->gravity, g->gravity));
    return 2 * left / (speed + real_sqrt(speed * speed + 2 * pull * left));
}

/* Sheared boxes: list origins move with the flow, and relative to each other; a third of the skin covers this. */
static real sheared_due(const gas *g, uint32_t i, real d[DIM], real v[DIM])
{
    const neighbor_lists *l = g->lists;
    const real third = l->skin / 3, reach = l->largest + l->skin + l->slack + l->coarse;
    const real sliding = shear_due(g, i, g->plan[i].list_origin, third, reach, d, v);
    const real flight = g->now + straight_flight(d, v, third);
    return sliding < flight ? sliding : flight;
}

/* Local time until which the list of i is valid on its present flight. */
static real lists_due(const gas *g, uint32_t i)
{
    real r[DIM], v[DIM], d[DIM];
    const body *b = &g->body[i];
    bool falls = g->has_gravity && !(is_asleep(g, i));
    position_at(g, i, g->now, r);
    if (g->shear != NULL) {
        memcpy(v, b->v, sizeof v);
        return sheared_due(g, i, r, v);
    }
    for (int k = 0; k < DIM; k++) {
        v[k] = b->v[k] + acceleration(g, i, k) * (g->now - b->t);
        d[k] = r[k] - g->plan[i].list_origin[k];
        real image = d[k] * g->inverse_box[k];
        image = nearest_whole(image);
        d[k] -= image * g->box[k];
    }
    real h = g->lists->skin / 2;
    return g->now + (falls ? falling_flight(g, d, v, h) : straight_flight(d, v, h));
}

static void lists_plan(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    plan_clear(p);
    consider(g, p, i, (next_event){lists_due(g, i), PARTNER_TRANSFER, 0});
    plan_kick(g, i, p);
    plan_check(g, i, p);
    plan_surfaces(g, i, p);
    if (g->stepped != NULL) plan_links(g, i, p);
    if (is_large(g->lists, i)) {
        plan_exact(g, i, p);
        plan_meshes(g, i, p);
        large_bodies_plan(g, i, p);
        return;
    }
    predict(g, i, lists_row(g, i), p->length, p);
    plan_exact(g, i, p);
    plan_meshes(g, i, p);
    if (g->lists->large_of != NULL) large_bodies_renew_bounds(g, i);
}

/* ---- creation and destruction ------------------------------------------------------------------------------------ */

/* The skin suits the most frequent size; bodies of other sizes have a longer one than necessary. In a small periodic
 * box a prediction uses the image that is nearest at that time. The body may then move from one side of its list origin
 * to the other, and so may its neighbour. Even if another image is nearer by two skins, it must not be in contact. */
static void choose_skin(gas *g)
{
    neighbor_lists *l = g->lists;
    double largest = (double)largest_contact(g), mean = (double)mean_contact(g), room = 1, taken = 0;
    const double core = mean / (double)g->reach;
    for (int k = 0; k < DIM; k++) room *= (double)least_size(g, k);
    for (uint32_t i = 0; i < g->count; i++) {
        double contact = 2 * (double)(radius_of(g, i) * g->grow_to);
        if (contact > core) taken += pow(contact, DIM) - pow(core, DIM);
    }
    taken *= ball_volume(DIM, 1);
    double skin = skin_for(mean, pow((room - taken) / g->count, 1.0 / DIM));
    for (int k = 0; k < DIM; k++) {
        double most = IMAGE_MARGIN * (0.5 * (double)least_size(g, k) - largest);
        if (g->box[k] > 0 && skin > most) skin = most;
    }
    l->largest = (real)largest;
    l->skin = (real)skin;
    /* Rounding of positions, and of squares that are compared in single precision. */
    l->slack = (g->sleep != NULL ? g->sleep->holding : 0) + (real)(LIST_ROUNDING * (largest + skin));
}

/* Room for the neighbours of equal bodies. Lists are widened if it is too small. */
static uint32_t first_capacity(const gas *g)
{
    const neighbor_lists *l = g->lists;
    const double reach = (double)(l->largest + l->skin);
    double others = ball_volume(DIM, 2 * reach);
    for (int k = 0; k < DIM; k++) others /= (double)g->size[k];
    others *= g->count;
    return g->kind_count == 1 && others < FIRST_CAPACITY_MOST
               ? (uint32_t)(FIRST_CAPACITY_FACTOR * others) + FIRST_CAPACITY_SPARE
               : FIRST_CAPACITY;
}

static size_t lists_bytes(uint32_t count)
{
    const size_t row = 24 * sizeof(uint32_t), grid = sizeof(block) / 3; /* for a dense fluid */
    return (size_t)count * (row + grid);
}

static carom_status lists_create(gas *g, error *e)
{
    neighbor_lists *l = g->lists = NEW_ARRAY(1, neighbor_lists);
    if (l == NULL) return error_memory(e, "neighbour lists", sizeof *l);
    choose_skin(g);
    TRY(grid_create(g, e));
    TRY(large_bodies_create(g, e));
    TRY(widen(g, first_capacity(g), e));
    return lists_rebuild(g, e);
}

static void lists_destroy(gas *g)
{
    neighbor_lists *l = g->lists;
    if (l == NULL) return;
    large_bodies_destroy(l);
    grid_destroy(l);
    memory_free(l->neighbor);
    memory_free(l);
    g->lists = NULL;
}
