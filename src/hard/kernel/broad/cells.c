/* Cells without lists, for gases: the candidates of a body are the bodies in the cells around its own. When a body enters
 * the next cell (a `transfer`), it is predicted against the new layer of cells; its earlier predictions remain valid.
 *
 * Crossings are made together, those of one period at its start (crossings.h). A body may thus be outside its cell by
 * the flight of one period. Cells are wider than the largest contact distance by twice this slack, so that bodies in
 * contact are in the same or in adjacent cells. Faster bodies, and bodies whose other events are searched only until the
 * next crossing (meshes, shapes), cross alone, at the time of the crossing, which is an event of their plan.
 *
 * The crossing of a body is found at its last event or crossing, from its stored state and its cell. It does not depend
 * on the times at which other events are predicted. */
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/stepped_plan.h"
#include "hard/kernel/features/thermostat.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/predict.h"
#include "hard/kernel/parallel/notes.h"
#include "hard/kernel/schedule/planned.h"
#include "hard/kernel/totals.h"

#include "base/memory.h"

#include <assert.h>

/* ---- the bodies of a cell ---------------------------------------------------------------------------------------- */

/* A cell has one slot or several. Slots are filled from the first on; the last one may be the head of a chain of further
 * bodies. */
#define EMPTY 0x7fffffffu
#define MORE 0x80000000u /* flag of an entry: the cell contains more bodies */

static uint32_t *slots_of(const gas *g, const uint32_t at[DIM])
{
    uint32_t index = 0;
    for (int k = 0; k < DIM; k++) index += g->cells->offset[k][at[k]];
    return &g->cells->slot[index];
}

static void enter(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    uint32_t *slot = slots_of(g, p->cell), *const last = slot + g->cells->slots - 1;
    while (slot < last && *slot != EMPTY) slot++;
    p->next_in_cell = *slot;
    *slot = *slot == EMPTY ? i : i | MORE;
}

/* Removes i from a chain. */
static void unlink_body(gas *g, uint32_t *head, uint32_t i)
{
    uint32_t *entry = head, *before = NULL;
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

static void leave(gas *g, uint32_t i)
{
    uint32_t *slot = slots_of(g, g->plan[i].cell), *const last = slot + g->cells->slots - 1;
    while (slot < last && *slot != i) slot++;
    if (slot == last) {
        unlink_body(g, last, i);
        return;
    }
    uint32_t *full = slot;
    while (full < last && full[1] != EMPTY) full++;
    const uint32_t other = *full & ~MORE;
    if (full == last)
        unlink_body(g, last, other);
    else
        *full = EMPTY;
    if (full != slot) *slot = other;
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

typedef struct candidates {
    uint32_t count,
        id[CELL_BATCH + CELLS_PER_ROW * CELL_SLOTS +
           PADDING]; /* rows and chains are predicted from about CELL_BATCH bodies on; the slots of a row may follow */
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

static inline __attribute__((always_inline)) void collect_cell(const gas *g, uint32_t i, uint32_t cell, bool one_slot,
                                                               candidates *others, plan *p)
{
    const uint32_t *slot = &g->cells->slot[cell], last = slot[one_slot ? 0 : CELL_SLOTS - 1];
    if (one_slot) {
        others->id[others->count] = last & ~MORE;
        others->count += last != EMPTY;
    } else {
        _Static_assert(CELL_SLOTS * sizeof *slot == sizeof(quads), "the slots of a cell are a vector");
        const quads all = quads_load(slot), ids = all & ~MORE;
        memcpy(&others->id[others->count], &ids, sizeof ids);
        others->count += quads_before(all, EMPTY);
    }
    if ((last & MORE) != 0) collect_chain(g, i, last, others, p);
}

/* Improves the plan of i by the bodies in the cells from low[k] to high[k] on each axis k, relative to its own cell. */
static inline __attribute__((always_inline)) void predict_cells(const gas *g, uint32_t i, const int low[3],
                                                                const int high[3], bool one_slot, plan *p)
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
                collect_cell(g, i, row + c->offset[0][(int64_t)at[0] + x], one_slot, &others, p);
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
                const uint32_t *slot = &c->slot[c->offset[0][x] + c->offset[1][y] + layer];
                for (uint32_t k = 0; k < c->slots; k++)
                    __builtin_prefetch(&g->body[slot[k] == EMPTY ? i : slot[k] & ~MORE]); /* without branches */
            }
}

static uint32_t overlapping_in_cell(const gas *g, uint32_t i, const uint32_t *slot, real now)
{
    uint32_t found = 0, entry = EMPTY;
    for (uint32_t k = 0; k < g->cells->slots && slot[k] != EMPTY; k++) {
        entry = slot[k];
        found += (entry & ~MORE) != i && is_overlapping(g, i, entry & ~MORE, now);
    }
    while ((entry & MORE) != 0) {
        entry = g->plan[entry & ~MORE].next_in_cell;
        found += (entry & ~MORE) != i && is_overlapping(g, i, entry & ~MORE, now);
    }
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
                found += overlapping_in_cell(g, i, &c->slot[c->offset[0][x] + c->offset[1][y] + layer], now);
            }
    return found;
}

