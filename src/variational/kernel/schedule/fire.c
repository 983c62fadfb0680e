/* Firing of clocks: forces of layers and of features, then kicks. */
#include "variational/kernel/schedule/fire.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/features/feature.h"
#include "variational/kernel/features/springs.h"

#include "variational/kernel/response/contact_arrange.h"
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/response/press.h"
#include "variational/kernel/schedule/certificates.h"
#include "variational/kernel/schedule/flight_bound.h"

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static uint32_t blocks_of(const batch *b)
{
    return (b->count + BLOCK_TOUCHES - 1) / BLOCK_TOUCHES;
}

static void add_blocks(world *w, batch *b, batch_kind kind, uint32_t *slot)
{
    for (uint32_t first = 0; first < b->count; first += BLOCK_TOUCHES) {
        block *k = &w->batch.block[w->batch.block_count];
        uint32_t count = b->count - first < BLOCK_TOUCHES ? b->count - first : BLOCK_TOUCHES;
        k->touches = b;
        k->kind = kind;
        k->first = first;
        k->count = count;
        k->slot = *slot;
        w->batch.block_count++;
        *slot += count;
    }
}

/* Effects beyond single contacts, in the order of the touches. */
static void handle_notes(world *w, clock *c, const block *k, double t)
{
    for (uint32_t n = 0; n < k->notes; n++) {
        const note *q = &w->batch.note[k->slot + n];
        touch *p = &k->touches->at[q->at];
        press_noted(w, p, q->pressed);
        if ((q->pressed & PRESSED_FAR) && w->contacts.contact[p->contact].n == c->layer)
            contact_sleep(w, c, k->touches, q->at, t);
    }
}

/* A parallel region has a cost even with one thread. */
static void press_blocks(world *w, const clock *c, bool many, double t)
{
    if (!many || w->team.now == 1) {
        for (uint32_t b = 0; b < w->batch.block_count; b++) press_block(w, c, &w->batch.block[b], t);
        return;
    }
#pragma omp parallel for schedule(dynamic, 2) num_threads(w->team.now)
    for (uint32_t b = 0; b < w->batch.block_count; b++) press_block(w, c, &w->batch.block[b], t);
}

static void fire_layer(world *w, clock *c, double t)
{
    contacts_arrange(w);
    batch_tidy(w, &c->pairs);
    batch_tidy(w, &c->surfaces);
    batch_tidy(w, &c->linked);
    uint32_t touches = c->pairs.count + c->surfaces.count + c->linked.count, slot = 0;
    w->progress.work += touches + 3 * c->linked.count;
    uint32_t blocks = blocks_of(&c->pairs) + blocks_of(&c->surfaces) + blocks_of(&c->linked);
    w->batch.block_count = 0;
    if ((touches > w->batch.slot_capacity || blocks > w->batch.block_capacity) && !reserve_blocks(w, touches, blocks))
        return;
    add_blocks(w, &c->pairs, BATCH_PAIRS, &slot);
    add_blocks(w, &c->surfaces, BATCH_SURFACES, &slot);
    add_blocks(w, &c->linked, BATCH_LINKED, &slot);
    if (c->linked.count > 0) bodies_prepare(w, t);
    press_blocks(w, c, touches + 3 * c->linked.count > FEW_TOUCHES, t);
    for (uint32_t b = 0; b < blocks; b++) {
        w->totals.events[EVENT_FORCE] += w->batch.block[b].kicks;
        handle_notes(w, c, &w->batch.block[b], t);
    }
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void fire_material(world *w, uint32_t index, double t)
{
    const clock *c = &w->schedule.clock[index];
    w->batch.block_count = 0;
    FEATURE_OF_CLOCK[c->kind]->fire(w, c, t);
    w->progress.work += c->kind == CLOCK_BODIES ? w->count : w->batch.kick_count;
}

static void book_material(world *w, const clock *c, double t)
{
    if (FEATURE_OF_CLOCK[c->kind] != NULL && FEATURE_OF_CLOCK[c->kind]->book != NULL)
        FEATURE_OF_CLOCK[c->kind]->book(w, t);
}

static carom_status fire(world *w, uint32_t index, double t, error *e)
{
    if (w->schedule.clock[index].kind == CLOCK_LAYER)
        fire_layer(w, &w->schedule.clock[index], t);
    else
        fire_material(w, index, t);
    give_kicks(w, t);
    book_material(w, &w->schedule.clock[index], t);
    if (!w->contacts.elastic) book_responses(w, t);
    clock_fired(w, index);
    if (w->elastic_links.stretched[0] != NONE) return springs_stretched(w, t, e);
    return w->flights.pending.count > 0 ? flights_update(w, t, e) : CAROM_OK;
}
