#include "aggregation/kernel/events/members.h"

#include "base/memory.h"

/* Clusters of two and more have a chunk each that is not full, at most. */
static uint32_t most_chunks(uint32_t count)
{
    return count / 2 + count / CHUNK + 2;
}

static carom_status members_create(swarm *s, error *e)
{
    const uint32_t most = most_chunks(s->count);
    s->chunk = NEW_ARRAY(most, chunk);
    if (s->chunk == NULL) return error_memory(e, "the clusters", most * sizeof(chunk));
    s->free_chunk = NOBODY;
    s->chunks = 0;
    return CAROM_OK;
}

static void members_destroy(swarm *s)
{
    memory_free(s->chunk);
    s->chunk = NULL;
}

static walk members_walk(const swarm *s, uint32_t root)
{
    const cluster *c = &s->cluster[root];
    return (walk){c->first, 0, c->size, root};
}

/* `members` says how many there are already. */
static void add(swarm *s, cluster *c, uint32_t members, uint32_t i)
{
    if (members % CHUNK == 0) {
        const bool again = s->free_chunk != NOBODY;
        const uint32_t fresh = again ? s->free_chunk : s->chunks++;
        if (again) s->free_chunk = s->chunk[fresh].next;
        s->chunk[fresh].next = NOBODY;
        if (members == 0)
            c->first = fresh;
        else
            s->chunk[c->last].next = fresh;
        c->last = fresh;
    }
    s->chunk[c->last].id[members % CHUNK] = i;
}

static walk members_take(swarm *s, uint32_t a, uint32_t b)
{
    cluster *c = &s->cluster[a], *d = &s->cluster[b];
    uint32_t members = c->size;
    if (c->first == NOBODY) add(s, c, 0, a);
    const walk newcomers = {c->last, members % CHUNK, d->size, a};
    const bool full = newcomers.at == 0;
    if (d->first == NOBODY) add(s, c, members, b);
    for (uint32_t left = d->size, at = d->first; at != NOBODY; at = d->first) {
        const uint32_t some = left < CHUNK ? left : CHUNK;
        const chunk taken = s->chunk[at];
        d->first = taken.next;
        s->chunk[at].next = s->free_chunk;
        s->free_chunk = at;
        for (uint32_t k = 0; k < some; k++) add(s, c, members++, taken.id[k]);
        left -= some;
    }
    d->last = NOBODY;
    return full ? (walk){s->chunk[newcomers.chunk].next, 0, newcomers.left, a} : newcomers;
}

static void members_rebuild(swarm *s)
{
    s->free_chunk = NOBODY;
    s->chunks = 0;
    for (uint32_t i = 0; i < s->count; i++) s->cluster[i].first = NOBODY;
    for (uint32_t i = 0; i < s->count; i++) s->cluster[i].size = 0;
    for (uint32_t i = 0; i < s->count; i++) s->cluster[s->particle[i].root].size++;
    for (uint32_t i = 0; i < s->count; i++) s->lively[i] = 0; /* how many of a root's are there */
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t root = s->particle[i].root;
        if (s->cluster[root].size > 1) add(s, &s->cluster[root], s->lively[root]++, i);
    }
}
