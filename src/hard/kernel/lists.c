/* Neighbour lists, kept body by body.
 *
 * A list of i holds every j with |home_i - home_j| < contact distance + skin (and a little more), where home is where a
 * body was when its list was built last. A body renews its list when it is half a skin from home; until then nobody who is
 * not on its list can reach it. Cells hold the bodies by their homes. Nothing here touches the physics. */
#include "base/memory.h"
#include "hard/kernel/gas.h"

#include <string.h>

#define NO_BODY 0xffffffffu
enum { FIRST_CAPACITY = 16 }; /* a cache line */

/* Thickness of the skin, from the contact distance and the spacing of the bodies; the fastest by measurement from packing
 * fraction 0.05 to 0.49. */
static double skin_for(double contact, double spacing)
{
    double gap = spacing > contact ? spacing - contact : 0;
    return 0.5 * contact + 0.85 * gap;
}

/* ---- the grid ----------------------------------------------------------------------------------------------------- */

static void wrapped_difference(const gas *g, const real a[DIM], const real b[DIM], real d[DIM])
{
    for (int k = 0; k < DIM; k++) {
        d[k] = a[k] - b[k];
        real image = d[k] * g->inverse_box[k];
        image = (image + REAL_ROUNDER) - REAL_ROUNDER;
        d[k] -= image * g->box[k];
    }
}

static int64_t cell_coordinate(const neighbor_lists *l, const real r[DIM], int k)
{
    real c = (r[k] - l->cell_low[k]) * l->cell_per_length[k];
    int64_t last = l->cells[k] - 1;
    if (!(c > 0)) return 0;
    return c < (real)last ? (int64_t)c : last;
}

static uint32_t cell_index(const neighbor_lists *l, const int64_t c[DIM])
{
    int64_t index = c[DIM - 1];
    for (int k = DIM - 2; k >= 0; k--) index = index * l->cells[k] + c[k];
    return (uint32_t)index;
}

static void cell_insert(neighbor_lists *l, uint32_t i)
{
    int64_t c[DIM];
    for (int k = 0; k < DIM; k++) c[k] = cell_coordinate(l, l->home[i], k);
    uint32_t cell = cell_index(l, c);
    l->cell_of[i] = cell;
    l->cell_previous[i] = NO_BODY;
    l->cell_next[i] = l->cell_head[cell];
    if (l->cell_head[cell] != NO_BODY) l->cell_previous[l->cell_head[cell]] = i;
    l->cell_head[cell] = i;
}

static void cell_remove(neighbor_lists *l, uint32_t i)
{
    uint32_t previous = l->cell_previous[i], next = l->cell_next[i];
    if (previous != NO_BODY)
        l->cell_next[previous] = next;
    else
        l->cell_head[l->cell_of[i]] = next;
    if (next != NO_BODY) l->cell_previous[next] = previous;
}

void span_of(const gas *g, int k, real *low, real *length)
{
    *low = 0;
    *length = g->size[k];
    if (g->scene->box.boundary[k] != BOUNDARY_OPEN) return;
    real high = -REAL_NEVER;
    *low = REAL_NEVER;
    for (uint32_t i = 0; i < g->count; i++) {
        real r[DIM];
        position_at(g, i, g->now, r);
        if (r[k] < *low) *low = r[k];
        if (r[k] > high) high = r[k];
    }
    *length = high - *low;
}

/* Cells at least as wide as the reach of a list, and not many more of them than bodies. */
static void grid_shape(gas *g)
{
    neighbor_lists *l = g->lists;
    double width = (double)(l->largest + l->skin + l->slack), room = (double)l->cell_room;
    real length[DIM];
    for (int k = 0; k < DIM; k++) span_of(g, k, &l->cell_low[k], &length[k]);
    for (;;) {
        double total = 1;
        for (int k = 0; k < DIM; k++) {
            double cells = floor((double)length[k] / width);
            if (cells < 1) cells = 1;
            if (cells > 1e6) cells = 1e6;
            l->cells[k] = (int64_t)cells;
            total *= cells;
        }
        if (total <= room) {
            l->cell_total = (size_t)total;
            break;
        }
        width *= total > 8 * room ? 2 : 1.1;
    }
    for (int k = 0; k < DIM; k++) l->cell_per_length[k] = length[k] > 0 ? (real)l->cells[k] / length[k] : 0;
}

/* ---- the lists ------------------------------------------------------------------------------------------------------ */

