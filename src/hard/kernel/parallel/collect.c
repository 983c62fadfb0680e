/* Collection of the state of the domains, and its dispersal among them. */
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/bodies.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/create.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/numbers.h"
#include "hard/kernel/parallel/body_state.h"
#include "hard/kernel/parallel/divide.h"
#include "hard/kernel/parallel/halo.h"
#include "hard/kernel/parallel/members.h"
#include "hard/kernel/parallel/orders.h"
#include "hard/kernel/parallel/share.h"
#include "hard/kernel/parallel/times.h"
#include "hard/kernel/parts.h"
#include "hard/kernel/response/tallies.h"
#include "hard/kernel/schedule/start.h"

/* ---- collection -------------------------------------------------------------------------------------------------- */

static void collect_tallies(gas *g, gas *part)
{
    tallies_merge(&g->tallies, &part->tallies);
    features_collect(g, part);
}

static void clear_tallies_of(crew *c)
{
    for (int n = c->first; n < c->first + c->own; n++) {
        gas *g = c->domain[n].gas;
        memset(&g->tallies, 0, sizeof g->tallies);
        memset(g->events, 0, sizeof g->events);
        g->since_rebase = 0;
    }
}

/* The state of a body and its list origin. */
static void put_collected(const gas *g, uint32_t i, buffer *out)
{
    body_put(g, i, out);
    buffer_put(out, g->plan[i].list_origin, sizeof g->plan[i].list_origin);
}

static const char *get_collected(crew *c, const char *at)
{
    const uint32_t i = body_number(at);
    at = body_get(c->gas, i, at);
    if (c->list_origin != NULL) memcpy(c->list_origin[i], at, sizeof c->list_origin[i]);
    return at + sizeof c->list_origin[i];
}

/* Prefetches the place of body i of a domain in the whole. */
static void prefetch_place(const gas *whole, const gas *g, uint32_t i)
{
    if (i >= g->count) return;
    const uint32_t id = g->id[i];
    __builtin_prefetch(&whole->body[id], 1);
    __builtin_prefetch(&whole->image[id], 1);
    __builtin_prefetch(&whole->id[id], 1);
}

static void collect_domain(domain *d)
{
    enum { AHEAD = 12 };
    const gas *g = d->gas;
    crew *c = d->crew;
    gas *whole = c->gas;
    buffer scratch = {.data = NULL};
    for (uint32_t i = 0; i < g->count; i++) {
        prefetch_place(whole, g, i + AHEAD);
        if (d->role[i] != ROLE_OWNED) continue;
        const uint32_t id = g->id[i];
        if (!body_copy(g, i, whole, id, &scratch)) out_of_memory(d, "the particles");
        if (c->list_origin != NULL) memcpy(c->list_origin[id], g->plan[i].list_origin, sizeof c->list_origin[id]);
    }
    buffer_free(&scratch);
}

/* What another rank sends to rank 0: tallies, then bodies. */
static carom_status put_rank(crew *c, buffer *out, error *e)
{
    gas *part = c->domain[c->first].gas;
    for (int n = c->first + 1; n < c->first + c->own; n++) collect_tallies(part, c->domain[n].gas);
    buffer_put(out, &part->tallies, sizeof part->tallies);
    features_keep_tallies(part, out);
    collect_tallies(c->gas, part); /* clears them; those of the whole are at rank 0 */
    const uint64_t bytes = out->size;
    for (int n = c->first; n < c->first + c->own; n++) {
        const domain *d = &c->domain[n];
        for (uint32_t i = 0; i < d->gas->count; i++)
            if (d->role[i] == ROLE_OWNED) put_collected(d->gas, i, out);
    }
    buffer_put(out, &bytes, sizeof bytes);
    return out->failed ? error_memory(e, "the particles", out->size) : CAROM_OK;
}

/* `part`: a domain whose tallies are empty. */
static void take_rank(crew *c, gas *part, const parcel *in)
{
    const char *at = in->data, *end = at + in->bytes - sizeof(uint64_t);
    uint64_t tallies;
    memcpy(&tallies, end, sizeof tallies);
    memcpy(&part->tallies, at, sizeof part->tallies);
    features_restore_tallies(part, at + sizeof part->tallies);
    collect_tallies(c->gas, part);
    for (at += tallies; at < end;) at = get_collected(c, at);
}

