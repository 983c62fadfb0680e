/* Checkpoints: the arrays of the state (`state_parts`, and those of features), and saving.
 *
 * Queue and predictions are not saved: they follow from the stored states. Neighbour lists and cells follow from the
 * places of the bodies in them (broad/places.c). */
#include "hard/kernel/save.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/images.h"
#include "hard/kernel/parts.h"
#include "hard/kernel/response/tallies.h"

#include "engine/sound.h"

#define BYTES(g, field) (sizeof *(g)->field * all_bodies(g))

static int state_parts(gas *g, bool loading, snapshot_part parts[MOST_PARTS])
{
    const snapshot_part core[CORE_PARTS] = {
        {"engine/body", g->body, BYTES(g, body)},
        {"engine/id", g->id, BYTES(g, id)},
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

/* ---- records of bodies ------------------------------------------------------------------------------------------- */

/* Of a domain, as in a new copy of the whole. */
static void put_body_record(const body_record *r, const gas *part, uint32_t i, void *to)
{
    body b = part->body[i];
    b.stamp = 1;
    memcpy(to, &b, r->source.bytes);
}

static void put_id(const body_record *r, const gas *part, uint32_t i, void *to)
{
    memcpy(to, &part->id[i], r->source.bytes);
}

static void put_image(const body_record *r, const gas *part, uint32_t i, void *to)
{
    int64_t image[DIM];
    images_get(part, i, image);
    memcpy(to, image, r->source.bytes);
}

static void put_stall_time(const body_record *r, const gas *part, uint32_t i, void *to)
{
    const real time = part->stall.any ? part->stall.time[i] : 0;
    memcpy(to, &time, r->source.bytes);
}

static void put_stall_count(const body_record *r, const gas *part, uint32_t i, void *to)
{
    const uint32_t count = part->stall.any ? part->stall.count[i] : 0;
    memcpy(to, &count, r->source.bytes);
}

enum { RECORD_BODY, RECORD_ID, RECORD_IMAGE, RECORD_STALL_TIME, RECORD_STALL_COUNT, CORE_RECORDS };
static const body_record core_records[CORE_RECORDS] = {
    {{sizeof(body), read_records}, "engine/body", put_body_record, 0},
    {{sizeof(uint32_t), read_records}, "engine/id", put_id, 0},
    {{DIM * sizeof(int64_t), read_records}, "engine/image", put_image, 0},
    {{sizeof(real), read_records}, "engine/stall_time", put_stall_time, 0},
    {{sizeof(uint32_t), read_records}, "engine/stall_count", put_stall_count, 0},
};

static carom_status load_images(gas *g, const snapshot *in, error *e)
{
    const size_t bytes = core_records[RECORD_IMAGE].source.bytes;
    const char *name = core_records[RECORD_IMAGE].name;
    const snapshot_array *a = snapshot_find(in, name);
    int64_t image[DIM];
    if (a == NULL || a->type != SNAPSHOT_U8 || a->count != all_bodies(g) * bytes) return sound_not(name, e);
    for (uint32_t i = 0; i < g->count; i++) {
        snapshot_read(a, i * bytes, bytes, image);
        images_put(g, i, image);
    }
    return CAROM_OK;
}

/* ---- saving ------------------------------------------------------------------------------------------------------ */

/* The arrays that are in memory as in the file, and records of the others. */
static carom_status save_records(const gas *g, snapshot *out, error *e)
{
    const bool in_domains = parts_are_domains(g), stalls = g->stall.any;
    const void *data[CORE_RECORDS] = {g->body, g->id, NULL, stalls ? g->stall.time : NULL,
                                      stalls ? g->stall.count : NULL};
    for (int n = 0; n < CORE_RECORDS; n++) {
        const body_record *r = &core_records[n];
        TRY(in_domains || data[n] == NULL
                ? records_save(g, r, out, e)
                : snapshot_lend(out, r->name, SNAPSHOT_U8, all_bodies(g) * r->source.bytes, data[n], e));
    }
    return CAROM_OK;
}

static carom_status state_save(gas *g, snapshot *out, error *e)
{
    tallies_settle(&g->tallies);
    features_settle(g);
    gas copy = *g;
    snapshot_part parts[MOST_PARTS], searches[SEARCH_PARTS];
    search_parts(&copy, searches);
    const int count = state_parts(&copy, false, parts);
    TRY(save_records(g, out, e));
    TRY(snapshot_put_parts(out, parts + ARRAY_PARTS, count - ARRAY_PARTS, &copy, sizeof copy, e));
    return snapshot_put_parts(out, searches, SEARCH_PARTS, &copy, sizeof copy, e);
}