static void predict_around(const gas *g, uint32_t i, plan *p)
{
    if (g->cells->slots == 1)
        predict_cells(g, i, (int[3]){-1, -1, -1}, (int[3]){1, 1, 1}, true, p);
    else
        predict_cells(g, i, (int[3]){-1, -1, -1}, (int[3]){1, 1, 1}, false, p);
}

/* The layer of cells on one side of the body's own. */
static void predict_layer(const gas *g, uint32_t i, int axis, int side, plan *p)
{
    const bool one_slot = g->cells->slots == 1;
    if (axis == 0)
        predict_cells(g, i, (int[3]){side, -1, -1}, (int[3]){side, 1, 1}, one_slot, p);
    else if (axis == 1)
        predict_cells(g, i, (int[3]){-1, side, -1}, (int[3]){1, side, 1}, one_slot, p);
    else
        predict_cells(g, i, (int[3]){-1, -1, side}, (int[3]){1, 1, side}, one_slot, p);
}

/* ---- crossings --------------------------------------------------------------------------------------------------- */

enum { CROSSES_ALONE = 8 }; /* flag of plan.side */

/* The edges of the cell of a body along an axis, relative to its stored position. */
typedef struct cell_edges {
    real low, high;
} cell_edges;

static inline cell_edges edges_of(const gas *g, uint32_t i, int k)
{
    const cell_grid *c = g->cells;
    const body *b = &g->body[i];
    const uint32_t at = g->plan[i].cell[k];
    const real dt = g->now - b->t, r = b->r[k] + dt * (b->v[k] + g->gravity[k] * (dt / 2));
    const real from_middle = r - (c->low[k] + ((real)at - (real)0.5) * c->width[k]);
    const real image = nearest_whole(from_middle * g->inverse_box[k]), shift = image * g->box[k] - b->r[k];
    return (cell_edges){c->edge[k][at] + shift, c->edge[k][at + 1] + shift};
}

/* x / y; 0 at y = 0: at rest at the edge, or outside of it. */
static inline real over(real x, real y)
{
    return y > 0 ? x / y : 0;
}

/* Time, from the stored one on, at which a falling body leaves its cell; v: its present velocity. Each edge is left
 * once. */
static real falling_crossing(real v_stored, real v, real a, cell_edges e, bool *up)
{
    const real below = v_stored * v_stored + 2 * a * e.low, above = v_stored * v_stored + 2 * a * e.high;
    const real fast_down = real_sqrt(later(below, 0)), fast_up = real_sqrt(later(above, 0));
    real down = v_stored > 0 ? -(v_stored + fast_down) / a : -over(2 * e.low, fast_down - v_stored);
    real upwards = v_stored < 0 ? (fast_up - v_stored) / a : over(2 * e.high, fast_up + v_stored);
    if (e.high == REAL_NEVER || (a < 0 && (above < 0 || v <= 0))) upwards = REAL_NEVER;
    if (e.low == -REAL_NEVER || (a > 0 && (below < 0 || v >= 0))) down = REAL_NEVER;
    *up = upwards < down;
    return *up ? upwards : down;
}

