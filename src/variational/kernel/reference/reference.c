/* The reference path. A change of velocity renews the certificates of all pairs of the node. */
#include "variational/kernel/reference/reference.h"

#include "variational/kernel/features/hertz.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/narrow/separation.h"
#include "variational/kernel/response/contact_order.h"
#include "variational/kernel/response/contacts.h"
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/response/loads.h"
#include "variational/kernel/response/press.h"
#include "variational/kernel/schedule/certificates.h"
#include "variational/kernel/schedule/fire.h"
#include "variational/kernel/schedule/monitoring.h"

#include "base/memory.h"
#include "engine/sound.h"

#include <stdlib.h>

/* A force of one layer of one pair, or, with rank 0, the end of a pair's certificate. */
typedef struct reference_event {
    double time;
    uint64_t rank;
    uint32_t i, partner, layer; /* layer 0: check only */
    uint32_t stamp;             /* stamp of the pair at the creation of the certificate */
} reference_event;

typedef struct reference_pair {
    uint32_t contact, stamp;
} reference_pair;

typedef struct reference {
    reference_event *heap;
    size_t count, capacity;
    reference_pair *pair; /* [elements][elements + surfaces]: i < j, then surfaces */
    reference_event *now; /* forces of the present time */
    size_t now_count, now_capacity;
    bool *kicked; /* [count] */
} reference;

static reference *of(const world *w)
{
    return w->observed;
}

static reference_pair *pair_of(const world *w, uint32_t i, uint32_t partner)
{
    size_t row = w->elements + w->domain.surface_count;
    return &of(w)->pair[i * row + (partner < NODES ? partner : w->elements + (partner - NODES))];
}

/* ---- the heap ---------------------------------------------------------------------------------------------------- */

static bool event_before(const reference_event *a, const reference_event *b)
{
    if (a->time != b->time) return a->time < b->time;
    if (a->rank != b->rank) return a->rank < b->rank;
    return a->i != b->i ? a->i < b->i : a->partner < b->partner;
}

static bool reserve_events(world *w, reference_event **at, size_t count, size_t *capacity)
{
    if (count < *capacity) return true;
    size_t more = *capacity > 0 ? 2 * *capacity : 256;
    reference_event *grown = memory_resize(*at, *capacity, more, sizeof *grown);
    if (grown == NULL) return !(w->progress.out_of_memory = true);
    *at = grown;
    *capacity = more;
    return true;
}

static void heap_add(world *w, reference_event new)
{
    reference *q = of(w);
    if (isinf(new.time) || !reserve_events(w, &q->heap, q->count, &q->capacity)) return;
    size_t place = q->count++;
    for (; place > 0 && event_before(&new, &q->heap[(place - 1) / 2]); place = (place - 1) / 2)
        q->heap[place] = q->heap[(place - 1) / 2];
    q->heap[place] = new;
}

static reference_event heap_take(reference *q)
{
    reference_event top = q->heap[0], last = q->heap[--q->count];
    size_t place = 0;
    for (size_t below; (below = 2 * place + 1) < q->count; place = below) {
        if (below + 1 < q->count && event_before(&q->heap[below + 1], &q->heap[below])) below++;
        if (!event_before(&q->heap[below], &last)) break;
        q->heap[place] = q->heap[below];
    }
    q->heap[place] = last;
    return top;
}

/* ---- certificates ------------------------------------------------------------------------------------------------ */

static motion flight(const world *w, uint32_t i, double t)
{
    const node *a = &w->node[i];
    return (motion){.x = node_position(w, a, t), .v = node_flight_velocity(w, a, t), .falls = node_is_free(a)};
}

/* The time for which no image of two nodes except the nearest can come within `far`. The others are at least half a
 * box away. */
static double image_wait(const world *w, const separation *s, double far)
{
    double room = INFINITY, speed = sqrt(s->nodes.w2);
    for (int k = 0; k < DIM; k++)
        if (w->domain.box[k] > 0) room = fmin(room, 0.5 * w->domain.box[k] - far);
    double sum = speed + sqrt(speed * speed + 2 * s->acceleration * room);
    return sum > 0 && room < INFINITY ? 2 * room / sum : INFINITY;
}

