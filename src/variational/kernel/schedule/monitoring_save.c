/* The monitoring in checkpoints. It follows from the state, except for the times of certificates. These have an
 * effect on event counts. */
#include "variational/kernel/schedule/monitoring.h"

#include "variational/kernel/broad/origins.h"
#include "variational/kernel/features/hertz.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contact_order.h"
#include "variational/kernel/response/loads.h"
#include "variational/kernel/response/record.h"
#include "variational/kernel/schedule/certificates.h"
#include "variational/kernel/schedule/flight_bound.h"

#include "base/memory.h"
#include "engine/sound.h"

/* Two elements in each other's lists. `partner` may be a surface, which has no list. */
typedef struct saved_pair {
    uint32_t i, partner;
    double until, back; /* certificates in the list of i, and in that of `partner` */
} saved_pair;

/* OWN_CLOCKS: a touch's clock. */
typedef struct own_clock {
    double origin, tick;
} own_clock;

/* A running clock of layers. */
typedef struct running_clock {
    uint32_t class, layer;
} running_clock;

enum { MONITORING_PARTS = 5 };

static void monitoring_parts(world *w, snapshot_part parts[MONITORING_PARTS])
{
    const grid *n = w->neighbours.grid;
    const size_t ends = 2 * (size_t)w->topology.rod_count + 3 * (size_t)w->topology.face_count;
    parts[0] = (snapshot_part){"watch/nominal", w->flights.nominal, w->count * sizeof *w->flights.nominal};
    parts[1] = (snapshot_part){"watch/leash", w->flights.flight_bound, w->count * sizeof *w->flights.flight_bound};
    parts[2] = (snapshot_part){"watch/glance", w->flights.recheck, w->elements * sizeof *w->flights.recheck};
    parts[3] = (snapshot_part){"watch/ends", n->ends, ends * sizeof *n->ends};
    parts[4] = (snapshot_part){"watch/home", n->origin, w->count * sizeof *n->origin};
}

/* ---- save -------------------------------------------------------------------------------------------------------- */

static carom_status put_bytes(snapshot *out, const char *name, size_t bytes, const void *data, bool made, error *e)
{
    if (!made) return error_memory(e, "a checkpoint", bytes);
    return snapshot_put(out, name, SNAPSHOT_U8, bytes, data, e);
}

static carom_status save_pairs(const world *w, snapshot *out, error *e)
{
    size_t count = 0, most = 0;
    for (uint32_t i = 0; i < w->elements; i++) most += w->neighbours.list[i].count;
    saved_pair *pairs = NEW_ARRAY(most, saved_pair);
    for (uint32_t i = 0; pairs != NULL && i < w->elements; i++)
        for (uint32_t k = 0; k < w->neighbours.list[i].count; k++) {
            const neighbour *n = &w->neighbours.list[i].at[k];
            if (n->partner < i) continue;
            const double back = n->partner < NODES ? list_find(&w->neighbours.list[n->partner], i)->until : 0;
            pairs[count++] = (saved_pair){i, n->partner, n->until, back};
        }
    carom_status status = put_bytes(out, "watch/pairs", count * sizeof *pairs, pairs, pairs != NULL, e);
    memory_free(pairs);
    return status;
}

/* The contacts in the order of their pairs, and the smallest gap of each of their touches. */
static carom_status save_contacts(const world *w, snapshot *out, error *e)
{
    const uint32_t count = contacts_rank(w);
    size_t touches = 0, at = 0;
    for (uint32_t k = 0; k < count; k++) touches += w->contacts.contact[w->contacts.ranked[k].contact].n;
    contact *contacts = NEW_ARRAY(count, contact);
    double *least = NEW_ARRAY(touches, double);
    own_clock *own = NEW_ARRAY(touches, own_clock);
    const bool made = contacts != NULL && least != NULL && own != NULL;
    for (uint32_t k = 0; made && k < count; k++) {
        const contact *c = &contacts[k];
        contacts[k] = w->contacts.contact[w->contacts.ranked[k].contact];
        for (uint32_t layer = 1; layer <= c->n; layer++) {
            clock *on =
                &w->schedule.clock[w->schedule.layer_clock[row_of(w, w->contacts.ranked[k].contact)][layer - 1]];
            const touch *p = find_touch(batch_of(on, c), c, w->contacts.ranked[k].contact);
            own[at] = (own_clock){on->origin, on->tick};
            least[at++] = p != NULL ? p->least : INFINITY;
        }
    }
    carom_status status = put_bytes(out, "watch/contacts", count * sizeof *contacts, contacts, made, e);
    if (status == CAROM_OK) status = put_bytes(out, "watch/least", touches * sizeof *least, least, made, e);
    if (OWN_CLOCKS && status == CAROM_OK) status = put_bytes(out, "watch/own", touches * sizeof *own, own, made, e);
    if (status == CAROM_OK) status = impacts_save(w, count, out, e);
    if (status == CAROM_OK) status = loads_save(w, count, out, e);
    if (status == CAROM_OK) status = spins_save_contacts(w, count, out, e);
    if (status == CAROM_OK) status = hertz_save_contacts(w, count, out, e);
    memory_free(contacts);
    memory_free(least);
    memory_free(own);
    return status;
}