/* The same of a body in straight flight, without branches. */
static inline real straight_crossing(real v, cell_edges e)
{
    const real way = v > 0 ? e.high : -e.low; /* negative in the slack outside the cell */
    return v != 0 ? way / real_fabs(v) : REAL_NEVER;
}

/* Whether i is too fast to cross together with others, until its crossing `after` its stored time. */
static inline bool crosses_alone(const gas *g, uint32_t i, real after)
{
    const cell_grid *c = g->cells;
    const body *b = &g->body[i];
    real most = 0;
    for (int k = 0; k < DIM; k++) {
        real speed = real_fabs(b->v[k]);
        if (g->has_gravity) {
            const real a = g->gravity[k], now = b->v[k] + a * (g->now - b->t), then = b->v[k] + a * after;
            speed = later(real_fabs(now), real_fabs(then)) + real_fabs(a) * c->coming.period;
        }
        most = later(most, speed * c->per_slack[k]);
    }
    return !(most <= 1);
}

/* The next crossing of i. */
static inline void find_crossing(const gas *g, uint32_t i)
{
    const body *b = &g->body[i];
    plan *p = &g->plan[i];
    real when[DIM];
    bool up[DIM];
    for (int k = 0; k < DIM; k++) {
        const real v = b->v[k], a = g->gravity[k];
        const cell_edges e = edges_of(g, i, k);
        up[k] = v > 0;
        when[k] = straight_crossing(v, e);
        if (a != 0) when[k] = falling_crossing(v, v + a * (g->now - b->t), a, e, &up[k]);
    }
    const real some = when[0] < when[1] ? when[0] : when[1], soonest = some < when[DIM - 1] ? some : when[DIM - 1];
    const uint32_t axis = (uint32_t)(soonest != when[0]) * (DIM == 3 ? 1 + (uint32_t)(soonest != when[1]) : 1);
    p->crossing = b->t + soonest;
    p->side = 2 * axis + up[axis] + (g->cells->together && !crosses_alone(g, i, soonest) ? 0 : (uint32_t)CROSSES_ALONE);
}

static inline void consider_crossing(const gas *g, uint32_t i, plan *p)
{
    if ((p->side & CROSSES_ALONE) != 0)
        consider(g, p, i, (next_event){later(p->crossing, g->now), PARTNER_TRANSFER, 0});
}

static void cell_grid_plan_crossing(gas *g, uint32_t i)
{
    const plan *p = &g->plan[i];
    if (p->entry == 0 && (p->side & CROSSES_ALONE) == 0) crossings_put(g, &g->cells->coming, i);
}

/* Moves i to the next cell. */
static inline void cross(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    const cell_grid *c = g->cells;
    const uint32_t side = p->side % CROSSES_ALONE, axis = side / 2;
    leave(g, i);
    uint32_t *at = &p->cell[axis];
    *at += side % 2 != 0 ? 1u : UINT32_MAX;
    if (c->ring[axis] && *at == 0) *at = c->count[axis];
    if (c->ring[axis] && *at > c->count[axis]) *at = 1;
    enter(g, i);
    find_crossing(g, i);
}

static void cell_grid_plan_again(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    crossings *c = &g->cells->coming;
    plan_clear(p);
    crossings_remove(c, p);
    crossings_spare(g, c);
    consider_crossing(g, i, p);
    plan_kick(g, i, p);
    predict_around(g, i, p);
    if (g->stepped != NULL) plan_links(g, i, p);
    plan_surfaces(g, i, p);
    plan_exact(g, i, p);
    plan_meshes(g, i, p);
    cell_grid_plan_crossing(g, i);
}

