/* The division of space and bodies. Each domain counts a part of the bodies: of the whole an equal share, after a dispersal
 * its own. */
#include "hard/kernel/parallel/divide.h"
#include "hard/kernel/parallel/exchange.h"
#include "hard/kernel/parallel/halo.h"
#include "hard/kernel/parallel/notes.h"

/* ---- extent ------------------------------------------------------------------------------------------------------ */

typedef void visit_body(domain *d, const double place[3]);

static uint32_t share_of(const gas *whole, int part, int parts)
{
    return (uint32_t)((uint64_t)whole->count * (uint64_t)part / (uint64_t)parts);
}

static void each_body(domain *d, visit_body *visit)
{
    const crew *c = d->crew;
    double place[3];
    const uint32_t from = share_of(c->gas, d->index, c->count), to = share_of(c->gas, d->index + 1, c->count);
    for (uint32_t i = from; !c->dispersed && i < to; i++) {
        place_in_box(c->gas, i, place);
        visit(d, place);
    }
    for (uint32_t i = 0; c->dispersed && i < d->gas->count; i++) {
        if (d->role[i] != ROLE_OWNED) continue;
        place_in_box(d->gas, i, place);
        visit(d, place);
    }
}

static void extend(domain *d, const double place[3])
{
    for (int k = 0; k < 3; k++) {
        d->extent[k] = fmin(d->extent[k], place[k]);
        d->extent[3 + k] = fmin(d->extent[3 + k], -place[k]);
    }
}

static void find_extent(domain *d)
{
    for (int k = 0; k < 6; k++) d->extent[k] = INFINITY;
    each_body(d, extend);
}

static carom_status find_extent_of_all(crew *c, cuts_bodies *bodies, error *e)
{
    double least[6] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    TRY(crew_each(c, find_extent, e));
    for (int n = c->first; n < c->first + c->own; n++)
        for (int k = 0; k < 6; k++) least[k] = fmin(least[k], c->domain[n].extent[k]);
    TRY(transport_reduce_real(c->transport, TRANSPORT_MIN, 6, least, e));
    for (int k = 0; k < 3; k++) {
        bodies->low[k] = isfinite(least[k]) ? least[k] : 0;
        bodies->high[k] = isfinite(least[k]) ? -least[3 + k] : 0;
    }
    return CAROM_OK;
}

/* ---- cuts -------------------------------------------------------------------------------------------------------- */

static void count_body(domain *d, const double place[3])
{
    cutting_count(d->crew->cutting, (uint64_t *)(void *)d->table.data, place, d->crew->dispersed ? d->weight : 1);
}

static void count_bodies(domain *d)
{
    const size_t bytes = cutting_numbers(d->crew->cutting) * sizeof(uint64_t);
    buffer_clear(&d->table);
    void *table = buffer_extend(&d->table, bytes);
    if (table == NULL) {
        out_of_memory(d, "the division of space");
        return;
    }
    memset(table, 0, bytes);
    each_body(d, count_body);
}

static carom_status count_all(void *context, const cutting *k, uint64_t *table, error *e)
{
    crew *c = context;
    c->cutting = k;
    TRY(crew_each(c, count_bodies, e));
    for (int n = c->first; n < c->first + c->own; n++) {
        const uint64_t *part = (const uint64_t *)(const void *)c->domain[n].table.data;
        for (size_t m = 0; m < cutting_numbers(k); m++) table[m] += part[m];
    }
    return transport_reduce_count(c->transport, TRANSPORT_SUM, cutting_numbers(k), table, e);
}

static carom_status divide_space(crew *c, const cuts *before, error *e)
{
    double box[3] = {0};
    cuts_bodies bodies = {.context = c, .count = count_all};
    TRY(find_extent_of_all(c, &bodies, e));
    for (int k = 0; k < DIM; k++) box[k] = (double)c->gas->box[k];
    const carom_status status = cuts_make(&c->cuts, DIM, box, c->count, before, &bodies, e);
    for (int n = c->first; n < c->first + c->own; n++) buffer_free(&c->domain[n].table);
    return status;
}

/* ---- owners ------------------------------------------------------------------------------------------------------ */

/* Number of bodies in the share of a domain of this rank that belong to another of this rank; then the place in
 * ownership.order of the next of them. */
static uint32_t *place_for(const crew *c, const domain *d, int owner)
{
    return &c->ownership.next[(size_t)(d->index - c->first) * (size_t)c->own + (size_t)(owner - c->first)];
}

static bool is_own(const crew *c, int owner)
{
    return owner >= c->first && owner < c->first + c->own;
}

static void find_owners(domain *d)
{
    const crew *c = d->crew;
    const int part = d->index - c->first;
    const uint32_t to = share_of(c->gas, part + 1, c->own);
    for (uint32_t i = share_of(c->gas, part, c->own); i < to; i++) {
        double place[3];
        place_in_box(c->gas, i, place);
        const int owner = cuts_domain(&c->cuts, place);
        c->ownership.owner[i] = (uint32_t)owner;
        if (is_own(c, owner)) ++*place_for(c, d, owner);
    }
}

static void list_owned(domain *d)
{
    const crew *c = d->crew;
    const int part = d->index - c->first;
    const uint32_t to = share_of(c->gas, part + 1, c->own);
    for (uint32_t i = share_of(c->gas, part, c->own); i < to; i++) {
        const int owner = (int)c->ownership.owner[i];
        if (is_own(c, owner)) c->ownership.order[(*place_for(c, d, owner))++] = i;
    }
}

static carom_status divide_bodies(crew *c, error *e)
{
    ownership *o = &c->ownership;
    const size_t own = (size_t)c->own;
    uint32_t at = 0;
    o->owner = NEW_ARRAY(c->gas->count, uint32_t);
    o->order = NEW_ARRAY(c->gas->count, uint32_t);
    o->first = NEW_ARRAY(own + 1, uint32_t);
    o->next = NEW_ARRAY(own * own, uint32_t);
    if (o->owner == NULL || o->order == NULL || o->first == NULL || o->next == NULL)
        return error_memory(e, "domains", 2 * c->gas->count * sizeof *o->owner);
    TRY(crew_each(c, find_owners, e));
    for (size_t owner = 0; owner < own; owner++) {
        o->first[owner] = at;
        for (size_t part = 0; part < own; part++) {
            const uint32_t count = o->next[part * own + owner];
            o->next[part * own + owner] = at;
            at += count;
        }
    }
    o->first[own] = at;
    return crew_each(c, list_owned, e);
}

static void ownership_free(ownership *o)
{
    memory_free(o->owner);
    memory_free(o->order);
    memory_free(o->first);
    memory_free(o->next);
    *o = (ownership){.owner = NULL};
}