/* A clock without touches runs up to its next tick, which limits the checks that are carried out together. */
static carom_status save_clocks(const world *w, snapshot *out, error *e)
{
    size_t count = 0;
    running_clock *all = NEW_ARRAY(w->schedule.clock_count, running_clock);
    for (uint32_t c = 0; !OWN_CLOCKS && all != NULL && c < w->schedule.clock_count; c++) {
        const clock *one = &w->schedule.clock[c];
        if (one->kind == CLOCK_LAYER && one->place != NONE) all[count++] = (running_clock){one->group, one->layer};
    }
    carom_status status = put_bytes(out, "watch/clocks", count * sizeof *all, all, all != NULL, e);
    memory_free(all);
    return status;
}

static carom_status monitoring_save(const world *w, snapshot *out, error *e)
{
    world copy = *w;
    snapshot_part parts[MONITORING_PARTS];
    monitoring_parts(&copy, parts);
    TRY(snapshot_put_parts(out, parts, MONITORING_PARTS, &copy, sizeof copy, e));
    TRY(save_pairs(w, out, e));
    TRY(save_contacts(w, out, e));
    return save_clocks(w, out, e);
}

/* ---- load -------------------------------------------------------------------------------------------------------- */

static carom_status unfit(error *e, const char *what)
{
    return error_set(e, CAROM_BAD_DATA,
                     "error: the %s of the checkpoint do not fit its state; start again with --force", what);
}

static carom_status find_all(const snapshot *in, const char *name, size_t size, const void **data, size_t *count,
                             error *e)
{
    const snapshot_array *stored = snapshot_find(in, name);
    if (stored == NULL || stored->type != SNAPSHOT_U8 || stored->count % size != 0)
        return error_set(e, CAROM_BAD_DATA, "error: the saved state lacks '%s'", name);
    *data = stored->data;
    *count = stored->count / size;
    return CAROM_OK;
}

static bool motions_fit(const world *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const nominal *n = &w->flights.nominal[i];
        const flight_bound *l = &w->flights.flight_bound[i];
        if (!sound_numbers(n->x, DIM) || !sound_speeds(n->v, DIM) || !(fabs(n->t) <= w->now) || !(n->tau >= 0))
            return false;
        if (!(l->until >= w->now) || isnan(l->radius2) || !sound_numbers(l->centre, DIM)) return false;
        if (!sound_flags(&n->straight, 1) || !sound_numbers(w->neighbours.grid->origin[i].x, DIM)) return false;
    }
    for (uint32_t i = 0; i < w->count; i++)
        if (!nominal_is_close(w, i)) return false;
    for (uint32_t i = 0; i < w->elements; i++)
        if (!(w->flights.recheck[i].next >= w->now) || isnan(w->flights.recheck[i].gap)) return false;
    const size_t ends = 2 * (size_t)w->topology.rod_count + 3 * (size_t)w->topology.face_count;
    return sound_numbers(&w->neighbours.grid->ends[0][0], ends * DIM);
}

/* Enters the elements into the queue and the grid. */
static carom_status restore_elements(world *w, error *e)
{
    for (uint32_t i = 0; i < w->elements; i++) {
        const double due = w->flights.recheck[i].due;
        if (!(due >= w->now)) return unfit(e, "looks ahead");
        fel_schedule(w->flights.queue, i, due);
        TRY(grid_restore(w, i, e));
        /* A run that has ended as stretched ends in the same way again. */
        if (is_rod(w, i))
            TRY(check_stretch(w, i, w->now, 2 * w->neighbours.grid->widest + 2 * w->neighbours.grid->skin, e));
    }
    return CAROM_OK;
}

static bool pair_fits(const world *w, const saved_pair *p)
{
    const bool between = p->partner < NODES;
    if (p->i >= w->elements || p->partner <= p->i) return false;
    if (between ? p->partner >= w->elements : p->partner - NODES >= w->domain.surface_count) return false;
    if (never_touch(w, p->i, p->partner) || list_seek(&w->neighbours.list[p->i], p->partner) != NULL) return false;
    return !isnan(p->until) && !isnan(p->back);
}

static carom_status load_pairs(world *w, const snapshot *in, error *e)
{
    const void *data = NULL;
    size_t count = 0;
    TRY(find_all(in, "watch/pairs", sizeof(saved_pair), &data, &count, e));
    const saved_pair *pairs = data;
    for (size_t k = 0; k < count; k++) {
        if (!pair_fits(w, &pairs[k])) return unfit(e, "lists");
        if (!lists_add_pair(w, pairs[k].i, pairs[k].partner, pairs[k].until, pairs[k].back))
            return error_memory(e, "lists", count * sizeof *pairs);
    }
    return CAROM_OK;
}

/* Restores the clock of an active layer; false: its numbers are invalid. */
static bool load_own_clock(world *w, uint32_t c, const own_clock *own)
{
    if (!isfinite(own->origin) || !(own->origin <= w->now) || !(own->tick >= 0 && own->tick < 0x1p52)) return false;
    if (own->tick != rint(own->tick) || !(own->origin + own->tick * w->schedule.clock[c].step > w->now)) return false;
    clock_set(w, c, own->origin, own->tick);
    return true;
}

