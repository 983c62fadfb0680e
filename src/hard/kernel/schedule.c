/* Scheduling: each body has one entry in the shared queue, the earliest event that it knows of.
 *
 * A prediction is dropped lazily: where the partner has changed since (its stamp differs), the entry is a lower bound
 * for what its owner does next, and is predicted anew when it comes up. */
#include "hard/kernel/gas.h"

static bool earlier_id(const void *context, uint32_t a, uint32_t b)
{
    const gas *g = context;
    const next_event *x = &g->next[a], *y = &g->next[b];
    return event_before(a, x, b, y) || (!event_before(b, y, a, x) && a < b);
}

static void put(gas *g, uint32_t i, next_event e)
{
    real time = later(e.time, g->now); /* naive detection gives times that have passed */
    bool same_time = (double)time == (double)later(g->next[i].time, g->now);
    g->next[i] = e;
    if (same_time)
        fel_touch(g->queue, i);
    else
        fel_schedule(g->queue, i, (double)time);
}

/* Asks for what predict will touch all at once, so that in large systems the waits for memory overlap. */
static void prefetch(const gas *g, const uint32_t *list, uint32_t length)
{
    for (uint32_t k = 0; k < length; k++) {
        __builtin_prefetch(&g->body[list[k]]);
        __builtin_prefetch(&g->next[list[k]], 1);
        __builtin_prefetch(&g->stamp[list[k]]);
    }
}

/* The next event of i; those of its neighbours are improved on the way. */
static next_event predict(gas *g, uint32_t i)
{
    const neighbor_lists *l = g->lists;
    const uint32_t *list = l->neighbor + (size_t)i * l->capacity;
    next_event best = {REAL_NEVER, PARTNER_NONE, 0};
    prefetch(g, list, l->length[i]);
    for (uint32_t k = 0; k < l->length[i]; k++) {
        uint32_t j = list[k];
        real t = detect_pair(g, i, j, g->now);
        if (!(t < REAL_NEVER)) continue;
        next_event mine = {t, j, g->stamp[j]}, other = {t, i, g->stamp[i]};
        if (event_before(i, &mine, i, &best)) best = mine;
        if (event_before(j, &other, j, &g->next[j])) put(g, j, other);
    }
    detect_surfaces(g, i, &best);
    return best;
}

void schedule_one(gas *g, uint32_t i)
{
    next_event best = predict(g, i);
    real due = lists_due(g, i);
    if (due < best.time) best = (next_event){due, PARTNER_TRANSFER, 0};
    put(g, i, best);
}

void schedule_all(gas *g)
{
    fel_reset(g->queue, (double)g->now);
    for (uint32_t i = 0; i < g->count; i++) g->next[i] = (next_event){REAL_NEVER, PARTNER_NONE, 0};
    for (uint32_t i = 0; i < g->count; i++) schedule_one(g, i);
}

bool schedule_first(gas *g, uint32_t *i, next_event *e)
{
    double time;
    while (fel_peek(g->queue, i, &time)) {
        *e = g->next[*i];
        if (!is_pair(e) || g->stamp[e->partner] == e->stamp) return true;
        schedule_one(g, *i);
    }
    return false;
}

carom_status schedule_create(gas *g, error *e)
{
    return fel_create(&g->queue, g->count, earlier_id, g, e);
}

void schedule_destroy(gas *g)
{
    fel_destroy(g->queue);
    g->queue = NULL;
}
