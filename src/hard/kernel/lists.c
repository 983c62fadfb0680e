/* Neighbour lists, kept body by body.
 *
 * A list of i holds every j with |home_i - home_j| < contact distance + skin (and a little more), where home is where a
 * body was when its list was built last. A body renews its list when it is half a skin from home; until then nobody who
 * is not on its list can reach it. Cells hold the bodies by their homes. Nothing here touches the physics. */
#include "base/memory.h"
#include "hard/kernel/gas.h"
#include "hard/kernel/lanes.h"

#include <string.h>

#define NO_BLOCK 0xffffffffu
enum { FIRST_CAPACITY = 16, MOST_NEIGHBORS = 1 << 16 };

/* Thickness of the skin, from the contact distance and the spacing of the bodies; the fastest by measurement from
 * packing fraction 0.05 to 0.49. */
static double skin_for(double contact, double spacing)
{
    double gap = spacing > contact ? spacing - contact : 0;
    return 0.55 * contact + 0.85 * gap;
}

/* ---- the grid: homes, as what they are from the corner of their cell --------------------------------------------- */

/* Puts a block from the pool in front of a cell's others. */
static carom_status add_block(gas *g, uint32_t *head, error *e)
{
    neighbor_lists *l = g->lists;
    if (l->free_block == NO_BLOCK) {
        uint32_t more = l->block_count / 2 + 64;
        block *grown = memory_resize(l->block, l->block_count, (size_t)l->block_count + more, sizeof *grown);
        if (grown == NULL) return error_memory(e, "cells", ((size_t)l->block_count + more) * sizeof *grown);
        l->block = grown;
        for (uint32_t k = 0; k < more; k++) {
            grown[l->block_count + k].next = l->free_block;
            l->free_block = l->block_count + k;
        }
        l->block_count += more;
    }
    uint32_t taken = l->free_block;
    l->free_block = l->block[taken].next;
    l->block[taken].next = *head;
    l->block[taken].used = 0;
    *head = taken;
    return CAROM_OK;
}

static uint32_t cell_index(const neighbor_lists *l, const uint32_t c[DIM])
{
    size_t index = c[DIM - 1];
    for (int k = DIM - 2; k >= 0; k--) index = index * l->cells[k] + c[k];
    return (uint32_t)index;
}

static void cell_at(const neighbor_lists *l, const real r[DIM], uint32_t c[DIM])
{
    for (int k = 0; k < DIM; k++) {
        real x = (r[k] - l->low[k]) * l->per_length[k];
        uint32_t last = l->cells[k] - 1;
        c[k] = !(x > 0) ? 0 : x < (real)last ? (uint32_t)x : last;
    }
}

/* Makes where i is now its home, and puts it into the cell there. */
static carom_status settle(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    plan *p = &g->plan[i];
    uint32_t c[DIM];
    position_at(g, i, g->now, p->home);
    for (int k = 0; k < DIM; k++) p->home[k] -= real_floor(p->home[k] * g->inverse_box[k]) * g->box[k];
    cell_at(l, p->home, c);
    uint32_t *head = &l->head[cell_index(l, c)], n = *head;
    while (n != NO_BLOCK && l->block[n].used == FULL_BLOCK) n = l->block[n].next;
    if (n == NO_BLOCK) {
        TRY(add_block(g, head, e));
        n = *head;
    }
    block *b = &l->block[n];
    uint32_t slot = (uint32_t)__builtin_ctz(~b->used);
    b->used |= 1u << slot;
    b->id[slot] = i;
    for (int k = 0; k < DIM; k++) {
        real corner = l->low[k] + (real)c[k] * l->width[k];
        b->from[k][slot] = (float)(p->home[k] - corner);
    }
    p->place = n * SLOTS + slot;
    return CAROM_OK;
}

static void unsettle(gas *g, uint32_t i)
{
    uint32_t place = g->plan[i].place;
    g->lists->block[place / SLOTS].used &= ~(1u << place % SLOTS);
}

