/* Contacts: pairs whose first layers are awake. */
#ifndef CAROM_VARIATIONAL_CONTACTS_H
#define CAROM_VARIATIONAL_CONTACTS_H

#include "variational/kernel/schedule/clocks.h"

/* A new contact of node i and `partner` (a node behind i in order, or NODES + a surface), with no layer awake; NONE where
 * there is no memory. */
static uint32_t contact_begin(world *w, uint32_t i, uint32_t partner);
static void contact_end(world *w, uint32_t index);

/* Wakes the next layer of a contact. */
static void contact_deepen(world *w, uint32_t index, double t);

/* A touch of one of its layers. */
static touch contact_touch(const world *w, uint32_t index, uint32_t layer);

/* Fills w->ranked with those that have layers awake, in the order of their pairs: how many. */
static uint32_t contacts_rank(const world *w);

/* Distance of the centres, or from centre to surface, at which two cores touch. */
static inline double contact_reach(const world *w, uint32_t i, uint32_t partner)
{
    return partner < NODES ? w->core[i] + w->core[partner] : w->core[i] - w->choice.eta;
}

/* Asks for a contact's record. */
static inline void contact_prefetch(const world *w, uint32_t index)
{
    const char *at = (const char *)&w->contact[index];
    for (size_t k = 0; k < sizeof(contact); k += 64) __builtin_prefetch(at + k);
}

/* No more layers of a contact are awake: the steps of the last are 1e7 times as short as those of the first. */
enum { MOST_LAYERS = 1 << 16 };

/* Where a clock keeps the touches of a contact. */
static inline batch *batch_of(clock *on, const contact *c)
{
    return c->linked ? &on->linked : c->j < NODES ? &on->pairs : &on->surfaces;
}

/* The gap at which layer l begins. */
static inline double thickness(const world *w, uint32_t layer)
{
    return 2 * w->choice.eta / (double)layer;
}

/* Inverse mass of a node; where it belongs to a rigid body, that of the particle, or the largest that an impulse at the
 * vertex of a solid meets: nothing moves more easily. */
static inline double inverse_mass(const world *w, uint32_t i)
{
    return w->node[i].w < 0 ? w->body_inverse_mass[i] : w->node[i].w;
}

/* Reduced mass of a pair; of linked ones the least that it may be. */
static double pair_mass(const world *w, uint32_t i, uint32_t partner);

/* How many layers a gap has entered, and what these hold. */
static uint32_t layers_within(const world *w, double gap);
static double layers_energy(const world *w, double gap);

/* The gap between the cores of node i and `partner`. */
static double gap_at(const world *w, uint32_t i, uint32_t partner, double t);

/* The first layer has found no gap below its thickness: an impact, if there was one, is over. */
static void impact_over(world *w, contact *c);

/* All of them end, without counting. */
static void contacts_forget(world *w);
static void contacts_destroy(world *w);

#endif
