/* Contacts: pairs whose first layers are active. */
#ifndef CAROM_VARIATIONAL_CONTACTS_H
#define CAROM_VARIATIONAL_CONTACTS_H

#include "variational/kernel/response/layers.h"
#include "variational/kernel/schedule/clocks.h"

/* A new contact of node i and `partner` (a node after i in order, or NODES + a surface), without active layers.
 * NONE: no memory. */
static uint32_t contact_begin(world *w, uint32_t i, uint32_t partner);
static void contact_end(world *w, uint32_t index);

/* Activates the next layer of a contact. */
static void contact_deepen(world *w, uint32_t index, double t);

/* A touch of one of its layers. */
static touch contact_touch(const world *w, uint32_t index, uint32_t layer);

/* Prefetches the first bytes of a contact's record. */
static inline void contact_prefetch(const world *w, uint32_t index, size_t bytes)
{
    const char *at = (const char *)&w->contacts.contact[index];
    for (size_t k = 0; k < bytes; k += 64) __builtin_prefetch(at + k);
}

/* The batch of a clock for the touches of a contact. */
static inline batch *batch_of(clock *on, const contact *c)
{
    return c->linked ? &on->linked : c->j < NODES ? &on->pairs : &on->surfaces;
}

/* The touch of a contact in a batch of its kind; NULL: none. */
static touch *find_touch(batch *b, const contact *c, uint32_t index);

/* Reduced mass of a pair; if linked, its lower bound. */
static double pair_mass(const world *w, uint32_t i, uint32_t partner);

/* The first layer does not act at its tick: ends the impact, if there is one. */
static void impact_over(world *w, contact *c);

/* Whether the numbers of a contact of a checkpoint are valid. */
static bool contact_is_sound(const contact *c);

/* Removes all contacts, without counting events. */
static void contacts_forget(world *w);
static void contacts_destroy(world *w);

#endif