static carom_status widen(gas *g, uint32_t capacity, error *e)
{
    neighbor_lists *l = g->lists;
    capacity = (capacity + 7) / 8 * 8;
    uint32_t *wider = memory_new((size_t)g->count * capacity, sizeof *wider);
    if (wider == NULL) return error_memory(e, "neighbour lists", (size_t)g->count * capacity * sizeof *wider);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t *to = wider + (size_t)i * capacity, length = l->neighbor != NULL ? l->length[i] : 0;
        for (uint32_t k = 0; k < length; k++) to[k] = l->neighbor[(size_t)i * l->capacity + k];
        for (uint32_t k = length; k < capacity; k++) to[k] = i;
    }
    memory_free(l->neighbor);
    l->neighbor = wider;
    l->capacity = capacity;
    return CAROM_OK;
}

static carom_status append(gas *g, uint32_t i, uint32_t j, error *e)
{
    neighbor_lists *l = g->lists;
    if (l->length[i] == l->capacity) TRY(widen(g, l->capacity + l->capacity / 2, e));
    l->neighbor[(size_t)i * l->capacity + l->length[i]++] = j;
    return CAROM_OK;
}

static void drop(neighbor_lists *l, uint32_t i, uint32_t j)
{
    uint32_t *list = l->neighbor + (size_t)i * l->capacity;
    uint32_t last = --l->length[i];
    for (uint32_t k = 0; k < last; k++) {
        if (list[k] != j) continue;
        list[k] = list[last];
        break;
    }
    list[last] = i;
}

static bool near_enough(const gas *g, uint32_t i, uint32_t j)
{
    const neighbor_lists *l = g->lists;
    real d[DIM];
    wrapped_difference(g, l->home[i], l->home[j], d);
    real reach = (radius_of(g, i) + radius_of(g, j)) * g->grow_to + l->skin + l->slack;
    return dot(d, d) < reach * reach;
}

/* First coordinate and number of the cells to look into along axis k. */
static int64_t stencil(const gas *g, int k, int64_t c, int64_t *first)
{
    int64_t cells = g->lists->cells[k];
    bool periodic = g->box[k] > 0;
    if (periodic) {
        *first = cells >= 3 ? c - 1 : 0;
        return cells >= 3 ? 3 : cells;
    }
    *first = c > 0 ? c - 1 : 0;
    int64_t last = c + 1 < cells ? c + 1 : cells - 1;
    return last - *first + 1;
}

/* Adds to both lists every body of a cell that is near i and has a smaller id or, for a renewal, any other id. */
static carom_status join_cell(gas *g, uint32_t i, uint32_t cell, uint32_t below, error *e)
{
    neighbor_lists *l = g->lists;
    for (uint32_t j = l->cell_head[cell]; j != NO_BODY; j = l->cell_next[j]) {
        if (j == i || j >= below || !near_enough(g, i, j)) continue;
        TRY(append(g, i, j, e));
        TRY(append(g, j, i, e));
    }
    return CAROM_OK;
}

static carom_status join_around(gas *g, uint32_t i, uint32_t below, error *e)
{
    neighbor_lists *l = g->lists;
    int64_t first[3] = {0}, number[3] = {1, 1, 1};
    for (int k = 0; k < DIM; k++) number[k] = stencil(g, k, cell_coordinate(l, l->home[i], k), &first[k]);
    for (int64_t z = 0; z < number[2]; z++)
        for (int64_t y = 0; y < number[1]; y++)
            for (int64_t x = 0; x < number[0]; x++) {
                int64_t at[3] = {first[0] + x, first[1] + y, first[2] + z};
                for (int k = 0; k < DIM; k++) at[k] = (at[k] + l->cells[k]) % l->cells[k];
                TRY(join_cell(g, i, cell_index(l, at), below, e));
            }
    return CAROM_OK;
}

static void settle(gas *g, uint32_t i)
{
    real *home = g->lists->home[i];
    position_at(g, i, g->now, home);
    for (int k = 0; k < DIM; k++) home[k] -= real_floor(home[k] * g->inverse_box[k]) * g->box[k];
}

carom_status lists_rebuild(gas *g, error *e)
{
    neighbor_lists *l = g->lists;
    for (uint32_t i = 0; i < g->count; i++) {
        settle(g, i);
        for (uint32_t k = 0; k < l->length[i]; k++) l->neighbor[(size_t)i * l->capacity + k] = i;
        l->length[i] = 0;
    }
    grid_shape(g);
    memset(l->cell_head, 0xff, l->cell_total * sizeof *l->cell_head);
    for (uint32_t i = 0; i < g->count; i++) {
        cell_insert(l, i);
        TRY(join_around(g, i, i, e));
    }
    return CAROM_OK;
}

carom_status lists_renew(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    uint32_t *list = l->neighbor + (size_t)i * l->capacity;
    for (uint32_t k = 0; k < l->length[i]; k++) {
        drop(l, list[k], i);
        list[k] = i;
    }
    l->length[i] = 0;
    cell_remove(l, i);
    settle(g, i);
    cell_insert(l, i);
    return join_around(g, i, NO_BODY, e);
}

