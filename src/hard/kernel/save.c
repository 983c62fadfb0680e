/* The exact state, for checkpoints. Lists, queue and predictions are not part of it: they follow from it. */
#include "hard/kernel/gas.h"

#define BYTES(g, field) (sizeof *(g)->field * (g)->count)

/* Everything that is one array a body, or one number; `put` and `get` walk the same table. */
typedef struct part {
    const char *name;
    void *data;
    size_t bytes;
} part;

enum { MOST_PARTS = 24 };

static int parts_of(gas *g, part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (part){"engine/body", g->body, BYTES(g, body)};
    parts[n++] = (part){"engine/image", g->image, BYTES(g, image)};
    parts[n++] = (part){"engine/stall_time", g->stall_time, BYTES(g, stall_time)};
    parts[n++] = (part){"engine/stall_count", g->stall_count, BYTES(g, stall_count)};
    if (g->last_contact != NULL) parts[n++] = (part){"engine/last_contact", g->last_contact, BYTES(g, last_contact)};
    if (g->asleep != NULL) {
        parts[n++] = (part){"engine/asleep", g->asleep, BYTES(g, asleep)};
        parts[n++] = (part){"engine/slow", g->slow, BYTES(g, slow)};
        parts[n++] = (part){"engine/mark", g->mark, BYTES(g, mark)};
        parts[n++] = (part){"engine/touched", g->touched, BYTES(g, touched)};
    }
    if (g->impact != NULL) parts[n++] = (part){"engine/impact", g->impact, IMPACT_BINS * sizeof *g->impact};
    parts[n++] = (part){"engine/now", &g->now, sizeof g->now};
    parts[n++] = (part){"engine/last_event", &g->last_event, sizeof g->last_event};
    parts[n++] = (part){"engine/span", &g->span, sizeof g->span};
    parts[n++] = (part){"engine/origin", &g->origin, sizeof g->origin};
    parts[n++] = (part){"engine/origin_low", &g->origin_low, sizeof g->origin_low};
    parts[n++] = (part){"engine/drift", g->drift, sizeof g->drift};
    parts[n++] = (part){"engine/scale", &g->scale, sizeof g->scale};
    parts[n++] = (part){"engine/base_exponent", &g->base_exponent, sizeof g->base_exponent};
    parts[n++] = (part){"engine/since_rebase", &g->since_rebase, sizeof g->since_rebase};
    parts[n++] = (part){"engine/events", g->events, sizeof g->events};
    parts[n++] = (part){"engine/tallies", &g->tallies, sizeof g->tallies};
    return n;
}

carom_status gas_save(const void *self, snapshot *out, error *e)
{
    gas copy = *(const gas *)self;
    part parts[MOST_PARTS];
    copy.tallies.impact = NULL;
    int n = parts_of(&copy, parts);
    for (int k = 0; k < n; k++) {
        bool inside = (char *)parts[k].data >= (char *)&copy && (char *)parts[k].data < (char *)(&copy + 1);
        TRY((inside ? snapshot_put : snapshot_lend)(out, parts[k].name, SNAPSHOT_U8, parts[k].bytes, parts[k].data, e));
    }
    return CAROM_OK;
}

carom_status gas_load(void *self, const snapshot *in, error *e)
{
    gas *g = self;
    part parts[MOST_PARTS];
    int n = parts_of(g, parts);
    for (int k = 0; k < n; k++) TRY(snapshot_get(in, parts[k].name, SNAPSHOT_U8, parts[k].bytes, parts[k].data, e));
    g->tallies.impact = g->impact;
    return gas_find_events(g, e);
}
