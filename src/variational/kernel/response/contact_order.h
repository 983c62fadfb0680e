/* Contacts in the order of their pairs, in which checkpoints store them and arrays beside the pool. */
#ifndef CAROM_VARIATIONAL_CONTACT_ORDER_H
#define CAROM_VARIATIONAL_CONTACT_ORDER_H

#include "variational/kernel/world.h"

/* Fills w->contacts.ranked with the contacts that have active layers, in the order of their pairs. Returns their number. */
static uint32_t contacts_rank(const world *w);

/* Adds an array beside the pool (items[contact_capacity] of `size` bytes) to a checkpoint: the items of the ranked contacts, in
 * their order. */
static carom_status contacts_put(const world *w, uint32_t rank_count, const char *name, const void *items, size_t size,
                                 snapshot *out, error *e);

#endif
