/* Recording of events. */
#include "aggregation/kernel/events/record.h"

static carom_status state_record(void *self, event_log *log, error *e)
{
    (void)e;
    ((cluster_state *)self)->log = log;
    return CAROM_OK;
}

static carom_event event_of(const cluster_state *s, carom_event_kind of, uint32_t i, uint32_t j,
                            const double normal[DIM])
{
    carom_event out = {.time = s->now, .kind = of, .i = s->id[i], .j = s->id[j]};
    for (int k = 0; k < DIM; k++) out.normal[k] = normal[k];
    return out;
}

static merge_before record_before_merge(const cluster_state *s, uint32_t i, uint32_t j, const impact *m)
{
    const bool first = s->id[i] < s->id[j];
    merge_before before = {.i = first ? i : j, .j = first ? j : i};
    const uint32_t root = s->particle[before.i].root;
    for (int k = 0; k < DIM; k++) before.normal[k] = (first ? 1 : -1) * m->normal[k];
    memcpy(before.v, s->motion[root].v, sizeof before.v);
    before.mass = s->cluster[root].mass;
    return before;
}

static void record_merged(cluster_state *s, const merge_before *before, const double v[DIM])
{
    carom_event out = event_of(s, CAROM_EVENT_MERGE, before->i, before->j, before->normal);
    for (int k = 0; k < DIM; k++) out.impulse[k] = before->mass * (v[k] - before->v[k]);
    event_log_add(s->log, &out);
}

static void record_bounce(cluster_state *s, uint32_t i, uint32_t j, const impact *m, double impulse)
{
    carom_event out = event_of(s, CAROM_EVENT_COLLISION, i, j, m->normal);
    for (int k = 0; k < DIM; k++) out.impulse[k] = impulse * m->normal[k];
    event_log_add(s->log, &out);
}

static void record_wall(cluster_state *s, uint32_t id, int axis, double impulse)
{
    const bool upper = impulse < 0;
    carom_event out = {.time = s->now,
                       .kind = CAROM_EVENT_WALL,
                       .i = id,
                       .j = (uint32_t)(2 * axis + upper),
                       .j_type = CAROM_BODY_WALL};
    out.normal[axis] = upper ? -1 : 1;
    out.impulse[axis] = impulse;
    event_log_add(s->log, &out);
}
