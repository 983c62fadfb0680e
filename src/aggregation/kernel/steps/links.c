/* The links of merged particles, which are permanent. */
#include "aggregation/kernel/steps/feature.h"

#include "base/memory.h"
#include "engine/sound.h"

static carom_status links_create(steps *s, error *e)
{
    s->links.capacity = 2 * (size_t)s->count + 64;
    s->links.first = NEW_ARRAY(s->count, uint32_t);
    s->links.edges = NEW_ARRAY(s->links.capacity, half_edge);
    if (s->links.first == NULL || s->links.edges == NULL) return error_memory(e, "links", 16 * (size_t)s->count);
    for (uint32_t i = 0; i < s->count; i++) s->links.first[i] = NONE;
    return CAROM_OK;
}

static void add_half(links *l, uint32_t from, uint32_t to)
{
    l->edges[l->count] = (half_edge){to, l->first[from]};
    l->first[from] = (uint32_t)l->count++;
}

static carom_status links_add(steps *s, uint32_t i, uint32_t j, error *e)
{
    links *l = &s->links;
    if (l->count + 2 > l->capacity) {
        size_t more = l->capacity + l->capacity / 4 + 1024;
        half_edge *edges = memory_resize(l->edges, l->capacity, more, sizeof *edges);
        if (edges == NULL) return error_memory(e, "links", more * sizeof *edges);
        l->edges = edges;
        l->capacity = more;
    }
    add_half(l, i, j);
    add_half(l, j, i);
    return CAROM_OK;
}

static bool links_has(const steps *s, uint32_t i, uint32_t j)
{
    for (uint32_t n = s->links.first[i]; n != NONE; n = s->links.edges[n].next)
        if ((s->links.edges[n].to & ~SLACK_BIT) == j) return true;
    return false;
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static size_t links_memory(size_t particles)
{
    return particles * (2 * sizeof(half_edge) + sizeof(uint32_t));
}

static void links_destroy(steps *s)
{
    memory_free(s->links.first);
    memory_free(s->links.edges);
}

static int links_parts(steps *s, snapshot_part parts[FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/link_first", s->links.first, sizeof *s->links.first * s->count};
    return 1;
}

static carom_status links_save(const steps *s, snapshot *out, error *e)
{
    return snapshot_lend(out, "engine/link", SNAPSHOT_U8, s->links.count * sizeof *s->links.edges, s->links.edges, e);
}

/* Checks that every particle is in one list of half-edges, and every half-edge in at most one. */
static bool links_are_sound(const steps *s)
{
    uint64_t met = 0;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t at = s->links.first[i]; at != NONE; at = s->links.edges[at].next) {
            if (at >= s->links.count || ++met > s->links.count) return false;
            const uint32_t to = s->links.edges[at].to & ~SLACK_BIT;
            if (to >= s->count || to == i || s->particles[to].cluster != s->particles[i].cluster) return false;
            if ((s->links.edges[at ^ 1].to & ~SLACK_BIT) != i) return false;
        }
    return met == s->links.count;
}

static carom_status links_load(steps *s, const snapshot *in, error *e)
{
    links *l = &s->links;
    const snapshot_array *stored = snapshot_find(in, "engine/link");
    if (stored == NULL || stored->count % (2 * sizeof *l->edges) != 0)
        return error_set(e, CAROM_BAD_DATA, "error: the checkpoint has no links of the engine `aggregation`");
    size_t count = stored->count / sizeof *l->edges;
    if (count > l->capacity) {
        half_edge *edges = memory_resize(l->edges, l->capacity, count, sizeof *edges);
        if (edges == NULL) return error_memory(e, "links", stored->count);
        l->edges = edges;
        l->capacity = count;
    }
    l->count = count;
    TRY(snapshot_get(in, "engine/link", SNAPSHOT_U8, stored->count, l->edges, e));
    return links_are_sound(s) ? CAROM_OK : sound_not("engine/link", e);
}

static const steps_feature links_feature = {.name = "links",
                                            .memory = links_memory,
                                            .create = links_create,
                                            .destroy = links_destroy,
                                            .parts = links_parts,
                                            .save = links_save,
                                            .load = links_load};