static void collect_flags(crew *c)
{
    gas *whole = c->gas;
    for (int n = c->first; n < c->first + c->own; n++) {
        whole->stall.any = whole->stall.any || c->domain[n].gas->stall.any;
        whole->images_long = whole->images_long || c->domain[n].gas->images_long;
    }
}

static void crew_set_clock(crew *c)
{
    if (c->reached <= REAL_MOST) c->gas->now = later(c->gas->now, c->reached);
}

/* What readers need if they read the bodies in the domains. */
static void collect_sums(crew *c)
{
    collect_flags(c);
    for (int n = 0; n < c->count; n++) collect_tallies(c->gas, c->domain[n].gas);
    crew_set_clock(c);
}

/* Lists of links are common to all bodies: then one domain after the other is collected. */
static carom_status collect_own(crew *c, error *e)
{
    gas *whole = c->gas;
    collect_flags(c);
    if (whole->stepped == NULL) TRY(crew_each(c, collect_domain, e));
    for (int n = c->first; n < c->first + c->own; n++) {
        domain *d = &c->domain[n];
        if (whole->stepped != NULL) collect_domain(d);
        if (d->status != CAROM_OK) return error_memory(e, "the particles", sizeof *d);
        collect_tallies(whole, d->gas);
    }
    return CAROM_OK;
}

/* At rank 0: what the states of all bodies are copied to. */
static carom_status make_room(crew *c, bool places, error *e)
{
    const size_t n = c->gas->count;
    if (places && c->list_origin == NULL) c->list_origin = memory_new(n, sizeof *c->list_origin);
    if (bodies_allocate(c->gas, false) && (!places || c->list_origin != NULL)) return CAROM_OK;
    return error_memory(e, "the particles", n * (sizeof(body) + sizeof *c->gas->image + sizeof *c->list_origin));
}

static void free_room(crew *c)
{
    bodies_release(c->gas);
    memory_free(c->list_origin);
    c->list_origin = NULL;
}

static carom_status collect_domains(crew *c, bool places, error *e)
{
    if (!c->dispersed) return CAROM_OK;
    if (c->first == 0) TRY(make_room(c, places, e));
    if (c->first == 0) TRY(collect_own(c, e));
    crew_set_clock(c);
    if (c->own == c->count) return CAROM_OK;
    buffer own = {.data = NULL};
    carom_status status = c->first > 0 ? put_rank(c, &own, e) : CAROM_OK;
    if (status == CAROM_OK) status = transport_gather(c->transport, own.data, own.size, c->parcels, e);
    for (int r = 1; status == CAROM_OK && c->first == 0 && r < c->count / c->own; r++)
        take_rank(c, c->domain[0].gas, &c->parcels[r]);
    buffer_free(&own);
    return status;
}

static carom_status unite_domains(crew *c, error *e)
{
    TRY(collect_domains(c, false, e));
    if (c->first == 0 && !bodies_allocate(c->gas, true))
        return error_memory(e, "the particles", c->gas->count * sizeof *c->gas->plan);
    c->dispersed = false;
    c->alone = c->own < c->count;
    return CAROM_OK;
}

/* After a failure the ranks are no longer at the same step. */
static carom_status crew_usable(const crew *c, error *e)
{
    return c->status == CAROM_OK ? CAROM_OK : error_set(e, c->status, "%s", c->error.text);
}

/* For readers, between two calls of crew_advance. */
static carom_status collect_once(crew *c, bool places, error *e)
{
    if (parts_are_domains(c->gas)) {
        if (!c->collected) collect_sums(c);
        c->collected = true;
        return CAROM_OK;
    }
    if (!c->dispersed || (c->collected && (c->list_origin != NULL || !places))) return CAROM_OK;
    TRY(order_send(c, &(rank_order){.kind = ORDER_COLLECT}, e));
    TRY(collect_domains(c, places, e));
    c->collected = true;
    return CAROM_OK;
}

static carom_status crew_collect(gas *g, error *e)
{
    return collect_once(g->crew, false, e);
}

static bool crew_read(gas *g)
{
    crew *c = g->crew;
    if (c->status == CAROM_OK) c->status = crew_collect(g, &c->error);
    return c->status == CAROM_OK;
}