/* Solves |d + v dt| = h for d inside h. */
static real straight_flight(const real d[DIM], const real v[DIM], real h)
{
    real a = dot(v, v), b = dot(d, v), c = dot(d, d) - h * h;
    if (c >= 0) return 0;
    if (a == 0) return REAL_NEVER;
    real root = real_sqrt(b * b - a * c);
    return b > 0 ? -c / (b + root) : (root - b) / a;
}

/* A time in which a body that falls cannot get further than h: |d| + |v| dt + |g| dt^2 / 2 = h. */
static real falling_flight(const gas *g, const real d[DIM], const real v[DIM], real h)
{
    real left = h - real_sqrt(dot(d, d));
    if (left <= 0) return 0;
    real speed = real_sqrt(dot(v, v)), pull = real_sqrt(dot(g->gravity, g->gravity));
    return 2 * left / (speed + real_sqrt(speed * speed + 2 * pull * left));
}

static real lists_due(const gas *g, uint32_t i)
{
    real r[DIM], v[DIM], d[DIM];
    const body *b = &g->body[i];
    bool falls = g->has_gravity && !(g->asleep != NULL && g->asleep[i]);
    position_at(g, i, g->now, r);
    for (int k = 0; k < DIM; k++) v[k] = b->v[k] + acceleration(g, i, k) * (g->now - b->t);
    wrapped_difference(g, r, g->lists->home[i], d);
    real h = g->lists->skin / 2;
    return g->now + (falls ? falling_flight(g, d, v, h) : straight_flight(d, v, h));
}

void lists_plan(gas *g, uint32_t i)
{
    const neighbor_lists *l = g->lists;
    plan *p = &g->plan[i];
    plan_nothing(p);
    predict(g, i, l->neighbor + (size_t)i * l->capacity, l->length[i], p);
    plan_surfaces(g, i, p);
    consider(p, i, (next_event){lists_due(g, i), PARTNER_TRANSFER, 0});
}

/* ---- making and freeing ---------------------------------------------------------------------------------------------- */

real largest_contact(const gas *g)
{
    real largest = 0;
    for (uint32_t k = 0; k < g->kind_count; k++) largest = later(largest, g->radius[k]);
    return 2 * largest * g->grow_to;
}

static void choose_skin(gas *g)
{
    neighbor_lists *l = g->lists;
    double largest = (double)largest_contact(g), volume = 1;
    for (int k = 0; k < DIM; k++) volume *= (double)g->size[k];
    double skin = skin_for(largest, pow(volume / g->count, 1.0 / DIM));
    for (int k = 0; k < DIM; k++) {
        double most = 0.9 * (0.5 * (double)g->size[k] - largest);
        if (g->box[k] > 0 && skin > most) skin = most;
    }
    l->largest = (real)largest;
    l->skin = (real)skin;
    l->slack = g->touching + (real)(1e-6 * skin);
}

size_t lists_bytes(uint32_t count)
{
    return (size_t)count * ((FIRST_CAPACITY + 4) * sizeof(uint32_t) + DIM * sizeof(real) + 2 * sizeof(uint32_t));
}

carom_status lists_create(gas *g, error *e)
{
    neighbor_lists *l = g->lists = NEW_ARRAY(1, neighbor_lists);
    if (l == NULL) return error_memory(e, "neighbour lists", sizeof *l);
    size_t n = g->count;
    l->cell_room = 2 * n + 64;
    l->length = NEW_ARRAY(n, uint32_t);
    l->home = memory_new(n, sizeof *l->home);
    l->cell_head = NEW_ARRAY(l->cell_room, uint32_t);
    l->cell_next = NEW_ARRAY(n, uint32_t);
    l->cell_previous = NEW_ARRAY(n, uint32_t);
    l->cell_of = NEW_ARRAY(n, uint32_t);
    if (l->length == NULL || l->home == NULL || l->cell_head == NULL || l->cell_next == NULL ||
        l->cell_previous == NULL || l->cell_of == NULL)
        return error_memory(e, "neighbour lists", lists_bytes(g->count));
    TRY(widen(g, FIRST_CAPACITY, e));
    choose_skin(g);
    return lists_rebuild(g, e);
}

void lists_destroy(gas *g)
{
    neighbor_lists *l = g->lists;
    if (l == NULL) return;
    memory_free(l->neighbor);
    memory_free(l->length);
    memory_free(l->home);
    memory_free(l->cell_head);
    memory_free(l->cell_next);
    memory_free(l->cell_previous);
    memory_free(l->cell_of);
    memory_free(l);
    g->lists = NULL;
}
