/* The exact state, for checkpoints. Cells and pairs are not part of it: they are found anew. */
#include "aggregation/kernel/steps/steps.h"

#include "base/memory.h"

#define BYTES(s, field) (sizeof *(s)->field * (s)->count)

enum { MOST_PARTS = 24 };

static int parts_of(steps *s, snapshot_part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (snapshot_part){"engine/body", s->bodies, BYTES(s, bodies)};
    parts[n++] = (snapshot_part){"engine/motion", s->motions, BYTES(s, motions)};
    parts[n++] = (snapshot_part){"engine/cluster", s->clusters, BYTES(s, clusters)};
    if (s->extents != NULL) parts[n++] = (snapshot_part){"engine/extent", s->extents, BYTES(s, extents)};
    parts[n++] = (snapshot_part){"engine/next", s->next, BYTES(s, next)};
    parts[n++] = (snapshot_part){"engine/link_first", s->links.first, BYTES(s, links.first)};
    parts[n++] = (snapshot_part){"engine/merges", s->merges, BYTES(s, merges)};
    parts[n++] = (snapshot_part){"engine/merge_count", &s->merge_count, sizeof s->merge_count};
    parts[n++] = (snapshot_part){"engine/time", &s->time, sizeof s->time};
    parts[n++] = (snapshot_part){"engine/steps", &s->tally, sizeof s->tally};
    parts[n++] = (snapshot_part){"engine/flown", &s->flown, sizeof s->flown};
    parts[n++] = (snapshot_part){"engine/pace", &s->pace, sizeof s->pace};
    parts[n++] = (snapshot_part){"engine/events", s->events, sizeof s->events};
    parts[n++] = (snapshot_part){"engine/dissipated", &s->dissipated, sizeof s->dissipated};
    return n;
}

carom_status steps_save(const void *self, snapshot *out, error *e)
{
    steps copy = *(const steps *)self;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(&copy, parts);
    TRY(snapshot_put_parts(out, parts, n, &copy, sizeof copy, e));
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
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(s, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    TRY(load_links(&s->links, in, e));
    s->live_count = 0;
    for (uint32_t slot = 0; slot < s->count; slot++)
        if (s->clusters[slot].size > 0) s->live[s->live_count++] = slot;
    watch_again(s);
    return CAROM_OK;
}
