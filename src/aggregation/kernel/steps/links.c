/* The links: made once, never broken. */
#include "aggregation/kernel/steps/steps.h"

#include "base/memory.h"

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
