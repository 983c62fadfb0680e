/* Checkpoints: the arrays of the state (`state_parts`, and those of features), their copy at the last re-basing, and
 * saving.
 *
 * Lists, queue and predictions are not saved: they follow from the state. The time at which a list was renewed does
 * not follow from it, and renewals are counted. At a re-basing all lists are rebuilt. A checkpoint therefore contains
 * the state of the last re-basing, of which a copy is kept, and the number of events since then. Loading repeats
 * these events. */
#include "hard/kernel/save.h"
#include "hard/kernel/features/features.h"

#include "base/memory.h"

#define BYTES(g, field) (sizeof *(g)->field * (g)->count)

static int state_parts(gas *g, bool loading, snapshot_part parts[MOST_PARTS])
{
    const snapshot_part core[CORE_PARTS] = {
        {"engine/body", g->body, BYTES(g, body)},
        {"engine/id", g->id, BYTES(g, id)},
        {"engine/image", g->image, BYTES(g, image)},
        {"engine/stall_time", g->stall.time, BYTES(g, stall.time)},
        {"engine/stall_count", g->stall.count, BYTES(g, stall.count)},
        {"engine/stalls", &g->stall.any, sizeof g->stall.any},
        {"engine/crawled", &g->stall.slow_events, sizeof g->stall.slow_events},
        {"engine/now", &g->now, sizeof g->now},
        {"engine/last_event", &g->last_event, sizeof g->last_event},
        {"engine/span", &g->stall.span, sizeof g->stall.span},
        {"engine/origin", &g->origin, sizeof g->origin},
        {"engine/origin_low", &g->origin_low, sizeof g->origin_low},
        {"engine/drift", g->drift, sizeof g->drift},
        {"engine/frame_since", &g->frame_since, sizeof g->frame_since},
        {"engine/scale", &g->scale, sizeof g->scale},
        {"engine/base_exponent", &g->base_exponent, sizeof g->base_exponent},
        {"engine/since_rebase", &g->since_rebase, sizeof g->since_rebase},
        {"engine/far", &g->far, sizeof g->far},
        {"engine/events", g->events, sizeof g->events},
        {"engine/tallies", &g->tallies, sizeof g->tallies},
    };
    memcpy(parts, core, sizeof core);
    return CORE_PARTS + features_saved(g, loading, parts + CORE_PARTS);
}

static void search_parts(gas *g, snapshot_part parts[SEARCH_PARTS])
{
    parts[0] = (snapshot_part){"engine/idle", &g->ending.idle, sizeof g->ending.idle};
    parts[1] = (snapshot_part){"engine/idle_since", &g->ending.idle_since, sizeof g->ending.idle_since};
    parts[2] = (snapshot_part){"engine/idle_count", &g->ending.idle_count, sizeof g->ending.idle_count};
    parts[3] = (snapshot_part){"engine/witness", g->ending.witness, sizeof g->ending.witness};
    parts[4] = (snapshot_part){"engine/witness_stamps", &g->ending.witness_stamps, sizeof g->ending.witness_stamps};
}

/* ---- the copy of the state at the last re-basing ----------------------------------------------------------------- */

static carom_status base_create(gas *g, error *e)
{
    if (g->base == NULL) g->base = NEW_ARRAY(1, struct base);
    return g->base != NULL ? CAROM_OK : error_memory(e, "a copy of the state", sizeof *g->base);
}

static carom_status base_store(gas *g, error *e)
{
    TRY(base_create(g, e));
    struct base *b = g->base;
    size_t size = 0;
    b->count = state_parts(g, false, b->part);
    for (int k = 0; k < b->count; k++) size += b->part[k].bytes;
    if (size > b->size) {
        char *more = memory_resize(b->bytes, b->size, size, 1);
        if (more == NULL) return error_memory(e, "a copy of the state", size);
        b->bytes = more;
        b->size = size;
    }
    char *at = b->bytes;
    for (int k = 0; k < b->count; at += b->part[k++].bytes) {
        if (b->part[k].bytes > 0) memcpy(at, b->part[k].data, b->part[k].bytes);
        b->part[k].data = at;
    }
    g->since_base = 0;
    return CAROM_OK;
}

static void base_destroy(gas *g)
{
    if (g->base != NULL) memory_free(g->base->bytes);
    memory_free(g->base);
    g->base = NULL;
}

/* ---- saving ------------------------------------------------------------------------------------------------------ */

static carom_status gas_save(const void *self, snapshot *out, error *e)
{
    const gas *g = self;
    gas copy = *g;
    snapshot_part parts[SEARCH_PARTS];
    search_parts(&copy, parts);
    TRY(snapshot_put_parts(out, g->base->part, g->base->count, NULL, 0, e));
    TRY(snapshot_put_parts(out, parts, SEARCH_PARTS, &copy, sizeof copy, e));
    return snapshot_put(out, "engine/since_base", SNAPSHOT_U64, 1, &g->since_base, e);
}
