/* Scheduling: each body has one entry in the shared queue, the earliest event that it knows of.
 *
 * Whoever of a pair changed last has predicted its collision, and one entry is enough to find it. A prediction is dropped
 * lazily: where the partner has changed since (its stamp differs), the entry is a lower bound for what its owner does next.
 * Then the body's second event takes its place, and after that the body is predicted anew. */
#include "hard/kernel/gas.h"

static bool earlier_id(const void *context, uint32_t a, uint32_t b)
{
    const gas *g = context;
    const next_event *x = &g->plan[a].first, *y = &g->plan[b].first;
    return event_before(a, x, b, y) || (!event_before(b, y, a, x) && a < b);
}

static void put(gas *g, uint32_t i)
{
    fel_schedule(g->queue, i, (double)later(g->plan[i].first.time, g->now)); /* naive detection finds times that have passed */
}

void schedule_one(gas *g, uint32_t i)
{
    const neighbor_lists *l = g->lists;
    plan *p = &g->plan[i];
    predict(g, i, l->neighbor + (size_t)i * l->capacity, l->length[i], p);
    consider(p, i, (next_event){lists_due(g, i), PARTNER_TRANSFER, 0});
    put(g, i);
}

void schedule_all(gas *g)
{
    fel_reset(g->queue, (double)g->now);
    for (uint32_t i = 0; i < g->count; i++) schedule_one(g, i);
}

static void fall_back(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    p->first = p->second;
    p->second.partner = PARTNER_UNKNOWN;
    put(g, i);
}

bool schedule_first(gas *g, uint32_t *i, next_event *e)
{
    double time;
    while (fel_peek(g->queue, i, &time)) {
        const plan *p = &g->plan[*i];
        if (holds(g, &p->first)) {
            *e = p->first;
            return true;
        }
        if (p->second.partner == PARTNER_UNKNOWN)
            schedule_one(g, *i);
        else
            fall_back(g, *i);
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
