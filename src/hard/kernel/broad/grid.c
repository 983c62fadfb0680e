/* Cell grids of neighbour lists. A cell contains the list origins of bodies, as offsets from its corner. Bodies of very
 * different sizes have separate grids, one for each halving of the radius (Ogarko and Luding, Comput. Phys. Commun.
 * 183, 931 (2012)): a search for the neighbours of a body visits few cells of each grid. */
#include "hard/kernel/broad/grid.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/lanes.h"

#include "base/memory.h"

#include <string.h>

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Inserts a block of the pool at the head of a cell. */
static carom_status add_block(gas *g, uint32_t *head, error *e)
{
    neighbor_lists *l = g->lists;
    if (l->block_count == l->block_room) {
        const size_t room = (size_t)l->block_room + l->block_room / 2 + SPARE_BLOCKS;
        block *grown = memory_resize(l->block, l->block_count, room, sizeof *grown);
        if (grown == NULL) return error_memory(e, "cells", room * sizeof *grown);
        l->block = grown;
        l->block_room = (uint32_t)room;
    }
    block *b = &l->block[l->block_count];
    b->next = *head;
    for (int k = 0; k < SLOTS; k++) b->id[k] = NONE;
    *head = l->block_count++;
    return CAROM_OK;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static const level *level_of(const gas *g, uint32_t i)
{
    return &g->lists->level[g->lists->level_of_kind[g->body[i].kind]];
}

static size_t cell_index(const level *v, const uint32_t c[DIM])
{
    size_t index = c[DIM - 1];
    for (int k = DIM - 2; k >= 0; k--) index = index * v->cells[k] + c[k];
    return v->first + index;
}

static void cell_at(const neighbor_lists *l, const level *v, const real r[DIM], uint32_t c[DIM])
{
    for (int k = 0; k < DIM; k++) {
        real x = (r[k] - l->low[k]) * v->per_length[k];
        uint32_t last = v->cells[k] - 1;
        c[k] = !(x > 0) ? 0 : x < (real)last ? (uint32_t)x : last;
    }
}

/* The offset from the lower corner of a cell, in steps. */
static uint16_t offset_in(const level *v, int k, real from_corner)
{
    const real most = v->width[k] < from_corner ? v->width[k] : from_corner, steps = most * v->per_step + (real)0.5;
    return (uint16_t)(!(steps > 0) ? 0 : steps < MOST_STEPS ? steps : MOST_STEPS);
}

static uint32_t empty_slot(const block *b)
{
    uint32_t slot = 0;
    while (slot < SLOTS && b->id[slot] != NONE) slot++;
    return slot;
}

/* The image of a list origin that belongs to the grid, or the point of the grid that is nearest to it. */
static void nearest_in_grid(const gas *g, const real from[DIM], real to[DIM])
{
    const neighbor_lists *l = g->lists;
    memcpy(to, from, DIM * sizeof *to);
    for (int k = 0; k < DIM && l->bounded; k++) {
        if (l->ring[k]) continue;
        to[k] = later(image_from(g, k, l->first[k], to[k]), l->low[k]);
        to[k] = to[k] < l->low[k] + l->length[k] ? to[k] : l->low[k] + l->length[k];
    }
}

/* Inserts the list origin of i into its cell. */
static carom_status grid_place(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    const level *v = level_of(g, i);
    plan *p = &g->plan[i];
    uint32_t c[DIM];
    real r[DIM];
    nearest_in_grid(g, p->list_origin, r);
    cell_at(l, v, r, c);
    uint32_t *head = &l->head[cell_index(v, c)], n = *head, slot = 0;
    while (n != NONE && (slot = empty_slot(&l->block[n])) == SLOTS) n = l->block[n].next;
    if (n == NONE) {
        TRY(add_block(g, head, e));
        n = *head;
        slot = 0;
    }
    block *b = &l->block[n];
    b->id[slot] = i;
    for (int k = 0; k < DIM; k++) b->from[k][slot] = offset_in(v, k, r[k] - (l->low[k] + (real)c[k] * v->width[k]));
    p->place = n * SLOTS + slot;
    return CAROM_OK;
}

static carom_status grid_insert(gas *g, uint32_t i, error *e)
{
    real *list_origin = g->plan[i].list_origin;
    position_at(g, i, g->now, list_origin);
    if (g->shear != NULL)
        shear_list_origin(g, i, list_origin);
    else
        for (int k = 0; k < DIM; k++) list_origin[k] -= real_floor(list_origin[k] * g->inverse_box[k]) * g->box[k];
    return grid_place(g, i, e);
}

static void grid_remove(gas *g, uint32_t i)
{
    uint32_t place = g->plan[i].place;
    g->lists->block[place / SLOTS].id[place % SLOTS] = NONE;
}

/* ---- shape of the grids ------------------------------------------------------------------------------------------ */

/* Cells at least as wide as the reach of the lists of this size, and not many more cells than bodies. */
static void shape_level(const neighbor_lists *l, level *v)
{
    double width = (double)(2 * v->largest + l->skin + l->slack), total;
    double room = v->count + (l->level_count == 1 ? SPARE_CELLS : SPARE_CELLS_OF_LEVEL);
    for (;; width *= total > FAR_TOO_MANY_CELLS * room ? 2 : GRID_WIDENING) {
        total = 1;
        for (int k = 0; k < DIM; k++) {
            v->cells[k] = (uint32_t)fmin(fmax(floor((double)l->length[k] / width), 1), 1e6);
            total *= v->cells[k];
        }
        if (total <= room) break;
    }
    real widest = 0;
    for (int k = 0; k < DIM; k++) {
        v->width[k] = l->length[k] / (real)v->cells[k];
        v->per_length[k] = l->length[k] > 0 ? (real)v->cells[k] / l->length[k] : 0;
        widest = later(widest, v->width[k]);
    }
    v->step = widest > 0 ? widest / MOST_STEPS : 1;
    v->per_step = widest > 0 ? MOST_STEPS / widest : 1;
}

/* The number of bodies of each level; a domain has a part of them only. */
static void count_levels(gas *g)
{
    neighbor_lists *l = g->lists;
    for (int n = 0; n < l->level_count; n++) l->level[n].count = l->level_count == 1 ? all_bodies(g) : 0;
    for (uint32_t i = 0; l->level_count > 1 && i < all_bodies(g); i++)
        l->level[l->level_of_kind[g->body[i].kind]].count++;
}

static void grid_clear(gas *g)
{
    neighbor_lists *l = g->lists;
    l->open = false;
    for (int k = 0; k < DIM; k++) {
        const coverage s = coverage_of(g, k);
        l->low[k] = s.low;
        l->length[k] = s.length;
        l->first[k] = s.first;
        l->ring[k] = s.ring;
        l->open = l->open || g->scene->box.boundary[k] == BOUNDARY_OPEN;
    }
    l->bounded = l->open || g->domain != NULL;
    count_levels(g);
    l->cell_total = 0;
    l->coarse = 0;
    for (int n = 0; n < l->level_count; n++) {
        level *v = &l->level[n];
        shape_level(l, v);
        v->first = l->cell_total;
        size_t total = 1;
        for (int k = 0; k < DIM; k++) {
            total *= v->cells[k];
            l->coarse = later(l->coarse, OFFSET_ROUNDING * v->width[k]);
        }
        l->cell_total += total;
    }
    memset(l->head, 0xff, l->cell_total * sizeof *l->head);
    l->block_count = 0;
}

static carom_status grid_renew_sheared(gas *g, error *e)
{
    const real before = g->shear->grid_time;
    grid_clear(g);
    for (uint32_t i = 0; i < g->count; i++) {
        g->shear->grid_time = before;
        shear_to_now(g, g->plan[i].list_origin);
        g->shear->grid_time = g->now;
        shear_to_grid_time(g, g->plan[i].list_origin);
        TRY(grid_place(g, i, e));
    }
    return CAROM_OK;
}

/* Number of times that a radius can be doubled until it is that of the largest bodies. */
static int level_index(real radius, real largest)
{
    int n = 0;
    while (n < MOST_LEVELS - 1 && radius * (real)(1 + 1e-9) < largest / 2) {
        largest /= 2;
        n++;
    }
    return n;
}

static carom_status grid_create(gas *g, error *e)
{
    neighbor_lists *l = g->lists;
    l->level_of_kind = NEW_ARRAY(g->kind_count, uint8_t);
    l->head = NEW_ARRAY(g->room + SPARE_CELLS + SPARE_CELLS_OF_LEVEL * MOST_LEVELS, uint32_t);
    if (l->level_of_kind == NULL || l->head == NULL) return error_memory(e, "cells", g->room * sizeof *l->head);
    const real largest = largest_contact(g) / 2;
    level all[MOST_LEVELS] = {{0}};
    int compact[MOST_LEVELS];
    for (uint32_t k = 0; k < g->kind_count; k++) {
        real radius = g->radius[k] * g->grow_to * g->reach;
        level *v = &all[level_index(radius, largest)];
        v->largest = later(v->largest, radius);
        v->count++;
    }
    l->level_count = 0;
    for (int n = 0; n < MOST_LEVELS; n++) {
        compact[n] = l->level_count;
        if (all[n].count > 0) l->level[l->level_count++] = all[n];
    }
    for (uint32_t k = 0; k < g->kind_count; k++)
        l->level_of_kind[k] = (uint8_t)compact[level_index(g->radius[k] * g->grow_to * g->reach, largest)];
    return CAROM_OK;
}

static void grid_destroy(neighbor_lists *l)
{
    memory_free(l->level_of_kind);
    memory_free(l->head);
    memory_free(l->block);
    memory_free(l->found);
}

/* ---- searches ---------------------------------------------------------------------------------------------------- */

/* Bodies near the list origin of a body. */
typedef struct near_bodies {
    uint32_t count;
    uint32_t id[SLOTS]; /* from one block at a time */
} near_bodies;

/* Whether the list origins themselves are near: those outside of the grid may be further apart than their offsets. */
static __attribute__((noinline)) bool origins_near(const gas *g, uint32_t i, uint32_t j, real reach)
{
    real d[DIM];
    for (int k = 0; k < DIM; k++) {
        d[k] = g->plan[i].list_origin[k] - g->plan[j].list_origin[k];
        real image = d[k] * g->inverse_box[k];
        image = nearest_whole(image);
        d[k] -= image * g->box[k];
    }
    return dot(d, d) < reach * reach;
}

/* Bodies of a block near i. `reach` and `to` in steps; `to`: from the corner of their cell to the list origin of i;
 * `strain`: displacement along x for each unit of y. */
static inline near_bodies near_in_block(const gas *g, uint32_t i, const level *on, const block *b, const float to[DIM],
                                        float reach, float strain)
{
    const neighbor_lists *l = g->lists;
    floats squared = floats_of(0);
    for (int k = 0; k < DIM; k++) {
        floats d = to[k] - floats_of_halves(b->from[k]);
        if (k == 0 && strain != 0) d += strain * (to[1] - floats_of_halves(b->from[1]));
        squared += d * d;
    }
    near_bodies v = {.count = 0};
    const unsigned slots = (1u << SLOTS) - 1;
    for (unsigned left = floats_less(squared, floats_of(reach * reach)) & slots; left != 0; left &= left - 1) {
        int k = __builtin_ctz(left);
        uint32_t j = b->id[k];
        if (j == i || j == NONE) continue;
        if (l->open && !origins_near(g, i, j, (real)reach * on->step)) continue;
        if (g->kind_count > 1) {
            const real sum = (radius_of(g, i) + radius_of(g, j)) * g->grow_to * g->reach;
            const float shorter = (float)((sum + l->skin + l->slack + l->coarse) * on->per_step);
            if (!(squared[k] < shorter * shorter)) continue;
        }
        v.id[v.count++] = j;
    }
    return v;
}

/* Makes room for `wanted` bodies. */
static carom_status grid_reserve(gas *g, uint32_t i, uint32_t wanted, error *e)
{
    neighbor_lists *l = g->lists;
    if (wanted <= l->found_room) return CAROM_OK;
    if (wanted > MOST_NEIGHBORS)
        return error_set(e, CAROM_BAD_DATA, "error: particle %u has more than %d neighbours", g->id[i], MOST_NEIGHBORS);
    const uint32_t room = 2 * wanted + 256;
    uint32_t *more = memory_resize(l->found, l->found_room, room, sizeof *more);
    if (more == NULL) return error_memory(e, "neighbour lists", room * sizeof *more);
    l->found = more;
    l->found_room = room;
    return CAROM_OK;
}

/* Some cells around a body, and its list origin relative to their corners, in steps. */
enum { CELLS_AT_ONCE = 32 };
typedef struct cell_batch {
    const uint32_t *head[CELLS_AT_ONCE];
    float to[CELLS_AT_ONCE][DIM];
    int count;
} cell_batch;

static carom_status grid_search(gas *g, uint32_t i, uint32_t below, const level *on, cell_batch *s, float reach,
                                error *e)
{
    neighbor_lists *l = g->lists;
    const float strain = g->shear != NULL ? (float)shear_strain(g) : 0;
    for (int n = 0; n < s->count; n++)
        for (uint32_t b = *s->head[n]; b != NONE; b = l->block[b].next) {
            TRY(grid_reserve(g, i, l->found_count + SLOTS, e));
            near_bodies v = near_in_block(g, i, on, &l->block[b], s->to[n], reach, strain);
            for (uint32_t k = 0; k < v.count; k++)
                if (v.id[k] < below) l->found[l->found_count++] = v.id[k];
        }
    s->count = 0;
    return CAROM_OK;
}

/* Cells of a grid within reach of the list origin of i. */
typedef struct cell_range {
    int64_t from[3], to[3];
} cell_range;

static cell_range cells_around(const gas *g, const level *v, const real *list_origin, real reach)
{
    const neighbor_lists *l = g->lists;
    cell_range s = {{0}, {0}};
    for (int k = 0; k < DIM; k++) {
        const real x = list_origin[k] - l->low[k];
        const int64_t last = (int64_t)v->cells[k] - 1;
        s.from[k] = (int64_t)real_floor((x - reach) * v->per_length[k]);
        s.to[k] = (int64_t)real_floor((x + reach) * v->per_length[k]);
        if (l->ring[k]) continue;
        s.from[k] = s.from[k] < 0 ? 0 : s.from[k] > last ? last : s.from[k];
        s.to[k] = s.to[k] < 0 ? 0 : s.to[k] > last ? last : s.to[k];
    }
    return s;
}

/* The same along x for row y of a sheared box, which may belong to a displaced image of the box; `displaced`: the list
 * origin relative to that image. */
static cell_range span_of_row(const gas *g, const level *v, const real *list_origin, real reach, int64_t y,
                              real displaced[DIM])
{
    const real strain = shear_strain(g), up = list_origin[1] - (g->lists->low[1] + (real)y * v->width[1]),
               down = up - v->width[1];
    const real one = strain * (up < reach ? up : reach), other = strain * (down > -reach ? down : -reach);
    const int64_t cells = v->cells[1];
    shear_displaced(g, list_origin, y < 0 ? -1 : y >= cells ? 1 : 0, displaced);
    cell_range s = {{0}, {0}};
    s.from[0] = (int64_t)real_floor((displaced[0] + (one < other ? one : other) - reach) * v->per_length[0]);
    s.to[0] = (int64_t)real_floor((displaced[0] + later(one, other) + reach) * v->per_length[0]);
    return s;
}

static void add_cell(const neighbor_lists *l, const level *v, const real *list_origin, const int64_t at[3],
                     cell_batch *s)
{
    uint32_t c[DIM];
    for (int k = 0; k < DIM; k++) {
        const int64_t cells = v->cells[k];
        c[k] = (uint32_t)(at[k] < 0 ? at[k] + cells : at[k] >= cells ? at[k] - cells : at[k]);
        s->to[s->count][k] = (float)((list_origin[k] - (l->low[k] + (real)at[k] * v->width[k])) * v->per_step);
    }
    s->head[s->count] = &l->head[cell_index(v, c)];
    __builtin_prefetch(s->head[s->count]);
    s->count++;
}

static carom_status find_on_level(gas *g, uint32_t i, uint32_t below, const level *v, error *e)
{
    const neighbor_lists *l = g->lists;
    const real reach = extent_of(g, i) + v->largest + l->skin + l->slack + l->coarse;
    real list_origin[DIM];
    nearest_in_grid(g, g->plan[i].list_origin, list_origin);
    const cell_range range = cells_around(g, v, list_origin, reach);
    cell_batch s;
    real displaced[DIM]; /* the list origin, relative to an image of the box above or below */
    s.count = 0;
    for (int64_t z = range.from[2]; z <= range.to[2]; z++)
        for (int64_t y = range.from[1]; y <= range.to[1]; y++) {
            const cell_range row = g->shear != NULL ? span_of_row(g, v, list_origin, reach, y, displaced) : range;
            for (int64_t x = row.from[0]; x <= row.to[0]; x++) {
                add_cell(l, v, g->shear != NULL ? displaced : list_origin, (const int64_t[3]){x, y, z}, &s);
                if (s.count == CELLS_AT_ONCE) TRY(grid_search(g, i, below, v, &s, (float)(reach * v->per_step), e));
            }
        }
    return grid_search(g, i, below, v, &s, (float)(reach * v->per_step), e);
}

static carom_status grid_find(gas *g, uint32_t i, uint32_t below, error *e)
{
    neighbor_lists *l = g->lists;
    l->found_count = 0;
    for (int n = 0; n < l->level_count; n++) TRY(find_on_level(g, i, below, &l->level[n], e));
    return CAROM_OK;
}