/* Cells at least as wide as the reach of a list, and not many more of them than bodies. */
static void grid_shape(gas *g)
{
    neighbor_lists *l = g->lists;
    double width = (double)(l->largest + l->skin + l->slack), room = (double)l->cell_room, total;
    real length[DIM];
    for (int k = 0; k < DIM; k++) span_of(g, k, &l->low[k], &length[k]);
    for (;; width *= total > 8 * room ? 2 : 1.1) {
        total = 1;
        for (int k = 0; k < DIM; k++) {
            l->cells[k] = (uint32_t)fmin(fmax(floor((double)length[k] / width), 1), 1e6);
            total *= l->cells[k];
        }
        if (total <= room) break;
    }
    l->cell_total = (size_t)total;
    l->coarse = 0;
    for (int k = 0; k < DIM; k++) {
        l->width[k] = length[k] / (real)l->cells[k];
        l->coarse = later(l->coarse, (real)0x1p-20 * l->width[k]);
        l->per_length[k] = length[k] > 0 ? (real)l->cells[k] / length[k] : 0;
    }
}

/* ---- the lists --------------------------------------------------------------------------------------------------- */

static uint32_t *row_of(const gas *g, uint32_t i)
{
    return g->lists->neighbor + (size_t)i * g->lists->capacity;
}

static carom_status widen(gas *g, uint32_t capacity, error *e)
{
    neighbor_lists *l = g->lists;
    capacity = (capacity + 7) / 8 * 8;
    uint32_t *wider = memory_new((size_t)g->count * capacity, sizeof *wider);
    if (wider == NULL) return error_memory(e, "neighbour lists", (size_t)g->count * capacity * sizeof *wider);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t *to = wider + (size_t)i * capacity, length = l->neighbor != NULL ? g->plan[i].length : 0;
        for (uint32_t k = 0; k < length; k++) to[k] = row_of(g, i)[k];
        for (uint32_t k = length; k < capacity; k++) to[k] = i;
    }
    memory_free(l->neighbor);
    l->neighbor = wider;
    l->capacity = capacity;
    return CAROM_OK;
}

static carom_status append(gas *g, uint32_t i, uint32_t j, error *e)
{
    uint32_t length = g->plan[i].length++;
    if (length == g->lists->capacity) {
        g->plan[i].length--;
        TRY(widen(g, length + length / 2, e));
        g->plan[i].length++;
    }
    row_of(g, i)[length] = j;
    return CAROM_OK;
}