/* Data that follow from the scene are not read from the checkpoint. */
static carom_status monitoring_load_contact(world *w, const contact *from, const double *least, const own_clock *own,
                                            uint32_t *loaded, error *e)
{
    neighbour *entry =
        from->i < w->elements && from->i < from->j ? list_seek(&w->neighbours.list[from->i], from->j) : NULL;
    if (entry == NULL || entry->contact != NONE || !contact_is_sound(from)) return unfit(e, "contacts");
    const uint32_t index = contact_begin(w, from->i, from->j);
    if (index == NONE) return error_memory(e, "contacts", sizeof *from);
    entry->contact = *loaded = index;
    if (from->j < NODES) list_find(&w->neighbours.list[from->j], from->i)->contact = index;
    contact *c = &w->contacts.contact[index];
    c->deepest = from->deepest;
    c->deep_since = from->deep_since;
    c->closest = from->closest;
    memcpy(c->share, from->share, sizeof c->share);
    c->restitution = from->restitution;
    c->friction = from->friction;
    while (w->contacts.contact[index].n < from->n) {
        const uint32_t n = w->contacts.contact[index].n;
        contact_deepen(w, index, w->now);
        if (w->progress.out_of_memory) return error_memory(e, "contacts", sizeof *from);
        if (w->contacts.contact[index].n != n + 1) return unfit(e, "contacts");
        c = &w->contacts.contact[index];
        const uint32_t on = w->schedule.layer_clock[row_of(w, index)][n];
        batch *b = batch_of(&w->schedule.clock[on], c);
        b->at[b->count - 1].least = least[n];
        if (OWN_CLOCKS && !load_own_clock(w, on, &own[n])) return unfit(e, "clocks");
    }
    return CAROM_OK;
}

static carom_status load_all_contacts(world *w, const snapshot *in, const contact *contacts, size_t count,
                                      uint32_t *loaded, error *e)
{
    const void *gaps = NULL, *own = NULL;
    size_t touches = 0, clocks = 0, at = 0;
    TRY(find_all(in, "watch/least", sizeof(double), &gaps, &touches, e));
    if (OWN_CLOCKS) TRY(find_all(in, "watch/own", sizeof(own_clock), &own, &clocks, e));
    if (OWN_CLOCKS && clocks != touches) return unfit(e, "clocks");
    for (size_t k = 0; k < count; k++) {
        if (contacts[k].n == 0 || contacts[k].n > touches - at) return unfit(e, "contacts");
        for (uint32_t layer = 0; layer < contacts[k].n; layer++)
            if (isnan(((const double *)gaps)[at + layer])) return unfit(e, "contacts");
        const own_clock *from = OWN_CLOCKS ? (const own_clock *)own + at : NULL;
        TRY(monitoring_load_contact(w, &contacts[k], (const double *)gaps + at, from, &loaded[k], e));
        at += contacts[k].n;
    }
    if (at != touches) return unfit(e, "contacts");
    TRY(spins_load_contacts(w, in, count, loaded, e));
    TRY(hertz_load_contacts(w, in, count, loaded, e));
    TRY(loads_load(w, in, count, loaded, e));
    return impacts_load(w, in, count, loaded, e);
}

static carom_status load_contacts(world *w, const snapshot *in, error *e)
{
    const void *data = NULL;
    size_t count = 0;
    TRY(find_all(in, "watch/contacts", sizeof(contact), &data, &count, e));
    uint32_t *loaded = NEW_ARRAY(count, uint32_t);
    if (loaded == NULL) return error_memory(e, "contacts", count * sizeof *loaded);
    const carom_status status = load_all_contacts(w, in, data, count, loaded, e);
    memory_free(loaded);
    return status;
}

static carom_status load_clocks(world *w, const snapshot *in, error *e)
{
    const void *data = NULL;
    size_t count = 0;
    TRY(find_all(in, "watch/clocks", sizeof(running_clock), &data, &count, e));
    const running_clock *all = data;
    for (size_t k = 0; k < count; k++) {
        if (OWN_CLOCKS || all[k].class >= w->schedule.class_count || all[k].layer == 0 || all[k].layer > MOST_LAYERS)
            return unfit(e, "clocks");
        const uint32_t c = clock_of_layer(w, all[k].class, all[k].layer);
        if (c == NONE) return error_memory(e, "clocks", count * sizeof *all);
        if (!clock_start(w, c, w->now)) return unfit(e, "clocks");
    }
    return CAROM_OK;
}

static carom_status monitoring_load(world *w, const snapshot *in, error *e)
{
    snapshot_part parts[MONITORING_PARTS];
    monitoring_parts(w, parts);
    TRY(snapshot_get_parts(in, parts, MONITORING_PARTS, e));
    if (!motions_fit(w)) return unfit(e, "motions");
    TRY(restore_elements(w, e));
    TRY(load_pairs(w, in, e));
    TRY(load_contacts(w, in, e));
    return load_clocks(w, in, e);
}