static void cell_grid_plan(gas *g, uint32_t i)
{
    const plan *p = &g->plan[i];
    find_crossing(g, i);
    for (int n = 0; n < DIM && p->crossing <= g->now && g->body[i].t == g->now; n++)
        cross(g, i); /* outside its cell, and it has turned round */
    cell_grid_plan_again(g, i);
}

static void cell_grid_cross(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    if (p->first.stamp == TRANSFER_REPEAT) {
        cell_grid_plan_again(g, i);
        return;
    }
    const int axis = (int)(p->side % CROSSES_ALONE) / 2, side = p->side % 2 != 0 ? 1 : -1;
    p->first = p->second;
    p->second = (next_event){p->first.time, PARTNER_UNKNOWN, 0};
    cross(g, i);
    consider_crossing(g, i, p);
    predict_layer(g, i, axis, side, p);
    plan_meshes(g, i, p);
    cell_grid_plan_crossing(g, i);
}

/* Pairs of a body that has crossed and a body in its new layer of cells. */
typedef struct new_pairs {
    uint32_t count, i[CELL_BATCH + CELLS_PER_LAYER * CELL_SLOTS + PADDING],
        j[CELL_BATCH + CELLS_PER_LAYER * CELL_SLOTS + PADDING];
} new_pairs;

static void predict_new_pairs(gas *g, new_pairs *w)
{
    for (uint32_t k = w->count; k < w->count + PADDING; k++) w->i[k] = w->j[k] = 0;
    predict_pairs(g, w->i, w->j, w->count);
    w->count = 0;
}

static inline void pair_with_cell(gas *g, uint32_t i, uint32_t cell, new_pairs *w)
{
    const uint32_t *slot = &g->cells->slot[cell];
    uint32_t entry = EMPTY;
    for (uint32_t k = 0; k < g->cells->slots; k++) {
        entry = slot[k];
        w->i[w->count] = i;
        w->j[w->count] = entry & ~MORE;
        __builtin_prefetch(&g->body[entry == EMPTY ? i : entry & ~MORE]); /* without branches */
        w->count += entry != EMPTY;
    }
    while ((entry & MORE) != 0) {
        if (w->count >= CELL_BATCH) predict_new_pairs(g, w);
        entry = g->plan[entry & ~MORE].next_in_cell;
        w->i[w->count] = i;
        w->j[w->count++] = entry & ~MORE;
    }
}

/* The layer of cells on one side of the body's own. */
static inline void pair_with_layer(gas *g, uint32_t i, uint32_t side, new_pairs *w)
{
    const cell_grid *c = g->cells;
    const uint32_t axis = side / 2, a = axis == 0 ? 1 : 0, b = axis == DIM - 1 ? DIM - 2 : DIM - 1;
    const uint32_t *at = g->plan[i].cell;
    if (w->count >= CELL_BATCH) predict_new_pairs(g, w);
    const uint32_t layer = c->offset[axis][at[axis] + (side % 2 != 0 ? 1u : UINT32_MAX)];
    for (uint32_t y = at[b] - 1; y <= at[b] + 1; y++) {
        const uint32_t row = DIM == 3 ? layer + c->offset[b][y] : 0;
        for (uint32_t x = at[a] - 1; x <= at[a] + 1 && DIM == 3; x++) pair_with_cell(g, i, row + c->offset[a][x], w);
        if (DIM == 2) pair_with_cell(g, i, layer + c->offset[a][y - at[b] + at[a]], w);
    }
}

