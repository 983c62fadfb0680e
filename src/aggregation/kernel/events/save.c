/* The exact state, for checkpoints. Grid, queue and plans are not part of it: they follow from it. */
#include "aggregation/kernel/events/members.h"
#include "aggregation/kernel/rotating/body.h"

#define BYTES(s, field) (sizeof *(s)->field * (s)->count)

/* Arrays and numbers alike; `put` and `get` walk the same table. */
typedef struct part {
    const char *name;
    void *data;
    size_t bytes;
} part;

enum { MOST_PARTS = 15 };

static int parts_of(swarm *s, part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (part){"engine/particle", s->particle, BYTES(s, particle)};
    parts[n++] = (part){"engine/id", s->id, BYTES(s, id)};
    parts[n++] = (part){"engine/motion", s->motion, BYTES(s, motion)};
    parts[n++] = (part){"engine/cluster", s->cluster, BYTES(s, cluster)};
#if CAROM_ROTATING
    parts[n++] = (part){"engine/body", s->body, BYTES(s, body)};
#endif
    parts[n++] = (part){"engine/merges", s->merges, BYTES(s, merges)};
    parts[n++] = (part){"engine/now", &s->now, sizeof s->now};
    parts[n++] = (part){"engine/last_event", &s->last_event, sizeof s->last_event};
    parts[n++] = (part){"engine/last_merge", &s->last_merge, sizeof s->last_merge};
    parts[n++] = (part){"engine/clusters", &s->clusters, sizeof s->clusters};
    parts[n++] = (part){"engine/events", s->events, sizeof s->events};
    parts[n++] = (part){"engine/dissipated", &s->dissipated, sizeof s->dissipated};
    parts[n++] = (part){"engine/merge_count", &s->merge_count, sizeof s->merge_count};
    return n;
}

carom_status swarm_save(const void *self, snapshot *out, error *e)
{
    swarm copy = *(const swarm *)self;
    part parts[MOST_PARTS];
    int n = parts_of(&copy, parts);
    for (int k = 0; k < n; k++) {
        bool inside = (char *)parts[k].data >= (char *)&copy && (char *)parts[k].data < (char *)(&copy + 1);
        TRY((inside ? snapshot_put : snapshot_lend)(out, parts[k].name, SNAPSHOT_U8, parts[k].bytes, parts[k].data, e));
    }
    return CAROM_OK;
}

carom_status swarm_load(void *self, const snapshot *in, error *e)
{
    swarm *s = self;
    part parts[MOST_PARTS];
    int n = parts_of(s, parts);
    for (int k = 0; k < n; k++) TRY(snapshot_get(in, parts[k].name, SNAPSHOT_U8, parts[k].bytes, parts[k].data, e));
    members_rebuild(s);
#if CAROM_ROTATING
    for (uint32_t i = 0; i < s->count; i++) attitude_reset(s, i);
#endif
    if (s->settings->reference) return CAROM_OK;
    plan_destroy(s);
    return plan_create(s, e);
}
