/* Cells without lists, for gases: the candidates of a body are the bodies in the cells around its own. Cells are at
 * least as wide as the largest contact distance. When a body enters the next cell (a `transfer` event), it is predicted
 * against the new layer of cells; its earlier predictions remain valid. */
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/stepped_plan.h"
#include "hard/kernel/features/thermostat.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/predict.h"

#include "base/memory.h"
#include "geometry/contact.h"

#include <assert.h>

/* ---- links: the bodies of a cell --------------------------------------------------------------------------------- */

#define EMPTY 0x7fffffffu
#define MORE 0x80000000u /* flag of an entry: the cell contains more bodies */

static uint32_t *head_of(const gas *g, const uint32_t at[DIM])
{
    uint32_t index = 0;
    for (int k = 0; k < DIM; k++) index += g->cells->offset[k][at[k]];
    return &g->cells->head[index];
}

static void enter(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    uint32_t *head = head_of(g, p->cell);
    p->next_in_cell = *head;
    *head = *head == EMPTY ? i : i | MORE;
}

static void leave(gas *g, uint32_t i)
{
    uint32_t *entry = head_of(g, g->plan[i].cell), *before = NULL;
    while ((*entry & ~MORE) != i) {
        before = entry;
        entry = &g->plan[*entry & ~MORE].next_in_cell;
    }
    if ((*entry & MORE) != 0)
        *entry = g->plan[i].next_in_cell;
    else if (before == NULL)
        *entry = EMPTY;
    else
        *before &= ~MORE;
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

typedef struct candidates {
    uint32_t count, id[CELL_BATCH + CELLS_PER_ROW +
                       PADDING]; /* a chain is predicted from CELL_BATCH bodies on; the heads of its row may follow */
} candidates;

static void predict_candidates(const gas *g, uint32_t i, candidates *others, plan *p)
{
    const uint32_t count = others->count;
    assert(count + PADDING <= sizeof others->id / sizeof *others->id);
    for (uint32_t k = 0; k < PADDING; k++) others->id[count + k] = i;
    predict(g, i, others->id, count, p);
    others->count = 0;
}

/* Adds the further bodies of a cell with more than one. */
static __attribute__((noinline)) void collect_chain(const gas *g, uint32_t i, uint32_t entry, candidates *others,
                                                    plan *p)
{
    while ((entry & MORE) != 0) {
        if (others->count >= CELL_BATCH) predict_candidates(g, i, others, p);
        entry = g->plan[entry & ~MORE].next_in_cell;
        others->id[others->count++] = entry & ~MORE;
    }
}

static inline void collect_cell(const gas *g, uint32_t i, uint32_t cell, candidates *others, plan *p)
{
    uint32_t entry = g->cells->head[cell];
    others->id[others->count] = entry & ~MORE;
    others->count += entry != EMPTY;
    if ((entry & MORE) != 0) collect_chain(g, i, entry, others, p);
}

/* Improves the plan of i by the bodies in the cells from low[k] to high[k] on each axis k, relative to its own cell. */
static inline __attribute__((always_inline)) void predict_cells(const gas *g, uint32_t i, const int low[3],
                                                                const int high[3], plan *p)
{
    const cell_grid *c = g->cells;
    const uint32_t *at = g->plan[i].cell;
    candidates others;
    others.count = 0;
    for (int z = DIM == 3 ? low[2] : 0; z <= (DIM == 3 ? high[2] : 0); z++) {
        uint32_t layer = DIM == 3 ? c->offset[DIM - 1][(int64_t)at[DIM - 1] + z] : 0;
        for (int y = low[1]; y <= high[1]; y++) {
            uint32_t row = layer + c->offset[1][(int64_t)at[1] + y];
            for (int x = low[0]; x <= high[0]; x++)
                collect_cell(g, i, row + c->offset[0][(int64_t)at[0] + x], &others, p);
            if (others.count > CELL_BATCH - CELLS_PER_ROW) predict_candidates(g, i, &others, p);
        }
    }
    if (others.count > 0) predict_candidates(g, i, &others, p);
}

static void cell_grid_prefetch_bodies(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const uint32_t *at = g->plan[i].cell;
    for (uint32_t z = at[DIM - 1] - 1; z <= (DIM == 3 ? at[DIM - 1] + 1 : at[DIM - 1] - 1); z++)
        for (uint32_t y = at[1] - 1; y <= at[1] + 1; y++)
            for (uint32_t x = at[0] - 1; x <= at[0] + 1; x++) {
                uint32_t layer = DIM == 3 ? c->offset[DIM - 1][z] : 0;
                uint32_t entry = c->head[c->offset[0][x] + c->offset[1][y] + layer];
                if (entry != EMPTY) __builtin_prefetch(&g->body[entry & ~MORE]);
            }
}

static uint32_t overlapping_in_cell(const gas *g, uint32_t i, uint32_t entry, real now)
{
    uint32_t found = 0;
    for (; entry != EMPTY; entry = (entry & MORE) != 0 ? g->plan[entry & ~MORE].next_in_cell : EMPTY)
        found += (entry & ~MORE) != i && is_overlapping(g, i, entry & ~MORE, now);
    return found;
}

static uint32_t cell_grid_overlapping(const gas *g, uint32_t i, real now)
{
    const cell_grid *c = g->cells;
    const uint32_t *at = g->plan[i].cell;
    uint32_t found = 0;
    for (uint32_t z = at[DIM - 1] - 1; z <= (DIM == 3 ? at[DIM - 1] + 1 : at[DIM - 1] - 1); z++)
        for (uint32_t y = at[1] - 1; y <= at[1] + 1; y++)
            for (uint32_t x = at[0] - 1; x <= at[0] + 1; x++) {
                uint32_t layer = DIM == 3 ? c->offset[DIM - 1][z] : 0;
                found += overlapping_in_cell(g, i, c->head[c->offset[0][x] + c->offset[1][y] + layer], now);
            }
    return found;
}

static void predict_around(const gas *g, uint32_t i, plan *p)
{
    predict_cells(g, i, (int[3]){-1, -1, -1}, (int[3]){1, 1, 1}, p);
}

/* The layer of cells on one side of the body's own. */
static void predict_layer(const gas *g, uint32_t i, int axis, int side, plan *p)
{
    if (axis == 0)
        predict_cells(g, i, (int[3]){side, -1, -1}, (int[3]){side, 1, 1}, p);
    else if (axis == 1)
        predict_cells(g, i, (int[3]){-1, side, -1}, (int[3]){1, side, 1}, p);
    else
        predict_cells(g, i, (int[3]){-1, -1, side}, (int[3]){1, 1, side}, p);
}

/* Time at which a point at x, with velocity v and acceleration a, leaves the interval from 0 to `width`; `up`: through
 * its upper end. An end may be open. */
static inline real leaving_time(real x, real v, real a, real width, bool open_below, bool open_above, bool *up)
{
    if (a == 0) {
        *up = v > 0;
        real way = (*up ? open_above : open_below) ? REAL_NEVER : *up ? width - x : x;
        return (way > 0 ? way : 0) / real_fabs(v); /* at rest: NaN, which compares as later */
    }
    real down = open_below ? REAL_NEVER : contact_parabola(a, v, 2 * x);
    real above = open_above ? REAL_NEVER : contact_parabola(-a, -v, 2 * (width - x));
    *up = above < down;
    return *up ? above : down;
}

/* The next cell boundary that i crosses, and the time. */
static next_event next_crossing(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const body *b = &g->body[i];
    const real dt = g->now - b->t;
    real soonest = REAL_NEVER;
    uint32_t side = 0;
    for (int k = 0; k < DIM; k++) {
        uint32_t at = g->plan[i].cell[k];
        real a = acceleration(g, i, k), v = b->v[k] + a * dt, r = b->r[k] + dt * (b->v[k] + a * (dt / 2));
        real x = r - c->corner[k][at], image = x * g->inverse_box[k];
        image = nearest_whole(image);
        x -= image * g->box[k];
        bool up;
        real when = leaving_time(x, v, a, c->width[k], at == c->open_below[k], at == c->open_above[k], &up);
        side = when < soonest ? (uint32_t)(2 * k + up) : side;
        soonest = when < soonest ? when : soonest;
    }
    return (next_event){g->now + soonest, PARTNER_TRANSFER, side};
}

static void cell_grid_plan(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    plan_clear(p);
    consider(g, p, i, next_crossing(g, i));
    plan_kick(g, i, p);
    predict_around(g, i, p);
    if (g->stepped != NULL) plan_links(g, i, p);
    plan_surfaces(g, i, p);
    plan_exact(g, i, p);
    plan_meshes(g, i, p);
}

static void cell_grid_cross(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    const cell_grid *c = g->cells;
    if (p->first.stamp == TRANSFER_REPEAT) {
        cell_grid_plan(g, i);
        return;
    }
    const int axis = (int)p->first.stamp / 2, side = p->first.stamp % 2 != 0 ? 1 : -1;
    leave(g, i);
    uint32_t *at = &p->cell[axis];
    *at += (uint32_t)side;
    if (g->box[axis] > 0 && *at == 0) *at = c->count[axis];
    if (g->box[axis] > 0 && *at > c->count[axis]) *at = 1;
    enter(g, i);
    const next_event known = p->second, unknown = {known.time, PARTNER_UNKNOWN, 0}, crossing = next_crossing(g, i);
    const bool sooner = crossing.time < known.time;
    p->first = *(sooner ? &crossing : &known);
    p->second = *(sooner ? &known : &unknown);
    predict_layer(g, i, axis, side, p);
    plan_meshes(g, i, p);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* The cell of the position of i now. */
static void find_cell(const gas *g, uint32_t i, uint32_t at[DIM])
{
    const cell_grid *c = g->cells;
    real r[DIM];
    position_at(g, i, g->now, r);
    for (int k = 0; k < DIM; k++) {
        r[k] -= real_floor(r[k] * g->inverse_box[k]) * g->box[k];
        real x = (r[k] - c->corner[k][1]) / c->width[k];
        uint32_t last = c->count[k] - 1;
        at[k] = 1 + (!(x > 0) ? 0 : x < (real)last ? (uint32_t)x : last);
    }
}

static void cell_grid_insert(gas *g, uint32_t i)
{
    find_cell(g, i, g->plan[i].cell);
    enter(g, i);
}

static void cell_grid_move(gas *g, uint32_t i)
{
    uint32_t at[DIM];
    find_cell(g, i, at);
    if (memcmp(at, g->plan[i].cell, sizeof at) == 0) return;
    leave(g, i);
    memcpy(g->plan[i].cell, at, sizeof at);
    enter(g, i);
}

static void cell_grid_remove(gas *g, uint32_t i)
{
    leave(g, i);
}

/* Layers of cells along an axis. An axis that is not periodic has an empty layer more at each end. */
static uint32_t layers(const gas *g, int k, uint32_t count)
{
    return g->box[k] > 0 ? count : count + 2;
}

/* Chooses numbers and widths of cells. Returns false if a periodic axis has too few cells to distinguish the images of
 * a body. */
static bool choose_cells(gas *g, real low[DIM])
{
    cell_grid *c = g->cells;
    const double least = (double)largest_contact(g) * (1 + CELL_ROUNDING);
    double width = least, total;
    real length[DIM];
    for (int k = 0; k < DIM; k++) {
        span_of(g, k, &low[k], &length[k]);
        if (g->box[k] > 0 && (double)length[k] < FEWEST_CELLS * least) return false;
    }
    for (;; width *= CELL_WIDENING) {
        total = 1;
        for (int k = 0; k < DIM; k++) {
            double fewest = g->box[k] > 0 ? FEWEST_CELLS : 1;
            c->count[k] = (uint32_t)fmin(fmax(floor((double)length[k] / width), fewest), 1e6);
            c->width[k] = length[k] > 0 ? length[k] / (real)c->count[k] : 1;
            total *= layers(g, k, c->count[k]) + 3;
        }
        if (total <= (double)c->room) break;
    }
    c->total = (size_t)total;
    return true;
}

/* Tables for each axis, by coordinate: index of a layer of cells in `head`, and its position. Coordinates start at 1;
 * those before and after belong to the other end of a periodic axis, or to empty layers. A cache line of `head`
 * contains a block of cells. */
static carom_status tabulate(gas *g, const real low[DIM], error *e)
{
    cell_grid *c = g->cells;
    static const uint32_t blocks[3] = {4, DIM == 3 ? 2 : 4, 2};
    uint32_t within = 1, stride = 16;
    for (int k = 0; k < DIM; k++) {
        const uint32_t n = c->count[k];
        const bool periodic = g->box[k] > 0;
        memory_free(c->offset[k]);
        memory_free(c->corner[k]);
        c->offset[k] = NEW_ARRAY(n + 2, uint32_t);
        c->corner[k] = NEW_ARRAY(n + 2, real);
        if (c->offset[k] == NULL || c->corner[k] == NULL) return error_memory(e, "cells", n * sizeof(real));
        const uint32_t run = blocks[k], blocked = (layers(g, k, n) + run - 1) / run;
        for (uint32_t at = 0; at < n + 2; at++) {
            uint32_t layer = !periodic ? at : at == 0 ? n - 1 : at == n + 1 ? 0 : at - 1;
            c->offset[k][at] = layer % run * within + layer / run * stride;
            c->corner[k][at] = low[k] + ((real)at - 1) * c->width[k];
        }
        c->open_below[k] = periodic ? UINT32_MAX : 1;
        c->open_above[k] = periodic ? UINT32_MAX : n;
        within *= run;
        stride *= blocked;
    }
    return CAROM_OK;
}

static carom_status cell_grid_rebuild(gas *g, error *e)
{
    cell_grid *c = g->cells;
    real low[DIM];
    bool fits = choose_cells(g, low);
    assert(fits); /* as at creation: neither box nor contact distance has changed */
    TRY(tabulate(g, low, e));
    for (size_t k = 0; k < c->total; k++) c->head[k] = EMPTY;
    for (uint32_t i = 0; i < g->count; i++) cell_grid_insert(g, i);
    return CAROM_OK;
}

static carom_status cell_grid_create(gas *g, error *e)
{
    cell_grid *c = g->cells = NEW_ARRAY(1, cell_grid);
    real low[DIM];
    if (c == NULL) return error_memory(e, "cells", sizeof *c);
    c->room = CELLS_PER_BODY * (size_t)whole_of(g)->count + SPARE_CELL_HEADS;
    if (!choose_cells(g, low)) {
        cell_grid_destroy(g);
        return CAROM_OK;
    }
    c->head = NEW_ARRAY(c->room, uint32_t);
    if (c->head == NULL) return error_memory(e, "cells", c->room * sizeof *c->head);
    return cell_grid_rebuild(g, e);
}

static void cell_grid_destroy(gas *g)
{
    cell_grid *c = g->cells;
    if (c == NULL) return;
    for (int k = 0; k < DIM; k++) {
        memory_free(c->offset[k]);
        memory_free(c->corner[k]);
    }
    memory_free(c->head);
    memory_free(c);
    g->cells = NULL;
}