/* Prefetches what the crossing of i will need, after its plan: its cells, and the new layer. */
static inline void prefetch_layer(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const plan *p = &g->plan[i];
    const uint32_t side = p->side % CROSSES_ALONE, axis = side / 2, a = axis == 0 ? 1 : 0,
                   b = axis == DIM - 1 ? DIM - 2 : DIM - 1;
    const uint32_t *at = p->cell, last = c->count[axis] + 1, step = side % 2 != 0 ? 1u : UINT32_MAX;
    const uint32_t to = at[axis] + step, beyond = to + step > last ? to : to + step;
    const uint32_t *layer = c->slot + c->offset[axis][beyond];
    uint32_t own = 0;
    for (int k = 0; k < DIM; k++) own += c->offset[k][at[k]];
    __builtin_prefetch(c->slot + own, 1);
    __builtin_prefetch(c->slot + own - c->offset[axis][at[axis]] + c->offset[axis][to], 1);
    for (uint32_t y = at[b] - 1; y <= (DIM == 3 ? at[b] + 1 : at[b] - 1); y += b == DIM - 1 ? cells_in_line(c) : 2)
        for (uint32_t x = at[a] - 1; x <= at[a] + 1; x += 2)
            __builtin_prefetch(layer + c->offset[a][x] + (DIM == 3 ? c->offset[b][y] : 0));
}

static inline void prefetch_crossing(const gas *g, uint32_t id)
{
    const uint32_t i = id == NONE ? 0 : id;
    __builtin_prefetch(&g->plan[i], 1);
    __builtin_prefetch(&g->body[i]);
}

/* The blocks of the coming crossings. */
typedef struct coming_blocks {
    const crossing_block *next, *after;
} coming_blocks;

/* The crossings of some bodies before local time `end`, one after the other: each sees those before it in their new
 * cells. Returns their number. */
static uint32_t transfer_some(gas *g, const uint32_t id[BLOCK_IDS], real end, coming_blocks coming)
{
    next_event before[BLOCK_IDS];
    new_pairs w;
    uint32_t count = 0;
    w.count = 0;
    for (uint32_t k = 0; k < BLOCK_IDS; k++) {
        prefetch_crossing(g, coming.after->id[k]);
        if (coming.next->id[k] != NONE) prefetch_layer(g, coming.next->id[k]);
        if (id[k] == NONE) continue;
        plan *p = &g->plan[id[k]];
        uint32_t crossed = 0; /* several axes may be crossed in one period */
        p->entry = 0;
        before[k] = p->first;
        for (; crossed < DIM && p->side < CROSSES_ALONE && p->crossing < end; crossed++) {
            const uint32_t side = p->side;
            cross(g, id[k]);
            pair_with_layer(g, id[k], side, &w);
        }
        if (crossed > 0 && g->domain != NULL) note_crossings(g->domain, id[k], crossed);
        count += crossed;
    }
    predict_new_pairs(g, &w);
    for (uint32_t k = 0; k < BLOCK_IDS; k++) {
        if (id[k] == NONE) continue;
        plan *p = &g->plan[id[k]];
        consider_crossing(g, id[k], p);
        if (p->first.time != before[k].time || p->first.partner != before[k].partner) schedule_planned(g, id[k]);
        cell_grid_plan_crossing(g, id[k]);
    }
    return count;
}

