/* What merges of all kinds have in common: which cluster takes up which, and what is stored. */
#include "aggregation/kernel/events/swarm.h"

static bool merge_takes_up(const swarm *s, uint32_t a, uint32_t b)
{
    const cluster *c = &s->cluster[a], *d = &s->cluster[b];
    return c->size != d->size ? c->size > d->size : c->id < d->id;
}

static void merge_remember(swarm *s, uint32_t i, uint32_t j)
{
    uint32_t a = s->id[i], b = s->id[j];
    s->merges[s->merge_count++] = (frame_merge){s->now, a < b ? a : b, a < b ? b : a};
    s->events[EVENT_MERGE]++;
    s->clusters--;
    s->last_merge = s->now;
    s->stall = swarm_stall_early(s);
    s->idle = 0;
    s->hopeful = false;
}
