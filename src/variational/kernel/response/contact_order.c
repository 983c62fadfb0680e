#include "variational/kernel/response/contact_order.h"

#include "base/memory.h"

#include <stdlib.h>

static int ranked_by_pair(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    if (p->i != q->i) return p->i < q->i ? -1 : 1;
    return p->j < q->j ? -1 : p->j > q->j;
}

static uint32_t contacts_rank(const world *w)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < w->contacts.contact_capacity; k++) {
        const contact *c = &w->contacts.contact[k];
        if (c->n > 0) w->contacts.ranked[count++] = (ranked){c->i, c->j, k};
    }
    if (count > 0) qsort(w->contacts.ranked, count, sizeof *w->contacts.ranked, ranked_by_pair);
    return count;
}

static carom_status contacts_put(const world *w, uint32_t rank_count, const char *name, const void *items, size_t size,
                                 snapshot *out, error *e)
{
    uint8_t *all = memory_new(rank_count, size);
    if (all == NULL) return error_memory(e, "a checkpoint", rank_count * size);
    for (uint32_t k = 0; k < rank_count; k++)
        memcpy(all + k * size, (const uint8_t *)items + w->contacts.ranked[k].contact * size, size);
    const carom_status status = snapshot_put(out, name, SNAPSHOT_U8, rank_count * size, all, e);
    memory_free(all);
    return status;
}
