/* The exact state, for checkpoints. Grid, queue and plans are not part of it: they follow from it. */
#include "aggregation/kernel/events/members.h"
#include "aggregation/kernel/rotating/body.h"

#define BYTES(s, field) (sizeof *(s)->field * (s)->count)

enum { MOST_PARTS = 15 };

static int parts_of(swarm *s, snapshot_part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (snapshot_part){"engine/particle", s->particle, BYTES(s, particle)};
    parts[n++] = (snapshot_part){"engine/id", s->id, BYTES(s, id)};
    parts[n++] = (snapshot_part){"engine/motion", s->motion, BYTES(s, motion)};
    parts[n++] = (snapshot_part){"engine/cluster", s->cluster, BYTES(s, cluster)};
#if CAROM_ROTATING
    parts[n++] = (snapshot_part){"engine/body", s->body, BYTES(s, body)};
#endif
    parts[n++] = (snapshot_part){"engine/merges", s->merges, BYTES(s, merges)};
    parts[n++] = (snapshot_part){"engine/now", &s->now, sizeof s->now};
    parts[n++] = (snapshot_part){"engine/last_event", &s->last_event, sizeof s->last_event};
    parts[n++] = (snapshot_part){"engine/last_merge", &s->last_merge, sizeof s->last_merge};
    parts[n++] = (snapshot_part){"engine/pace", &s->pace, sizeof s->pace};
    parts[n++] = (snapshot_part){"engine/stall", &s->stall, sizeof s->stall};
    parts[n++] = (snapshot_part){"engine/clusters", &s->clusters, sizeof s->clusters};
    parts[n++] = (snapshot_part){"engine/events", s->events, sizeof s->events};
    parts[n++] = (snapshot_part){"engine/dissipated", &s->dissipated, sizeof s->dissipated};
    parts[n++] = (snapshot_part){"engine/merge_count", &s->merge_count, sizeof s->merge_count};
    return n;
}

carom_status swarm_save(const void *self, snapshot *out, error *e)
{
    swarm copy = *(const swarm *)self;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(&copy, parts);
    return snapshot_put_parts(out, parts, n, &copy, sizeof copy, e);
}

carom_status swarm_load(void *self, const snapshot *in, error *e)
{
    swarm *s = self;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(s, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    members_rebuild(s);
#if CAROM_ROTATING
    for (uint32_t i = 0; i < s->count; i++) attitude_reset(s, i);
#endif
    if (s->settings->reference) return CAROM_OK;
    plan_destroy(s);
    return plan_create(s, e);
}
