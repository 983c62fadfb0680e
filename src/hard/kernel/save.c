/* The exact state, for checkpoints. Lists, queue and predictions are not part of it: they follow from it. */
#include "hard/kernel/bath.h"
#include "hard/kernel/ellipsoids.h"
#include "hard/kernel/motion.h"
#include "hard/kernel/squeeze.h"
#include "hard/kernel/steps.h"
#include "hard/kernel/transport.h"

#define BYTES(g, field) (sizeof *(g)->field * (g)->count)

enum { MOST_PARTS = 38 };

static int parts_of(gas *g, snapshot_part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (snapshot_part){"engine/body", g->body, BYTES(g, body)};
    parts[n++] = (snapshot_part){"engine/id", g->id, BYTES(g, id)};
    parts[n++] = (snapshot_part){"engine/image", g->image, BYTES(g, image)};
    parts[n++] = (snapshot_part){"engine/stall_time", g->stall_time, BYTES(g, stall_time)};
    parts[n++] = (snapshot_part){"engine/stall_count", g->stall_count, BYTES(g, stall_count)};
    if (g->spin != NULL) parts[n++] = (snapshot_part){"engine/spin", g->spin, BYTES(g, spin)};
    if (g->ellipsoids != NULL)
        parts[n++] = (snapshot_part){"engine/axis", g->ellipsoids->axis, sizeof *g->ellipsoids->axis * g->count};
    if (g->last_contact != NULL)
        parts[n++] = (snapshot_part){"engine/last_contact", g->last_contact, BYTES(g, last_contact)};
    if (g->emissions != NULL) parts[n++] = (snapshot_part){"engine/emissions", g->emissions, BYTES(g, emissions)};
    if (g->bath != NULL) {
        parts[n++] = (snapshot_part){"engine/next_kick", g->bath->next, BYTES(g, bath->next)};
        parts[n++] = (snapshot_part){"engine/kicks", g->bath->kicks, BYTES(g, bath->kicks)};
    }
    if (g->sheared) {
        parts[n++] = (snapshot_part){"engine/offset", &g->offset, sizeof g->offset};
        parts[n++] = (snapshot_part){"engine/slide", &g->slide, sizeof g->slide};
    }
    if (g->transport != NULL) parts[n++] = (snapshot_part){"engine/transport", g->transport, sizeof *g->transport};
    if (g->asleep != NULL) {
        parts[n++] = (snapshot_part){"engine/asleep", g->asleep, BYTES(g, asleep)};
        parts[n++] = (snapshot_part){"engine/slow", g->slow, BYTES(g, slow)};
        parts[n++] = (snapshot_part){"engine/check", g->check, BYTES(g, check)};
        parts[n++] = (snapshot_part){"engine/mark", g->mark, BYTES(g, mark)};
        parts[n++] = (snapshot_part){"engine/touched", g->touched, BYTES(g, touched)};
    }
    if (g->impact != NULL) parts[n++] = (snapshot_part){"engine/impact", g->impact, IMPACT_BINS * sizeof *g->impact};
    if (is_squeezed(g)) {
        parts[n++] = (snapshot_part){"engine/size", g->size, sizeof g->size};
        parts[n++] = (snapshot_part){"engine/squeeze", &g->squeeze, sizeof g->squeeze};
    }
    parts[n++] = (snapshot_part){"engine/stalls", &g->stalls, sizeof g->stalls};
    parts[n++] = (snapshot_part){"engine/now", &g->now, sizeof g->now};
    parts[n++] = (snapshot_part){"engine/last_event", &g->last_event, sizeof g->last_event};
    parts[n++] = (snapshot_part){"engine/span", &g->span, sizeof g->span};
    parts[n++] = (snapshot_part){"engine/origin", &g->origin, sizeof g->origin};
    parts[n++] = (snapshot_part){"engine/origin_low", &g->origin_low, sizeof g->origin_low};
    parts[n++] = (snapshot_part){"engine/drift", g->drift, sizeof g->drift};
    parts[n++] = (snapshot_part){"engine/scale", &g->scale, sizeof g->scale};
    parts[n++] = (snapshot_part){"engine/base_exponent", &g->base_exponent, sizeof g->base_exponent};
    parts[n++] = (snapshot_part){"engine/since_rebase", &g->since_rebase, sizeof g->since_rebase};
    parts[n++] = (snapshot_part){"engine/far", &g->far, sizeof g->far};
    parts[n++] = (snapshot_part){"engine/events", g->events, sizeof g->events};
    parts[n++] = (snapshot_part){"engine/tallies", &g->tallies, sizeof g->tallies};
    return n;
}

carom_status gas_save(const void *self, snapshot *out, error *e)
{
    gas copy = *(const gas *)self;
    snapshot_part parts[MOST_PARTS];
    copy.tallies.impact = NULL;
    int n = parts_of(&copy, parts);
    TRY(snapshot_put_parts(out, parts, n, &copy, sizeof copy, e));
    return copy.steps != NULL ? steps_save(&copy, out, e) : CAROM_OK;
}

carom_status gas_load(void *self, const snapshot *in, error *e)
{
    gas *g = self;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(g, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    if (g->steps != NULL) TRY(steps_load(g, in, e));
    g->tallies.impact = g->impact;
    motions_rebase(g);
    if (is_squeezed(g)) squeeze_fit(g);
    return gas_find_events(g, e);
}
