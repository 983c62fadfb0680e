/* The history of merges, and the rule that selects the absorbing cluster. */
#include "aggregation/kernel/events/feature.h"

#include "base/memory.h"
#include "engine/sound.h"

static bool merge_absorbs(const cluster_state *s, uint32_t a, uint32_t b)
{
    const cluster *c = &s->cluster[a], *d = &s->cluster[b];
    return c->size != d->size ? c->size > d->size : c->id < d->id;
}

static void merge_record(cluster_state *s, uint32_t i, uint32_t j)
{
    uint32_t a = s->id[i], b = s->id[j];
    s->history.merges[s->history.count++] = (frame_merge){s->now, a < b ? a : b, a < b ? b : a};
    s->events[EVENT_MERGE]++;
    s->clusters--;
    s->progress.last_merge = s->now;
    s->progress.overdue = stall_time_bound(s);
    s->progress.steps = 0;
    s->progress.merge_possible = false;
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static carom_status history_create(cluster_state *s, error *e)
{
    return merge_history_create(&s->history, s->count, e);
}

static void history_destroy(cluster_state *s)
{
    memory_free(s->history.merges);
}

static int history_parts(cluster_state *s, snapshot_part parts[FEATURE_PARTS])
{
    merge_history *h = &s->history;
    int n = 0;
    parts[n++] = (snapshot_part){"engine/merges", h->merges, sizeof *h->merges * s->count};
    parts[n++] = (snapshot_part){"engine/merge_count", &h->count, sizeof h->count};
    parts[n++] = (snapshot_part){"engine/last_merge", &s->progress.last_merge, sizeof s->progress.last_merge};
    parts[n++] = (snapshot_part){"engine/dissipated", &h->dissipated, sizeof h->dissipated};
    return n;
}

static carom_status history_check(const cluster_state *s, error *e)
{
    const merge_history *h = &s->history;
    const double last = s->progress.last_merge;
    if (!isfinite(last) || last > s->now || !isfinite(h->dissipated)) return sound_not("engine/last_merge", e);
    if (h->count != s->count - s->clusters) return sound_not("engine/clusters", e);
    return sound_merges(h->merges, h->count, s->count, s->now) ? CAROM_OK : sound_not("engine/merges", e);
}

static void history_fill_frame(const cluster_state *s, carom_frame *f)
{
    merge_history_fill_frame(&s->history, f);
}

static const state_feature history_feature = {.name = "history",
                                              .memory = merge_history_memory,
                                              .create = history_create,
                                              .destroy = history_destroy,
                                              .parts = history_parts,
                                              .check = history_check,
                                              .fill_frame = history_fill_frame};
