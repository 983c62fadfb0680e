/* The particles of each cluster: a list of chunks, all full but the last, so that a loop over them can prefetch. A
 * cluster of one particle has no chunk. */
#ifndef CAROM_AGGREGATION_EVENTS_MEMBERS_H
#define CAROM_AGGREGATION_EVENTS_MEMBERS_H

#include "aggregation/kernel/events/state.h"

enum { CHUNK = 15 };

typedef struct chunk {
    uint32_t next;
    uint32_t id[CHUNK];
} __attribute__((aligned(64))) chunk;

/* An iterator over the particles of a cluster:
 *     walk w = members_walk(s, root);
 *     for (uint32_t i; (i = members_next(s, &w)) != NONE;) ...
 * The cluster must not change during the iteration. */
typedef struct walk {
    uint32_t chunk, at; /* chunk: NONE for a cluster of one particle */
    uint32_t left, root;
} walk;

static walk members_walk(const cluster_state *s, uint32_t root);

static inline uint32_t members_next(const cluster_state *s, walk *w)
{
    if (w->left == 0) return NONE;
    w->left--;
    if (w->chunk == NONE) return w->root;
    const chunk *c = &s->members.chunk[w->chunk];
    const uint32_t i = c->id[w->at];
    if (c->next != NONE) {
        const chunk *ahead = &s->members.chunk[c->next];
        __builtin_prefetch(&s->particle[ahead->id[w->at]]);
        if (w->at == 0 && ahead->next != NONE) __builtin_prefetch(&s->members.chunk[ahead->next]);
    }
    if (++w->at == CHUNK) {
        w->at = 0;
        w->chunk = c->next;
    }
    return i;
}

/* Appends the particles of cluster b to those of a and empties b. Returns an iterator over them. */
static walk members_append(cluster_state *s, uint32_t a, uint32_t b);

#endif