static void drop(gas *g, uint32_t i, uint32_t j)
{
    uint32_t *row = row_of(g, i), last = --g->plan[i].length, k = 0;
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

/* Whom a body has around its home. */
typedef struct vicinity {
    uint32_t count;
    uint32_t id[SLOTS]; /* of one block at a time */
} vicinity;

/* Those in a block that are near i; `to` is from the corner of their cell to the home of i. */
static vicinity near_in_block(const gas *g, uint32_t i, const block *b, const float to[DIM])
{
    const neighbor_lists *l = g->lists;
    floats squared = floats_of(0);
    for (int k = 0; k < DIM; k++) {
        floats d = to[k] - floats_load(b->from[k]);
        squared += d * d;
    }
    vicinity v = {.count = 0};
    float reach = (float)(l->largest + l->skin + l->slack + l->coarse);
    for (unsigned left = floats_less(squared, floats_of(reach * reach)) & b->used; left != 0; left &= left - 1) {
        int k = __builtin_ctz(left);
        uint32_t j = b->id[k];
        if (j == i) continue;
        if (g->kind_count > 1) {
            float shorter = (float)((radius_of(g, i) + radius_of(g, j)) * g->grow_to + l->skin + l->slack + l->coarse);
            if (!(squared[k] < shorter * shorter)) continue;
        }
        v.id[v.count++] = j;
    }
    return v;
}

typedef struct surroundings {
    uint32_t cell[27];
    float to[27][DIM];
    int count;
} surroundings;

/* The cells around the home of i, and where that is from their corners. */
static void look_around(const gas *g, uint32_t i, surroundings *s)
{
    const neighbor_lists *l = g->lists;
    const real *home = g->plan[i].home;
    uint32_t c[DIM];
    cell_at(l, home, c);
    s->count = 0;
    for (int step = 0; step < (DIM == 3 ? 27 : 9); step++) {
        int steps[3] = {step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1};
        uint32_t at[DIM];
        bool inside = true;
        for (int k = 0; k < DIM; k++) {
            int64_t x = (int64_t)c[k] + steps[k], cells = l->cells[k];
            inside = inside && (g->box[k] > 0 || (x >= 0 && x < cells));
            at[k] = (uint32_t)(x < 0 ? x + cells : x >= cells ? x - cells : x);
            real corner = l->low[k] + (real)x * l->width[k];
            s->to[s->count][k] = (float)(home[k] - corner);
        }
        if (!inside) continue;
        s->cell[s->count] = cell_index(l, at);
        __builtin_prefetch(&l->head[s->cell[s->count]]);
        s->count++;
    }
}

/* Finds everyone near i with an id below `below`: into l->found. */
static carom_status find_near(gas *g, uint32_t i, uint32_t below, error *e)
{
    neighbor_lists *l = g->lists;
    surroundings s;
    look_around(g, i, &s);
    l->found_count = 0;
    for (int n = 0; n < s.count; n++)
        for (uint32_t b = l->head[s.cell[n]]; b != NO_BLOCK; b = l->block[b].next) {
            vicinity v = near_in_block(g, i, &l->block[b], s.to[n]);
            for (uint32_t k = 0; k < v.count; k++) {
                if (v.id[k] >= below) continue;
                if (l->found_count == MOST_NEIGHBORS)
                    return error_set(e, CAROM_BAD_DATA, "error: particle %u has more than %d neighbours", g->id[i],
                                     MOST_NEIGHBORS);
                l->found[l->found_count++] = v.id[k];
            }
        }
    return CAROM_OK;
}

carom_status lists_rebuild(gas *g, error *e)
{
    neighbor_lists *l = g->lists;
    grid_shape(g);
    memset(l->head, 0xff, l->cell_total * sizeof *l->head);
    l->free_block = NO_BLOCK;
    for (uint32_t k = l->block_count; k-- > 0;) {
        l->block[k].next = l->free_block;
        l->free_block = k;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t *row = row_of(g, i);
        for (uint32_t k = 0; k < l->capacity; k++) row[k] = i;
        g->plan[i].length = 0;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        TRY(settle(g, i, e));
        TRY(find_near(g, i, i, e));
        for (uint32_t k = 0; k < l->found_count; k++) {
            TRY(append(g, i, l->found[k], e));
            TRY(append(g, l->found[k], i, e));
        }
    }
    return CAROM_OK;
}

carom_status lists_renew(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    unsettle(g, i);
    TRY(settle(g, i, e));
    TRY(find_near(g, i, NO_BLOCK, e));
    const uint32_t before = g->plan[i].length;
    for (uint32_t k = 0; k < l->found_count; k++)
        if (!contains(row_of(g, i), before, l->found[k])) TRY(append(g, l->found[k], i, e));
    uint32_t *row = row_of(g, i);
    for (uint32_t k = 0; k < before; k++) {
        if (!contains(l->found, l->found_count, row[k])) drop(g, row[k], i);
        row[k] = i;
    }
    g->plan[i].length = 0;
    for (uint32_t k = 0; k < l->found_count; k++) TRY(append(g, i, l->found[k], e));
    return CAROM_OK;
}

/* ---- how long a list is good ------------------------------------------------------------------------------------- */

/* Solves |d + v dt| = h for d inside h. */
static real straight_flight(const real d[DIM], const real v[DIM], real h)
{
    real a = dot(v, v), b = dot(d, v), c = dot(d, d) - h * h;
    if (c >= 0) return 0;
    if (a == 0) return REAL_NEVER;
    return (real_sqrt(b * b - a * c) - b) / a;
}

/* A time in which a body that falls cannot get further than h: |d| + |v| dt + |g| dt^2 / 2 = h. */
static real falling_flight(const gas *g, const real d[DIM], const real v[DIM], real h)
{
    real left = h - real_sqrt(dot(d, d));
    if (left <= 0) return 0;
    real speed = real_sqrt(dot(v, v)), pull = real_sqrt(dot(g->gravity, g->gravity));
    return 2 * left / (speed + real_sqrt(speed * speed + 2 * pull * left));
}

/* Local time until which the list of i is good, given its present flight. */
static real lists_due(const gas *g, uint32_t i)
{
    real r[DIM], v[DIM], d[DIM];
    const body *b = &g->body[i];
    bool falls = g->has_gravity && !(g->asleep != NULL && g->asleep[i]);
    position_at(g, i, g->now, r);
    for (int k = 0; k < DIM; k++) {
        v[k] = b->v[k] + acceleration(g, i, k) * (g->now - b->t);
        d[k] = r[k] - g->plan[i].home[k];
        real image = d[k] * g->inverse_box[k];
        image = (image + REAL_ROUNDER) - REAL_ROUNDER;
        d[k] -= image * g->box[k];
    }
    real h = g->lists->skin / 2;
    return g->now + (falls ? falling_flight(g, d, v, h) : straight_flight(d, v, h));
}

void lists_plan(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    plan_nothing(p);
    consider(p, i, (next_event){lists_due(g, i), PARTNER_TRANSFER, 0});
    predict(g, i, row_of(g, i), p->length, p);
    plan_surfaces(g, i, p);
}

/* ---- making and freeing ------------------------------------------------------------------------------------------ */

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
    /* Rounding: of positions, and of squares that are compared in single precision. */
    l->slack = g->touching + (real)(fmax(4e-6, 0x1p13 * (double)REAL_GRAIN) * (largest + skin));
}