static separation flight_separation(const world *w, uint32_t i, uint32_t partner, double t)
{
    double slack;
    if (is_linked(w, i, partner)) return separation_of_elements(w, i, partner, t, false, &slack);
    motion a = flight(w, i, t), b;
    if (partner >= NODES) return separation_of_surface(w, &a, &w->domain.surface[partner - NODES], t);
    b = flight(w, partner, t);
    return separation_of_nodes(w, &a, &b);
}

/* A new certificate for the next layer of a pair. At the end of one that is a bound there is a new check. If the
 * bound is too short, the layer becomes active. */
static void reference_certify_pair(world *w, uint32_t i, uint32_t partner, double t)
{
    reference_pair *p = pair_of(w, i, partner);
    separation s = flight_separation(w, i, partner, t);
    uint32_t awake = p->contact != NONE ? w->contacts.contact[p->contact].n : 0;
    double far = contact_reach(w, i, partner) + thickness(w, awake + 1) + w->flights.margin,
           wait = separation_wait(&s, far);
    double other = s.kind == SEPARATION_OF_NODES ? image_wait(w, &s, far) : INFINITY;
    bool again = s.kind == SEPARATION_BOUND && wait > shortest_wait(w, awake + 1);
    w->totals.events[EVENT_CERTIFICATE]++;
    p->stamp++;
    heap_add(
        w, (reference_event){t + fmin(wait, other), 0, i, partner, wait <= other && !again ? awake + 1 : 0, p->stamp});
}

static void reference_certify_element(world *w, uint32_t i, double t)
{
    w->progress.work += w->elements;
    for (uint32_t j = 0; j < w->elements; j++)
        if (j != i && !never_touch(w, i, j)) reference_certify_pair(w, i < j ? i : j, i < j ? j : i, t);
    for (uint32_t s = 0; s < w->domain.surface_count && !never_touch(w, i, NODES + s); s++)
        reference_certify_pair(w, i, NODES + s, t);
}