static uint32_t cell_grid_cross_together(gas *g)
{
    crossings *c = &g->cells->coming;
    real end;
    uint32_t count = 0, n = crossings_take(c, &end);
    while (n != 0) {
        const crossing_block some = c->block[n];
        const coming_blocks coming = {&c->block[some.next], &c->block[c->block[some.next].next]};
        __builtin_prefetch(&c->block[coming.after->next]);
        crossings_free(c, n);
        count += transfer_some(g, some.id, end, coming);
        n = some.next;
    }
    crossings_spare(g, c);
    const crossing_block *soon = &c->block[crossings_soon(c)];
    for (uint32_t k = 0; k < BLOCK_IDS; k++) prefetch_crossing(g, soon->id[k]);
    return count;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* The cell of the position of i now. */
static void find_cell(const gas *g, uint32_t i, uint32_t at[DIM])
{
    const cell_grid *c = g->cells;
    real r[DIM];
    position_at(g, i, g->now, r);
    for (int k = 0; k < DIM; k++) {
        real x = (image_from(g, k, c->first[k], r[k]) - c->low[k]) / c->width[k];
        uint32_t last = c->count[k] - 1;
        at[k] = 1 + (!(x > 0) ? 0 : x < (real)last ? (uint32_t)x : last);
    }
}

static void cell_grid_insert(gas *g, uint32_t i)
{
    find_cell(g, i, g->plan[i].cell);
    g->plan[i].entry = 0;
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
    crossings_remove(&g->cells->coming, &g->plan[i]);
    leave(g, i);
}

/* Layers of cells along an axis. An axis that is no ring has an empty layer more at each end. */
static uint32_t layers(const gas *g, int k, uint32_t count)
{
    return g->cells->ring[k] ? count : count + 2;
}

/* Largest contact distance, and room for rounding. */
static double cell_contact(const gas *g)
{
    return (double)largest_contact(g) * (1 + CELL_ROUNDING);
}

/* Along an axis with one cell no body leaves it. */
static void set_slack(gas *g)
{
    cell_grid *c = g->cells;
    const real contact = (real)cell_contact(g);
    for (int k = 0; k < DIM; k++) c->slack[k] = c->count[k] > 1 ? (c->width[k] - contact) / 2 : REAL_NEVER;
}

/* Chooses numbers and widths of cells. Returns false if a periodic axis has too few cells to distinguish the images of
 * a body. */
static bool choose_cells(gas *g)
{
    cell_grid *c = g->cells;
    const double least = cell_contact(g) * (1 + CELL_SLACK);
    double width = least, total;
    real length[DIM];
    for (int k = 0; k < DIM; k++) {
        if (g->box[k] > 0 && (double)g->box[k] < FEWEST_CELLS * least) return false;
        const coverage s = coverage_of(g, k);
        c->low[k] = s.low;
        c->first[k] = s.first;
        c->ring[k] = s.ring;
        length[k] = s.length;
    }
    for (;; width *= CELL_WIDENING) {
        total = 1;
        for (int k = 0; k < DIM; k++) {
            double fewest = c->ring[k] ? FEWEST_CELLS : 1;
            c->count[k] = (uint32_t)fmin(fmax(floor((double)length[k] / width), fewest), 1e6);
            c->width[k] = length[k] > 0 ? length[k] / (real)c->count[k] : 1;
            total *= layers(g, k, c->count[k]) + 3;
        }
        if (total <= (double)c->room) break;
    }
    c->total = (size_t)total;
    set_slack(g);
    return true;
}

/* Tables for each axis, by coordinate: index of a layer of cells in `slot`, and its edge. Coordinates start at 1;
 * those before and after belong to the other end of a ring, or to empty layers. A cache line of `slot`
 * contains a block of cells. */
static carom_status tabulate(gas *g, error *e)
{
    cell_grid *c = g->cells;
    static const uint32_t of_one_slot[3] = {4, DIM == 3 ? 2 : 4, 2}, of_slots[3] = {2, 2, 1};
    const uint32_t *blocks = c->slots == 1 ? of_one_slot : of_slots;
    uint32_t within = c->slots, stride = 16;
    for (int k = 0; k < DIM; k++) {
        const uint32_t n = c->count[k];
        const bool ring = c->ring[k];
        memory_free(c->offset[k]);
        memory_free(c->edge[k]);
        c->offset[k] = NEW_ARRAY(n + 2, uint32_t);
        c->edge[k] = NEW_ARRAY(n + 3, real);
        if (c->offset[k] == NULL || c->edge[k] == NULL) return error_memory(e, "cells", n * sizeof(real));
        const uint32_t run = blocks[k], blocked = (layers(g, k, n) + run - 1) / run;
        for (uint32_t at = 0; at < n + 2; at++) {
            uint32_t layer = !ring ? at : at == 0 ? n - 1 : at == n + 1 ? 0 : at - 1;
            c->offset[k][at] = layer % run * within + layer / run * stride;
        }
        for (uint32_t at = 0; at < n + 3; at++) c->edge[k][at] = c->low[k] + ((real)at - 1) * c->width[k];
        if (!ring) c->edge[k][1] = -REAL_NEVER;
        if (!ring) c->edge[k][n + 1] = REAL_NEVER;
        within *= run;
        stride *= blocked;
    }
    return CAROM_OK;
}

/* Whether crossings are made together: not if there are few, nor if a search for other events ends at the next one. */
static bool crosses_together(const gas *g)
{
    return all_bodies(g) >= FEWEST_TOGETHER && g->stepped == NULL && g->shapes == NULL && g->solids == NULL &&
           g->exact == NULL && g->motions == NULL && is_stable(g);
}

/* Periods from local time `start` on. In each, a body that crosses together with others flies less than the slack. */
static void begin_periods(gas *g, real start, real period)
{
    cell_grid *c = g->cells;
    for (int k = 0; k < DIM; k++) c->per_slack[k] = period / c->slack[k];
    c->together = crosses_together(g);
    crossings_clear(&c->coming, start, period, g->now);
}

/* The mean of the speeds along the axes, weighted by themselves, as crossings are. */
static real crossing_speed(const gas *g)
{
    real sum = 0, square = 0;
    for (uint32_t i = 0; i < g->count; i++)
        for (int k = 0; k < DIM; k++) {
            const real speed = real_fabs(g->body[i].v[k]);
            sum += speed;
            square += speed * speed;
        }
    return square > 0 ? square / sum : 1;
}

/* Bodies of common speeds cross together. */
static real choose_period(const gas *g)
{
    real slack = REAL_NEVER;
    for (int k = 0; k < DIM; k++) slack = g->cells->slack[k] < slack ? g->cells->slack[k] : slack;
    return slack < REAL_NEVER ? slack / ((real)CROSSING_SPEED * crossing_speed(g)) : 1;
}

/* Domains of a parallel run make their crossings at equal times, and do not wait for each other: periods are powers of two, and
 * begin at multiples of them. */
static void align_periods(real *start, real *period)
{
    int exponent;
    (void)frexp((double)*period, &exponent);
    *period = (real)ldexp(0.5, exponent);
    *start = real_floor(*start / *period) * *period;
}

static void clear_cells(gas *g)
{
    for (size_t k = 0; k < g->cells->total * g->cells->slots; k++) g->cells->slot[k] = EMPTY;
}

static carom_status cell_grid_rebuild(gas *g, error *e)
{
    bool fits = choose_cells(g);
    assert(fits); /* as at creation: neither box nor contact distance has changed */
    TRY(tabulate(g, e));
    clear_cells(g);
    real start = g->now, period = choose_period(g);
    if (g->domain != NULL) align_periods(&start, &period);
    begin_periods(g, start, period);
    for (uint32_t i = 0; i < g->count; i++) cell_grid_insert(g, i);
    return CAROM_OK;
}

static carom_status cell_grid_create(gas *g, error *e)
{
    cell_grid *c = g->cells = NEW_ARRAY(1, cell_grid);
    if (c == NULL) return error_memory(e, "cells", sizeof *c);
    c->room = CELLS_PER_BODY * (size_t)g->room + SPARE_CELLS_OF_GAS;
    c->slots = bodies_around(whole_of(g)) < ONE_SLOT_MOST * (DIM == 3 ? 27 : 9) ? 1 : CELL_SLOTS;
    if (!choose_cells(g)) {
        cell_grid_destroy(g);
        return CAROM_OK;
    }
    c->slot = NEW_ARRAY(c->room * c->slots, uint32_t);
    if (c->slot == NULL) return error_memory(e, "cells", c->room * c->slots * sizeof *c->slot);
    TRY(crossings_create(&c->coming, g->room, e));
    return cell_grid_rebuild(g, e);
}

static void cell_grid_destroy(gas *g)
{
    cell_grid *c = g->cells;
    if (c == NULL) return;
    for (int k = 0; k < DIM; k++) {
        memory_free(c->offset[k]);
        memory_free(c->edge[k]);
    }
    crossings_destroy(&c->coming);
    memory_free(c->slot);
    memory_free(c);
    g->cells = NULL;
}
