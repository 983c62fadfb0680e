/* Scheduling: each body has one entry in the event queue, its earliest planned event.
 *
 * Of a pair, the body that changed last has predicted the collision, and one entry is sufficient. Invalid predictions
 * are not removed: if the partner has changed since (its stamp differs), the entry is a lower bound for the next event
 * of its owner. When it is due, the second event of the body replaces it, and then a new prediction. */
#include "hard/kernel/schedule/schedule.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/broad/rows.h"
#include "hard/kernel/parallel/domain.h"
#include "hard/kernel/schedule/planned.h"

static bool earlier_id(const void *context, uint32_t a, uint32_t b)
{
    const gas *g = context;
    const next_event *x = &g->plan[a].first, *y = &g->plan[b].first;
    return event_before(g, a, x, b, y) || (!event_before(g, b, y, a, x) && g->id[a] < g->id[b]);
}

static void schedule_one(gas *g, uint32_t i)
{
    if (g->cells != NULL)
        cell_grid_plan(g, i);
    else
        lists_plan(g, i);
    schedule_planned(g, i);
}

static void schedule_again_one(gas *g, uint32_t i)
{
    if (g->cells != NULL)
        cell_grid_plan_again(g, i);
    else
        lists_plan(g, i);
    schedule_planned(g, i);
}

static void schedule_all(gas *g)
{
    fel_reset(g->queue, (double)g->now);
    for (uint32_t i = 0; i < g->count; i++) schedule_one(g, i);
}

static void schedule_again_all(gas *g)
{
    fel_reset(g->queue, (double)g->now);
    for (uint32_t i = 0; i < g->count; i++) schedule_again_one(g, i);
}

static void fall_back(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    p->first = p->second;
    p->second.partner = PARTNER_UNKNOWN;
    if (g->cells != NULL) cell_grid_plan_crossing(g, i);
    schedule_planned(g, i);
}

static bool schedule_first(gas *g, uint32_t *i, next_event *e)
{
    const bool crosses = g->cells != NULL;
    double time;
    while (fel_peek(g->queue, i, &time)) {
        const plan *p = &g->plan[*i];
        if (crosses && cell_grid_due(g) <= p->first.time) break;
        bool unknown = p->first.partner == PARTNER_UNKNOWN;
        if (!unknown && is_valid(g, &p->first)) {
            *e = p->first;
            return true;
        }
        if (unknown || p->second.partner == PARTNER_UNKNOWN)
            schedule_again_one(g, *i);
        else
            fall_back(g, *i);
    }
    if (!crosses || !(cell_grid_due(g) < REAL_NEVER)) return false;
    *e = (next_event){later(cell_grid_due(g), g->now), PARTNER_TRANSFER, TRANSFER_TOGETHER};
    return true;
}

/* gcc 12 drops calls of a function that only prefetches, unless it is inlined. */
static inline __attribute__((always_inline)) void prefetch_body(const gas *g, uint32_t i)
{
    __builtin_prefetch(&g->id[i]);
    if (g->domain != NULL) __builtin_prefetch(&g->domain->member[i], 1);
    __builtin_prefetch(&g->plan[i], 1);
    __builtin_prefetch(&g->body[i], 1);
    if (g->lists != NULL) lists_prefetch_row(g, i);
}

/* Prefetches the memory of a coming event: the body, then its partner and the neighbours of both. */
static void prefetch(const void *context, uint32_t i, int ahead)
{
    const gas *g = context;
    if (ahead == 1) {
        prefetch_body(g, i);
        return;
    }
    const uint32_t j = g->plan[i].first.partner;
    if (j < g->count) prefetch_body(g, j);
    if (g->lists != NULL)
        lists_prefetch_bodies(g, i);
    else
        cells_prefetch(g, i);
}

/* The same from main memory, in more steps: each needs the data of the step before. */
static void prefetch_far(const void *context, uint32_t i, int ahead)
{
    const gas *g = context;
    if (ahead == 2) {
        prefetch_body(g, i);
        return;
    }
    const uint32_t j = g->plan[i].first.partner;
    const bool pair = j < g->count;
    if (ahead == 1) {
        if (pair) prefetch_body(g, j);
        if (pair) fel_prefetch(g->queue, j);
        if (g->cells != NULL) cells_prefetch(g, i);
    } else if (g->cells != NULL) {
        if (pair) cell_grid_prefetch_bodies(g, i);
        if (pair) cells_prefetch(g, j);
    } else {
        lists_prefetch_bodies(g, i);
        if (pair) lists_prefetch_bodies(g, j);
    }
}

static carom_status schedule_create(gas *g, error *e)
{
    TRY(fel_create(&g->queue, g->room, earlier_id, g, e));
    if (g->count > IN_FAR_CACHE)
        fel_set_hint(g->queue, prefetch_far, 2);
    else if (g->count > IN_NEAR_CACHE)
        fel_set_hint(g->queue, prefetch, 1);
    return CAROM_OK;
}

static void schedule_destroy(gas *g)
{
    fel_destroy(g->queue);
    g->queue = NULL;
}
