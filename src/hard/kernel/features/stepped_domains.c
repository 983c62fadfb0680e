/* Links in the domains of a parallel run. A domain has the links between its own bodies and copies; those with bodies
 * outside of it are added when these enter. */
#include "hard/kernel/features/stepped_domains.h"
#include "hard/kernel/features/stepped_bonds.h"
#include "hard/kernel/parallel/domain.h"

static bool stepped_divide(gas *g, const gas *whole)
{
    stepped *s = g->stepped;
    s->row = NULL;
    s->length = NULL;
    s->linked = NULL;
    s->spare = NEW_ARRAY(s->capacity, link);
    s->place = NULL;
    s->halves = NEW_ARRAY(whole->stepped->shell_count, uint64_t);
    return s->spare != NULL && s->halves != NULL;
}

static void stepped_unite(gas *g)
{
    stepped *s = g->stepped;
    memory_free(s->row);
    memory_free(s->length);
    memory_free(s->linked);
    memory_free(s->spare);
    memory_free(s->place);
    memory_free(s->halves);
}

static bool stepped_widen(gas *g, uint32_t before, uint32_t room)
{
    stepped *s = g->stepped;
    link *row = memory_new((size_t)room * s->capacity, sizeof *row);
    uint32_t *length = NEW_ARRAY(room, uint32_t), *place = NEW_ARRAY(room, uint32_t);
    uint8_t *linked = NEW_ARRAY(room, uint8_t);
    const bool all = row != NULL && length != NULL && place != NULL && linked != NULL;
    if (all && before > 0) {
        memcpy(row, s->row, (size_t)before * s->capacity * sizeof *row);
        memcpy(length, s->length, before * sizeof *length);
    }
    if (all) {
        memory_free(s->row);
        memory_free(s->length);
        memory_free(s->place);
        memory_free(s->linked);
        s->row = row;
        s->length = length;
        s->place = place;
        s->linked = linked;
        return true;
    }
    memory_free(row);
    memory_free(length);
    memory_free(place);
    memory_free(linked);
    return false;
}

/* Partners by their numbers. */
static void stepped_put(const gas *g, uint32_t i, buffer *out)
{
    const link *row = links_of(g, i);
    buffer_put(out, &g->stepped->length[i], sizeof g->stepped->length[i]);
    for (uint32_t k = 0; k < g->stepped->length[i]; k++) {
        const link one = {g->id[row[k].with], row[k].shell};
        buffer_put(out, &one, sizeof one);
    }
}

static void stepped_leave(gas *g, uint32_t i)
{
    stepped *s = g->stepped;
    for (uint32_t k = 0; k < s->length[i]; k++) remove_half(g, links_of(g, i)[k].with, i);
    s->length[i] = 0;
}

/* Links a body with one of this number, if that is in the domain. */
static void link_with(gas *g, uint32_t i, link one)
{
    domain *d = g->domain;
    const uint32_t j = d != NULL ? d->place_of[one.with] : one.with + 1;
    if (j == 0 || j - 1 == i) return;
    error e = {.text = NULL};
    const carom_status status = links_set(g, i, j - 1, one.shell, d != NULL ? &d->error : &e);
    if (d != NULL && d->status == CAROM_OK) d->status = status;
    error_clear(&e);
}

static const char *stepped_get(gas *g, uint32_t i, const char *from)
{
    uint32_t length;
    memcpy(&length, from, sizeof length);
    from += sizeof length;
    stepped_leave(g, i);
    for (uint32_t k = 0; k < length; k++) {
        link one;
        memcpy(&one, from, sizeof one);
        from += sizeof one;
        link_with(g, i, one);
    }
    return from;
}

/* Before the first renewal of the halos no domain has links with bodies of others. */
static void stepped_join(gas *g, uint32_t i)
{
    const gas *whole = whole_of(g);
    const uint32_t id = g->id[i];
    for (uint32_t k = 0; k < whole->stepped->length[id]; k++) link_with(g, i, links_of(whole, id)[k]);
}

static size_t stepped_bytes(const char *from)
{
    uint32_t length;
    memcpy(&length, from, sizeof length);
    return sizeof length + length * sizeof(link);
}

/* A sum: the order of links is arbitrary. */
static uint64_t stepped_chain(const gas *g, uint32_t i, uint64_t hash)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < g->stepped->length[i]; k++) {
        const link *l = &links_of(g, i)[k];
        sum += hash_finish(hash_u64(hash_u64(HASH_START, g->id[l->with]), l->shell));
    }
    return hash_u64(hash, sum);
}