/* Room for the neighbours that bodies of one size have; if it does not do for all it is widened. */
static uint32_t first_capacity(const gas *g)
{
    const neighbor_lists *l = g->lists;
    const double reach = (double)(l->largest + l->skin);
    double others = DIM == 3 ? 4.18879 * reach * reach * reach : 3.14159 * reach * reach;
    for (int k = 0; k < DIM; k++) others /= (double)g->size[k];
    others *= g->count;
    return g->kind_count == 1 && others < 32 ? (uint32_t)(1.2 * others) + 4 : FIRST_CAPACITY;
}

size_t lists_bytes(uint32_t count)
{
    const size_t row = 24 * sizeof(uint32_t), grid = sizeof(block) / 3; /* of a dense fluid */
    return (size_t)count * (row + grid);
}

carom_status lists_create(gas *g, error *e)
{
    neighbor_lists *l = g->lists = NEW_ARRAY(1, neighbor_lists);
    if (l == NULL) return error_memory(e, "neighbour lists", sizeof *l);
    l->cell_room = g->count + 64;
    l->head = NEW_ARRAY(l->cell_room, uint32_t);
    l->found = NEW_ARRAY(MOST_NEIGHBORS, uint32_t);
    if (l->head == NULL || l->found == NULL) return error_memory(e, "neighbour lists", lists_bytes(g->count));
    choose_skin(g);
    TRY(widen(g, first_capacity(g), e));
    return lists_rebuild(g, e);
}

void lists_destroy(gas *g)
{
    neighbor_lists *l = g->lists;
    if (l == NULL) return;
    memory_free(l->neighbor);
    memory_free(l->block);
    memory_free(l->head);
    memory_free(l->found);
    memory_free(l);
    g->lists = NULL;
}
