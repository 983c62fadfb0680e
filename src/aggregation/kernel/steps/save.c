/* The exact state, for checkpoints. Cells and pairs are not part of it: they are found anew. */
#include "aggregation/kernel/steps/steps.h"

#include "base/memory.h"

#define BYTES(s, field) (sizeof *(s)->field * (s)->count)

/* Arrays and numbers alike; `put` and `get` walk the same table. */
typedef struct part {
    const char *name;
    void *data;
    size_t bytes;
} part;

enum { MOST_PARTS = 24 };

static int parts_of(steps *s, part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (part){"engine/body", s->bodies, BYTES(s, bodies)};
    parts[n++] = (part){"engine/motion", s->motions, BYTES(s, motions)};
    parts[n++] = (part){"engine/cluster", s->clusters, BYTES(s, clusters)};
    if (s->extents != NULL) parts[n++] = (part){"engine/extent", s->extents, BYTES(s, extents)};
    parts[n++] = (part){"engine/next", s->next, BYTES(s, next)};
    parts[n++] = (part){"engine/link_first", s->links.first, BYTES(s, links.first)};
    parts[n++] = (part){"engine/merges", s->merges, BYTES(s, merges)};
    parts[n++] = (part){"engine/merge_count", &s->merge_count, sizeof s->merge_count};
    parts[n++] = (part){"engine/time", &s->time, sizeof s->time};
    parts[n++] = (part){"engine/steps", &s->tally, sizeof s->tally};
    parts[n++] = (part){"engine/flown", &s->flown, sizeof s->flown};
    parts[n++] = (part){"engine/pace", &s->pace, sizeof s->pace};
    parts[n++] = (part){"engine/events", s->events, sizeof s->events};
    parts[n++] = (part){"engine/dissipated", &s->dissipated, sizeof s->dissipated};
    return n;
}

carom_status steps_save(const void *self, snapshot *out, error *e)
{
    steps copy = *(const steps *)self;
    part parts[MOST_PARTS];
    int n = parts_of(&copy, parts);
    for (int k = 0; k < n; k++) {
        bool inside = (char *)parts[k].data >= (char *)&copy && (char *)parts[k].data < (char *)(&copy + 1);
        TRY((inside ? snapshot_put : snapshot_lend)(out, parts[k].name, SNAPSHOT_U8, parts[k].bytes, parts[k].data, e));
    }
    return snapshot_lend(out, "engine/link", SNAPSHOT_U8, copy.links.count * sizeof *copy.links.edges, copy.links.edges,
                         e);
}

static carom_status load_links(links *l, const snapshot *in, error *e)
{
    const snapshot_array *stored = snapshot_find(in, "engine/link");
    if (stored == NULL || stored->count % (2 * sizeof *l->edges) != 0)
        return error_set(e, CAROM_BAD_DATA, "error: the checkpoint has no links of the engine `aggregation`");
    size_t count = stored->count / sizeof *l->edges;
    if (count > l->capacity) {
        half_edge *edges = memory_resize(l->edges, l->capacity, count, sizeof *edges);
        if (edges == NULL) return error_memory(e, "links", stored->count);
        l->edges = edges;
        l->capacity = count;
    }
    l->count = count;
    return snapshot_get(in, "engine/link", SNAPSHOT_U8, stored->count, l->edges, e);
}

carom_status steps_load(void *self, const snapshot *in, error *e)
{
    steps *s = self;
    part parts[MOST_PARTS];
    int n = parts_of(s, parts);
    for (int k = 0; k < n; k++) TRY(snapshot_get(in, parts[k].name, SNAPSHOT_U8, parts[k].bytes, parts[k].data, e));
    TRY(load_links(&s->links, in, e));
    s->live_count = 0;
    for (uint32_t slot = 0; slot < s->count; slot++)
        if (s->clusters[slot].size > 0) s->live[s->live_count++] = slot;
    watch_again(s);
    return CAROM_OK;
}
