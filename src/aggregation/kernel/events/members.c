#include "aggregation/kernel/events/members.h"

#include "aggregation/kernel/events/feature.h"

#include "base/memory.h"

/* Each cluster of two or more particles has at most one chunk that is not full. */
static uint32_t most_chunks(uint32_t count)
{
    return count / 2 + count / CHUNK + 2;
}

static carom_status members_create(cluster_state *s, error *e)
{
    const uint32_t most = most_chunks(s->count);
    s->members.chunk = NEW_ARRAY(most, chunk);
    if (s->members.chunk == NULL) return error_memory(e, "the clusters", most * sizeof(chunk));
    s->members.free = NONE;
    s->members.used = 0;
    return CAROM_OK;
}

static void members_destroy(cluster_state *s)
{
    memory_free(s->members.chunk);
    s->members.chunk = NULL;
}

static walk members_walk(const cluster_state *s, uint32_t root)
{
    const cluster *c = &s->cluster[root];
    return (walk){c->first, 0, c->size, root};
}

/* `members` returns the number of particles stored so far. */
static void add(cluster_state *s, cluster *c, uint32_t members, uint32_t i)
{
    if (members % CHUNK == 0) {
        const bool again = s->members.free != NONE;
        const uint32_t fresh = again ? s->members.free : s->members.used++;
        if (again) s->members.free = s->members.chunk[fresh].next;
        s->members.chunk[fresh].next = NONE;
        if (members == 0)
            c->first = fresh;
        else
            s->members.chunk[c->last].next = fresh;
        c->last = fresh;
    }
    s->members.chunk[c->last].id[members % CHUNK] = i;
}

static walk members_append(cluster_state *s, uint32_t a, uint32_t b)
{
    cluster *c = &s->cluster[a], *d = &s->cluster[b];
    uint32_t members = c->size;
    if (c->first == NONE) add(s, c, 0, a);
    const walk added = {c->last, members % CHUNK, d->size, a};
    const bool full = added.at == 0;
    if (d->first == NONE) add(s, c, members, b);
    for (uint32_t left = d->size, at = d->first; at != NONE; at = d->first) {
        const uint32_t some = left < CHUNK ? left : CHUNK;
        const chunk taken = s->members.chunk[at];
        d->first = taken.next;
        s->members.chunk[at].next = s->members.free;
        s->members.free = at;
        for (uint32_t k = 0; k < some; k++) add(s, c, members++, taken.id[k]);
        left -= some;
    }
    d->last = NONE;
    return full ? (walk){s->members.chunk[added.chunk].next, 0, added.left, a} : added;
}

/* Rebuilds all lists from the roots of the particles. */
static carom_status members_rebuild(cluster_state *s, const snapshot *in, error *e)
{
    (void)in;
    (void)e;
    s->members.free = NONE;
    s->members.used = 0;
    for (uint32_t i = 0; i < s->count; i++) s->cluster[i].first = NONE;
    for (uint32_t i = 0; i < s->count; i++) s->cluster[i].size = 0;
    for (uint32_t i = 0; i < s->count; i++) s->cluster[s->particle[i].root].size++;
    for (uint32_t i = 0; i < s->count; i++) s->next_active[i] = 0; /* number of particles stored for a root */
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t root = s->particle[i].root;
        if (s->cluster[root].size > 1) add(s, &s->cluster[root], s->next_active[root]++, i);
    }
    return CAROM_OK;
}

static const state_feature members_feature = {
    .name = "members", .create = members_create, .destroy = members_destroy, .load = members_rebuild};
