/* Contacts, in an order that depends on the pairs in contact only, not on threads. */
#include "aggregation/kernel/steps/steps.h"

#include "aggregation/kernel/steps/sort.h"
#include "base/memory.h"

static carom_status contacts_reserve(steps *s, size_t found, error *e)
{
    const size_t wanted = s->contact_count + found, room = 2 * wanted + 1;
    if (room > s->order_capacity) {
        memory_free(s->order);
        s->order_capacity = 0;
        s->order = NEW_ARRAY(2 * room, uint64_t);
        if (s->order == NULL) return error_memory(e, "contacts", 2 * room * sizeof *s->order);
        s->order_capacity = 2 * room;
    }
    if (wanted <= s->contact_capacity) return CAROM_OK;
    contact *more = memory_resize(s->contacts, s->contact_capacity, 2 * wanted, sizeof *more);
    if (more == NULL) return error_memory(e, "contacts", 2 * wanted * sizeof *more);
    s->contacts = more;
    s->contact_capacity = 2 * wanted;
    return CAROM_OK;
}

static carom_status contacts_gather(steps *s, error *e)
{
    size_t found = 0;
    for (int t = 0; t < s->threads; t++) {
        if (s->buffers[t].out_of_memory) return error_memory(e, "the step", 0);
        found += s->buffers[t].found_count;
    }
    s->round_start = s->contact_count;
    if (found == 0) return CAROM_OK;
    TRY(contacts_reserve(s, found, e));
    size_t n = 0;
    for (int t = 0; t < s->threads; t++) {
        for (size_t k = 0; k < s->buffers[t].found_count; k++) s->order[n++] = s->buffers[t].found[k];
        s->buffers[t].found_count = 0;
    }
    sort_numbers(s->order, s->order + found, found);
    for (size_t k = 0; k < found; k++)
        if (k == 0 || s->order[k] != s->order[k - 1])
            s->contacts[s->contact_count++] = (contact){(uint32_t)(s->order[k] >> 32), (uint32_t)s->order[k]};
    return CAROM_OK;
}
