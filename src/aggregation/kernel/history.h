/* The merges of a run so far, for all methods. */
#ifndef CAROM_AGGREGATION_HISTORY_H
#define CAROM_AGGREGATION_HISTORY_H

#include "base/memory.h"
#include "frame/frame.h"

typedef struct merge_history {
    frame_merge *merges; /* [particles] */
    uint64_t count;
    double dissipated; /* energy lost in merges and impacts */
} merge_history;

static inline size_t merge_history_memory(size_t particles)
{
    return particles * sizeof(frame_merge);
}

static inline carom_status merge_history_create(merge_history *h, size_t particles, error *e)
{
    h->merges = NEW_ARRAY(particles, frame_merge);
    return h->merges != NULL ? CAROM_OK : error_memory(e, "the merges", merge_history_memory(particles));
}

static inline void merge_history_fill_frame(const merge_history *h, carom_frame *f)
{
    f->tallies.dissipated = h->dissipated;
    f->tallies.merges = h->merges;
    f->tallies.merge_count = h->count;
}

#endif
