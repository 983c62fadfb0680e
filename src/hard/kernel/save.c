/* Checkpoints: the arrays of the state (`state_parts`, and those of features), and saving.
 *
 * Queue and predictions are not saved: they follow from the stored states. Neighbour lists and cells follow from the
 * places of the bodies in them (broad/places.c). */
#include "hard/kernel/save.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/response/tallies.h"

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

static carom_status state_save(gas *g, snapshot *out, error *e)
{
    tallies_settle(&g->tallies);
    features_settle(g);
    gas copy = *g;
    snapshot_part parts[MOST_PARTS], searches[SEARCH_PARTS];
    search_parts(&copy, searches);
    TRY(snapshot_put_parts(out, parts, state_parts(&copy, false, parts), &copy, sizeof copy, e));
    return snapshot_put_parts(out, searches, SEARCH_PARTS, &copy, sizeof copy, e);
}