static void reference_certify_node(world *w, uint32_t i, double t)
{
    reference_certify_element(w, i, t);
    for (uint32_t k = 0; k < parts_at(w, i); k++)
        reference_certify_element(w, w->topology.part[w->topology.first_part[i] + k], t);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static double tick_after(const clock *c, double t)
{
    double tick = floor(t / c->step);
    while (tick * c->step <= t) tick++;
    while (tick > 0 && (tick - 1) * c->step > t) tick--;
    return tick * c->step;
}

/* The end of a certificate: activates the next layer. */
static void wake_event(world *w, const reference_event *v)
{
    reference_pair *p = pair_of(w, v->i, v->partner);
    if (v->stamp != p->stamp) return;
    w->now = v->time;
    if (v->layer == 0) {
        reference_certify_pair(w, v->i, v->partner, v->time);
        return;
    }
    if (p->contact == NONE) p->contact = contact_begin(w, v->i, v->partner);
    if (p->contact == NONE) return;
    contact *c = &w->contacts.contact[p->contact];
    uint32_t at = clock_of_layer(w, c->class, c->n + 1);
    if (at == NONE) return;
    double next = tick_after(&w->schedule.clock[at], v->time);
    if (c->n >= MOST_LAYERS || !(next > v->time) || !(v->time / w->schedule.clock[at].step < 0x1p52)) {
        w->progress.squeezed = p->contact;
        return;
    }
    c->n++;
    heap_add(w, (reference_event){next, w->schedule.clock[at].rank, v->i, v->partner, c->n, 0});
    reference_certify_pair(w, v->i, v->partner, v->time);
}

/* Adds the results of a force to the block of the present time. */
static unsigned press_event(world *w, const reference_event *v, block *k)
{
    uint32_t index = pair_of(w, v->i, v->partner)->contact;
    contact *c = &w->contacts.contact[index];
    clock *on = &w->schedule.clock[clock_of_layer(w, c->class, v->layer)];
    touch p = contact_touch(w, index, v->layer);
    kick *out = &w->batch.pressed[k->kicks];
    unsigned did = press(w, on, k->kind, &p, v->time, out, &w->batch.response[k->responses]);
    if (did & PRESSED_ACTS) {
        c->closest = lesser(c->closest, p.least);
        k->kicks++;
    }
    k->responses += (did & PRESSED_RESPONDS) > 0;
    press_noted(w, &p, did);
    return did;
}

/* Makes the layer inactive if it does not act and is the deepest of the pair. Otherwise schedules its next tick. */
static void go_on(world *w, const reference_event *v, unsigned did)
{
    reference_pair *p = pair_of(w, v->i, v->partner);
    contact *c = &w->contacts.contact[p->contact];
    reference_event next = *v;
    if ((did & PRESSED_FAR) && c->n == v->layer) {
        if (--c->n == 0) {
            contact_end(w, p->contact);
            p->contact = NONE;
        }
        reference_certify_pair(w, v->i, v->partner, v->time);
        return;
    }
    next.time = tick_after(&w->schedule.clock[clock_of_layer(w, c->class, v->layer)], v->time);
    heap_add(w, next);
}

static void reference_kicked(world *w, uint32_t i)
{
    of(w)->kicked[i] = true;
}

/* Applies the kicks of the present time, of clock c, and renews the certificates of the nodes with kicks. */
static void give_and_certify(world *w, const clock *c, double t)
{
    give_kicks(w, t);
    book_material(w, c, t);
    book_responses(w, t);
    for (uint32_t i = 0; i < w->count; i++) {
        if (of(w)->kicked[i]) reference_certify_node(w, i, t);
        of(w)->kicked[i] = false;
    }
}

static batch_kind kind_of_event(const world *w, const reference_event *v)
{
    if (is_linked(w, v->i, v->partner)) return BATCH_LINKED;
    return v->partner < NODES ? BATCH_PAIRS : BATCH_SURFACES;
}

/* All forces of one clock at one time act on the same state. */
static void press_all(world *w, const reference_event *first)
{
    reference *q = of(w);
    q->now_count = 0;
    w->now = w->last_event = first->time;
    while (q->count > 0 && q->heap[0].time == first->time && q->heap[0].rank == first->rank) {
        if (!reserve_events(w, &q->now, q->now_count, &q->now_capacity)) return;
        q->now[q->now_count++] = heap_take(q);
    }
    if (!reserve_blocks(w, (uint32_t)q->now_count, 1)) return;
    w->batch.block_count = 1;
    w->batch.block[0] = (block){0};
    for (batch_kind kind = BATCH_PAIRS; kind <= BATCH_LINKED; kind++)
        for (size_t k = 0; k < q->now_count; k++)
            if (kind_of_event(w, &q->now[k]) == kind) {
                w->batch.block[0].kind = kind;
                q->now[k].stamp = press_event(w, &q->now[k], &w->batch.block[0]);
            }
    w->totals.events[EVENT_FORCE] += w->batch.block[0].kicks;
    const contact *c = &w->contacts.contact[pair_of(w, first->i, first->partner)->contact];
    give_and_certify(w, &w->schedule.clock[clock_of_layer(w, c->class, first->layer)], first->time);
    for (size_t k = 0; k < q->now_count; k++) go_on(w, &q->now[k], (unsigned)q->now[k].stamp);
}

static double reference_next(const world *w)
{
    const reference *q = of(w);
    return q->count > 0 ? q->heap[0].time : INFINITY;
}

static carom_status reference_step(world *w, double until, bool *done, error *e)
{
    reference *q = of(w);
    uint32_t at = clocks_next(w);
    double springs = at != NONE ? clock_time(&w->schedule.clock[at]) : INFINITY;
    double top = reference_next(w);
    *done = lesser(top, springs) > until;
    if (*done) return CAROM_OK;
    if (springs < top || (springs == top && q->heap[0].rank != 0)) {
        w->now = w->last_event = springs;
        fire_material(w, at, springs);
        give_and_certify(w, &w->schedule.clock[at], springs);
        clock_fired(w, at);
        if (w->elastic_links.stretched[0] != NONE) return springs_stretched(w, springs, e);
    } else if (q->heap[0].rank == 0) {
        reference_event v = heap_take(q);
        wake_event(w, &v);
    } else {
        reference_event v = q->heap[0];
        press_all(w, &v);
    }
    return w->progress.out_of_memory ? error_memory(e, "events", q->capacity * sizeof *q->heap) : CAROM_OK;
}

static void reference_moved(world *w, uint32_t i)
{
    reference_certify_node(w, i, w->now);
}

static void reference_drop(world *w, uint32_t i, uint32_t partner)
{
    reference_pair *p = pair_of(w, i, partner);
    contact_end(w, p->contact);
    p->contact = NONE;
}

static void reference_part(world *w)
{
    reference *q = of(w);
    const size_t count = q->count;
    q->count = 0;
    for (size_t k = 0; k < count; k++) {
        const reference_event one = q->heap[k]; /* the new heap is not longer than the part already read */
        if (!never_touch(w, one.i, one.partner)) heap_add(w, one);
    }
}

static carom_status reference_create(world *w, error *e)
{
    reference *q = w->observed = NEW_ARRAY(1, reference);
    size_t pairs = (size_t)w->elements * (w->elements + w->domain.surface_count);
    if (q == NULL) return error_memory(e, "the reference", sizeof *q);
    q->pair = NEW_ARRAY(pairs, reference_pair);
    q->kicked = NEW_ARRAY(w->count, bool);
    if (q->pair == NULL || q->kicked == NULL) return error_memory(e, "all pairs", pairs * sizeof *q->pair);
    for (size_t k = 0; k < pairs; k++) q->pair[k].contact = NONE;
    for (uint32_t i = 0; i < w->elements; i++) reference_certify_element(w, i, w->now);
    while (w->start.given && q->count > 0 && q->heap[0].time <= w->now &&
           q->heap[0].rank == 0) { /* contacts of the start */
        const reference_event v = heap_take(q);
        wake_event(w, &v);
    }
    return CAROM_OK;
}

static void reference_destroy(world *w)
{
    reference *q = of(w);
    if (q == NULL) return;
    memory_free(q->heap);
    memory_free(q->pair);
    memory_free(q->now);
    memory_free(q->kicked);
    memory_free(q);
    w->observed = NULL;
}

/* ---- checkpoints: active layers and certificates ----------------------------------------------------------------- */

static carom_status reference_save(const world *w, snapshot *out, error *e)
{
    const reference *q = of(w);
    const size_t pairs = (size_t)w->elements * (w->elements + w->domain.surface_count);
    const uint32_t count = contacts_rank(w);
    contact *contacts = NEW_ARRAY(count, contact);
    uint32_t *stamps = NEW_ARRAY(pairs, uint32_t);
    carom_status status = CAROM_OK;
    if (contacts == NULL || stamps == NULL) status = error_memory(e, "a checkpoint", pairs * sizeof *stamps);
    for (uint32_t k = 0; status == CAROM_OK && k < count; k++)
        contacts[k] = w->contacts.contact[w->contacts.ranked[k].contact];
    for (size_t k = 0; status == CAROM_OK && k < pairs; k++) stamps[k] = q->pair[k].stamp;
    if (status == CAROM_OK)
        status = snapshot_put(out, "reference/contacts", SNAPSHOT_U8, count * sizeof *contacts, contacts, e);
    if (status == CAROM_OK)
        status = snapshot_put(out, "reference/stamps", SNAPSHOT_U8, pairs * sizeof *stamps, stamps, e);
    if (status == CAROM_OK)
        status = snapshot_put(out, "reference/events", SNAPSHOT_U8, q->count * sizeof *q->heap, q->heap, e);
    if (status == CAROM_OK) status = loads_save(w, count, out, e);
    if (status == CAROM_OK) status = spins_save_contacts(w, count, out, e);
    if (status == CAROM_OK) status = hertz_save_contacts(w, count, out, e);
    memory_free(contacts);
    memory_free(stamps);
    return status;
}

static bool pair_exists(const world *w, uint32_t i, uint32_t partner)
{
    if (i >= w->elements) return false;
    if (partner < NODES ? partner >= w->elements || partner <= i : partner - NODES >= w->domain.surface_count)
        return false;
    return !never_touch(w, i, partner);
}

static int by_layer(const void *one, const void *two)
{
    const reference_event *a = one, *b = two;
    if (a->i != b->i) return a->i < b->i ? -1 : 1;
    if (a->partner != b->partner) return a->partner < b->partner ? -1 : 1;
    return a->layer == b->layer ? 0 : a->layer < b->layer ? -1 : 1;
}

/* Each active layer has one event, at a tick of its clock. */
static bool layers_fit(world *w, const reference_event *forces, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const reference_event *v = &forces[k];
        const uint32_t index = pair_of(w, v->i, v->partner)->contact;
        if (index == NONE || v->layer == 0 || v->layer > w->contacts.contact[index].n) return false;
        if (k > 0 && by_layer(v, v - 1) == 0) return false;
        const uint32_t at = clock_of_layer(w, w->contacts.contact[index].class, v->layer);
        if (at == NONE || w->schedule.clock[at].rank != v->rank) return false;
        if (!(v->time == rint(v->time / w->schedule.clock[at].step) * w->schedule.clock[at].step)) return false;
    }
    return true;
}

