/* The exact state, for checkpoints. Clocks, lists, leashes and sleeping layers are not part of it: they follow
 * from it. */
#include "variational/kernel/bodies.h"
#include "variational/kernel/contacts.h"
#include "variational/kernel/drives.h"
#include "variational/kernel/leash.h"
#include "variational/kernel/run.h"
#include "variational/kernel/shells.h"
#include "variational/kernel/watch.h"

#include "base/memory.h"

enum { MOST_PARTS = 16 };

static int parts_of(world *w, snapshot_part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (snapshot_part){"engine/node", w->node, w->count * sizeof *w->node};
    if (w->bodies != NULL) {
        snapshot_part *bodies = &parts[n++];
        bodies->name = "engine/bodies";
        bodies_state(w, &bodies->data, &bodies->bytes);
    }
    snapshot_part *hinges = &parts[n];
    hinges->name = "engine/hinges";
    if (shells_state(w, &hinges->data, &hinges->bytes)) n++;
    snapshot_part *kicks = &parts[n];
    kicks->name = "engine/kicks";
    if (shells_kicks(w, &kicks->data, &kicks->bytes)) n++;
    snapshot_part *middles = &parts[n];
    middles->name = "engine/middles";
    if (shells_middles(w, &middles->data, &middles->bytes)) n++;
    parts[n++] = (snapshot_part){"engine/surface", w->surface, w->surface_count * sizeof *w->surface};
    parts[n++] = (snapshot_part){"engine/now", &w->now, sizeof w->now};
    parts[n++] = (snapshot_part){"engine/last_event", &w->last_event, sizeof w->last_event};
    parts[n++] = (snapshot_part){"engine/events", w->events, sizeof w->events};
    parts[n++] = (snapshot_part){"engine/layers", w->layers, sizeof w->layers};
    parts[n++] = (snapshot_part){"engine/closest", &w->closest, sizeof w->closest};
    parts[n++] = (snapshot_part){"engine/ledger", &w->ledger, sizeof w->ledger};
    parts[n++] = (snapshot_part){"engine/sums", &w->sum, sizeof w->sum};
    return n;
}

/* Contacts with an impact going on. */
static carom_status save_impacts(const world *w, snapshot *out, error *e)
{
    size_t count = 0;
    contact *impact = NEW_ARRAY(w->contact_capacity, contact);
    if (impact == NULL) return error_memory(e, "a checkpoint", w->contact_capacity * sizeof *impact);
    if (w->contact_capacity > 0) memcpy(impact, w->contact, w->contact_capacity * sizeof *impact);
    contacts_note_closest(w, impact);
    for (uint32_t k = 0; k < w->contact_capacity; k++)
        if (impact[k].n > 0 && impact[k].deepest > 0) impact[count++] = impact[k];
    carom_status status = snapshot_put(out, "engine/impact", SNAPSHOT_U8, count * sizeof *impact, impact, e);
    memory_free(impact);
    return status;
}

carom_status world_save(const void *self, snapshot *out, error *e)
{
    world copy = *(const world *)self;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(&copy, parts);
    TRY(snapshot_put_parts(out, parts, n, &copy, sizeof copy, e));
    return save_impacts(&copy, out, e);
}

static carom_status load_impacts(world *w, const snapshot *in, error *e)
{
    const snapshot_array *stored = snapshot_find(in, "engine/impact");
    if (stored == NULL || stored->count % sizeof(contact) != 0)
        return error_set(e, CAROM_BAD_DATA, "error: the checkpoint has no impacts of the engine `variational`");
    const contact *impact = stored->data;
    for (size_t k = 0; k < stored->count / sizeof *impact; k++) watch_adopt(w, &impact[k]);
    return w->out_of_memory ? error_memory(e, "contacts", stored->count) : CAROM_OK;
}

carom_status world_load(void *self, const snapshot *in, error *e)
{
    world *w = self;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(w, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    drives_catch_up(w);
    watch_end(w);
    TRY(watch_begin(w, e));
    TRY(load_impacts(w, in, e));
    return w->settings->reference ? CAROM_OK : leash_all(w, w->now, e);
}
