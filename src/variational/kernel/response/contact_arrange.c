#include "variational/kernel/response/contact_arrange.h"

#include "variational/kernel/features/hertz.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/response/contact_order.h"
#include "variational/kernel/response/loads.h"
#include "variational/kernel/response/record.h"
#include "variational/kernel/schedule/certificates.h"

#include "base/memory.h"

/* An array with an item for each record of the pool. */
typedef struct pool_array {
    void *items;
    size_t size;
} pool_array;

static int arrays_of_pool(const world *w, pool_array out[5])
{
    int count = 0;
    out[count++] = (pool_array){w->contacts.contact, sizeof(contact)};
    if (w->spins != NULL) out[count++] = (pool_array){w->spins->contact, sizeof(contact_spin)};
    if (w->hertz != NULL) out[count++] = (pool_array){w->hertz->contact, sizeof(contact_hertz)};
    if (w->impacts != NULL) out[count++] = (pool_array){w->impacts->at, sizeof(impact)};
    if (w->loads != NULL) out[count++] = (pool_array){w->loads->at, sizeof(load)};
    return count;
}

static void swap_items(const pool_array *all, uint32_t a, uint32_t b)
{
    unsigned char part[64], *one = (unsigned char *)all->items + a * all->size,
                            *other = (unsigned char *)all->items + b * all->size;
    for (size_t k = 0; k < all->size; k += sizeof part) {
        const size_t size = all->size - k < sizeof part ? all->size - k : sizeof part;
        memcpy(part, one + k, size);
        memcpy(one + k, other + k, size);
        memcpy(other + k, part, size);
    }
}

/* place[k]: where the record is that was at k; held[k]: the record that is at k now. */
static void arrange_records(world *w, uint32_t count, uint32_t *place, uint32_t *held)
{
    pool_array array[5];
    const int arrays = arrays_of_pool(w, array);
    for (uint32_t k = 0; k < w->contacts.contact_capacity; k++) place[k] = held[k] = k;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t record = w->contacts.ranked[k].contact, from = place[record], other = held[k];
        if (from == k) continue;
        for (int n = 0; n < arrays; n++) swap_items(&array[n], k, from);
        place[record] = k;
        place[other] = from;
        held[k] = record;
        held[from] = other;
    }
    w->contacts.contact_free = NONE;
    for (uint32_t k = w->contacts.contact_capacity; k-- > count;) {
        w->contacts.contact[k].j = w->contacts.contact_free;
        w->contacts.contact_free = k;
    }
}

static void arrange_touches(const batch *b, const uint32_t *place)
{
    for (uint32_t k = 0; k < b->count; k++)
        if (b->at[k].contact != NONE) b->at[k].contact = place[b->at[k].contact];
}

static void contacts_arrange(world *w)
{
    if (OWN_CLOCKS || w->observer != NULL || w->contacts.elastic || w->progress.squeezed != NONE) return;
    if (w->contacts.begun < ARRANGED_SHARE * (w->contacts.contact_count + ARRANGED_LEAST)) return;
    w->contacts.begun = 0;
    const uint32_t capacity = w->contacts.contact_capacity;
    uint32_t *place = NEW_ARRAY(capacity, uint32_t), *held = NEW_ARRAY(capacity, uint32_t);
    if (place != NULL && held != NULL) {
        const uint32_t count = contacts_rank(w);
        arrange_records(w, count, place, held);
        for (uint32_t k = 0; k < count; k++) enter_contact(w, w->contacts.contact[k].i, w->contacts.contact[k].j, k);
        for (uint32_t c = 0; c < w->schedule.clock_count; c++) {
            arrange_touches(&w->schedule.clock[c].pairs, place);
            arrange_touches(&w->schedule.clock[c].surfaces, place);
            arrange_touches(&w->schedule.clock[c].linked, place);
        }
    }
    memory_free(place);
    memory_free(held);
}