static carom_status load_events(world *w, const reference_event *events, size_t count, size_t awake, error *e)
{
    reference_event *forces = NEW_ARRAY(count, reference_event);
    size_t some = 0;
    if (forces == NULL) return error_memory(e, "a checkpoint", count * sizeof *forces);
    bool good = true;
    for (size_t k = 0; k < count && good; k++) {
        good = pair_exists(w, events[k].i, events[k].partner) && events[k].time > w->now && isfinite(events[k].time);
        if (good && events[k].rank != 0) forces[some++] = events[k];
        if (good) heap_add(w, events[k]);
    }
    if (some > 0) qsort(forces, some, sizeof *forces, by_layer);
    good = good && some == awake && layers_fit(w, forces, some);
    memory_free(forces);
    return good ? CAROM_OK : sound_not("reference/events", e);
}

/* Data that follow from the scene are not read from the checkpoint. */
static bool reference_load_contact(world *w, const contact *from)
{
    if (!pair_exists(w, from->i, from->j) || !contact_is_sound(from)) return false;
    reference_pair *p = pair_of(w, from->i, from->j);
    if (p->contact != NONE) return false;
    p->contact = contact_begin(w, from->i, from->j);
    if (p->contact == NONE) return false;
    contact *c = &w->contacts.contact[p->contact];
    const contact begun = *c;
    *c = *from;
    c->linked = begun.linked;
    c->law = begun.law;
    c->class = begun.class;
    c->reach = begun.reach;
    c->mass = begun.mass;
    return true;
}