static carom_status crew_unite(gas *g, error *e)
{
    crew *c = g->crew;
    if (c == NULL) return gas_begin(g, e);
    TRY(crew_usable(c, e));
    if (c->dispersed || (c->own < c->count && !c->alone)) { /* the state at rank 0 may change */
        TRY(order_send(c, &(rank_order){.kind = ORDER_UNITE}, e));
        TRY(unite_domains(c, e));
    }
    return g->queue == NULL ? start(g, e) : CAROM_OK;
}

static carom_status crew_prepare_save(gas *g, const gas **searched, error *e)
{
    crew *c = g->crew;
    if (c == NULL) return gas_begin(g, e);
    TRY(crew_usable(c, e));
    if (!c->dispersed && g->queue == NULL) { /* before the first event: the serial search would be for the file alone */
        TRY(order_send(c, &(rank_order){.kind = ORDER_DISPERSE}, e));
        TRY(crew_disperse(c, e));
    }
    if (!c->dispersed) return CAROM_OK;
    *searched = c->domain[0].gas;
    return collect_once(c, (*searched)->lists != NULL, e);
}

/* ---- dispersal --------------------------------------------------------------------------------------------------- */

/* Places for the owned bodies and the halo at equal density, and some more: growth later copies all arrays. */
static uint32_t room_for(const crew *c, int index, uint32_t owned)
{
    const gas *g = c->gas;
    const region *own = &c->cuts.region[index];
    const double depth = (double)mean_contact(g) + c->slack + c->shield;
    double share = 1;
    for (int k = 0; k < DIM; k++) {
        const double side = own->high[k] - own->low[k], all = (double)g->size[k];
        if (isfinite(side) && side > 0 && side < all) share *= fmin(side + 2 * depth, all) / side;
    }
    const double wanted = 1.02 * share * owned + 256;
    return wanted < g->count ? (uint32_t)wanted : g->count;
}

static void give_members(domain *d)
{
    const ownership *o = &d->crew->ownership;
    error *e = &d->error;
    const uint32_t *first = o->first + (d->index - d->crew->first), from = first[0], to = first[1];
    buffer scratch = {.data = NULL};
    members_destroy(d);
    d->work_of_stage = 0;
    d->status = members_create(d, room_for(d->crew, d->index, to - from), e);
    for (uint32_t n = from; n < to && d->status == CAROM_OK; n++) d->status = members_take(d, o->order[n], &scratch, e);
    buffer_free(&scratch);
}

/* The first messages, with all copies, are much longer than the later ones. */
static void free_messages(crew *c)
{
    for (int n = c->first; n < c->first + c->own; n++)
        for (int k = 0; k < c->domain[n].adjacent_count; k++) {
            buffer_free(&c->domain[n].adjacent[k].out);
            buffer_free(&c->domain[n].adjacent[k].copy);
        }
    for (int k = 0; k < c->peer_count; k++) buffer_free(&c->peer[k].message);
}

/* Body n at index n, as links and collections require: one thread sorts the bodies in space. */
static void order_by_number(gas *g)
{
    bool ordered = true;
    curve_place *from = (curve_place *)(void *)g->plan; /* plans are made anew in the domains */
    for (uint32_t i = 0; i < g->count; i++) ordered = ordered && g->id[i] == i;
    if (ordered) return;
    for (uint32_t i = 0; i < g->count; i++) from[g->id[i]].item = i;
    arrange_bodies(g, from);
}

static carom_status crew_disperse(crew *c, error *e)
{
    carom_stop none = CAROM_STOP_NONE;
    c->collected = false;
    if (c->dispersed) {
        free_room(c);
        return CAROM_OK;
    }
    if (c->alone) TRY(share_rank(c, &none, e));
    drop_search(c->gas);
    order_by_number(c->gas);
    bodies_release_plans(c->gas);
    cuts_free(&c->cuts);
    TRY(divide_space(c, NULL, e));
    halo_choose(c);
    TRY(halo_connect(c, &c->cuts, e));
    carom_status status = divide_bodies(c, e);
    if (status == CAROM_OK) status = crew_each(c, give_members, e);
    ownership_free(&c->ownership);
    TRY(status);
    free_room(c);
    clear_tallies_of(c);
    c->reached = just_before(c->gas->now);
    c->survey_end = c->epoch_end = -REAL_NEVER;
    c->dispersed = c->dispersing = true;
    TRY(halo_renew(c, e));
    c->dispersing = false;
    free_messages(c);
    if (c->length == 0) c->length = (c->epoch_end - c->reached) / FIRST_WINDOWS;
    return CAROM_OK;
}
