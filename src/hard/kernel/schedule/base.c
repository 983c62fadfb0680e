/* The copy of the state as it was at the last re-basing. */
#include "hard/kernel/schedule/base.h"
#include "hard/kernel/features/feature.h"

#include "base/memory.h"

#define BYTES(g, field) (sizeof *(g)->field * (g)->count)

static int parts_of(gas *g, bool loading, snapshot_part parts[MOST_PARTS])
{
    const snapshot_part core[CORE_PARTS] = {
        {"engine/body", g->body, BYTES(g, body)},
        {"engine/id", g->id, BYTES(g, id)},
        {"engine/image", g->image, BYTES(g, image)},
        {"engine/stall_time", g->stall.time, BYTES(g, stall.time)},
        {"engine/stall_count", g->stall.count, BYTES(g, stall.count)},
        {"engine/stalls", &g->stall.any, sizeof g->stall.any},
        {"engine/crawled", &g->stall.crawled, sizeof g->stall.crawled},
        {"engine/now", &g->now, sizeof g->now},
        {"engine/last_event", &g->last_event, sizeof g->last_event},
        {"engine/span", &g->stall.span, sizeof g->stall.span},
        {"engine/origin", &g->origin, sizeof g->origin},
        {"engine/origin_low", &g->origin_low, sizeof g->origin_low},
        {"engine/drift", g->drift, sizeof g->drift},
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

static carom_status base_create(gas *g, error *e)
{
    if (g->base == NULL) g->base = NEW_ARRAY(1, struct base);
    return g->base != NULL ? CAROM_OK : error_memory(e, "a copy of the state", sizeof *g->base);
}

static carom_status gas_keep(gas *g, error *e)
{
    gas copy = *g;
    copy.tallies.impact = NULL;
    copy.tallies.impact_density = NULL;
    TRY(base_create(g, e));
    struct base *b = g->base;
    size_t size = 0;
    b->count = parts_of(&copy, false, b->part);
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
