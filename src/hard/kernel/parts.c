#include "hard/kernel/parts.h"
#include "hard/kernel/parallel/domain.h"

static bool parts_are_domains(const gas *g)
{
    const crew *c = g->crew;
    return c != NULL && c->dispersed && c->own == c->count && !g->body_data && g->transport == NULL;
}

static int gas_parts(const gas *g)
{
    return parts_are_domains(g) ? g->crew->count : 1;
}

static const gas *gas_part(const gas *g, int n)
{
    return parts_are_domains(g) ? g->crew->domain[n].gas : g;
}

static bool part_owns(const gas *part, uint32_t i)
{
    return part->domain == NULL || part->domain->role[i] == ROLE_OWNED;
}

static void read_of_domain(const body_record *r, const gas *part, size_t first, size_t count, char *to)
{
    for (uint32_t i = 0; i < part->count; i++) {
        const size_t place = part->id[i] - first; /* of smaller numbers: very large */
        if (place < count && part_owns(part, i)) r->put(r, part, i, to + place * r->source.bytes);
    }
}

static void read_records(const snapshot_source *source, const void *owner, size_t first, size_t count, void *to)
{
    const gas *g = owner;
    const body_record *r = (const body_record *)(const void *)source;
    if (parts_are_domains(g))
        for (int n = 0; n < gas_parts(g); n++) read_of_domain(r, gas_part(g, n), first, count, to);
    else
        for (size_t k = 0; k < count; k++) r->put(r, g, (uint32_t)(first + k), (char *)to + k * source->bytes);
}

static carom_status records_save(const gas *g, const body_record *r, snapshot *out, error *e)
{
    return snapshot_lend_source(out, r->name, all_bodies(g), &r->source, g, e);
}