static carom_status load_beside(world *w, const snapshot *in, const contact *contacts, size_t count, error *e)
{
    uint32_t *loaded = NEW_ARRAY(count, uint32_t);
    if (loaded == NULL) return error_memory(e, "contacts", count * sizeof *loaded);
    for (size_t k = 0; k < count; k++) loaded[k] = pair_of(w, contacts[k].i, contacts[k].j)->contact;
    carom_status status = loads_load(w, in, count, loaded, e);
    if (status == CAROM_OK) status = spins_load_contacts(w, in, count, loaded, e);
    if (status == CAROM_OK) status = hertz_load_contacts(w, in, count, loaded, e);
    memory_free(loaded);
    return status;
}

static carom_status reference_load(world *w, const snapshot *in, error *e)
{
    const snapshot_array *contacts = snapshot_find(in, "reference/contacts");
    const snapshot_array *stamps = snapshot_find(in, "reference/stamps"),
                         *events = snapshot_find(in, "reference/events");
    const size_t pairs = (size_t)w->elements * (w->elements + w->domain.surface_count);
    reference *q = of(w);
    if (contacts == NULL || contacts->type != SNAPSHOT_U8 || contacts->count % sizeof(contact) != 0)
        return sound_not("reference/contacts", e);
    if (stamps == NULL || stamps->type != SNAPSHOT_U8 || stamps->count != pairs * sizeof(uint32_t))
        return sound_not("reference/stamps", e);
    if (events == NULL || events->type != SNAPSHOT_U8 || events->count % sizeof(reference_event) != 0)
        return sound_not("reference/events", e);
    size_t awake = 0;
    const size_t count = events->count / sizeof(reference_event);
    for (size_t k = 0; k < contacts->count / sizeof(contact); k++) {
        const contact *from = (const contact *)contacts->data + k;
        awake += from->n;
        if (awake > count || !reference_load_contact(w, from))
            return w->progress.out_of_memory ? error_memory(e, "contacts", contacts->count)
                                             : sound_not("reference/contacts", e);
    }
    TRY(load_beside(w, in, contacts->data, contacts->count / sizeof(contact), e));
    for (size_t k = 0; k < pairs; k++) q->pair[k].stamp = ((const uint32_t *)stamps->data)[k];
    q->count = 0;
    TRY(load_events(w, events->data, count, awake, e));
    return w->progress.out_of_memory ? error_memory(e, "events", events->count) : CAROM_OK;
}

static const observer reference_observer = {.begin = reference_create,
                                            .end = reference_destroy,
                                            .next = reference_next,
                                            .step = reference_step,
                                            .kicked = reference_kicked,
                                            .moved = reference_moved,
                                            .contact_ended = reference_drop,
                                            .pairs_ended = reference_part,
                                            .save = reference_save,
                                            .load = reference_load};
