/* What the impulses of contacts do to the energy balance. */
#ifndef CAROM_VARIATIONAL_ENERGY_BALANCE_H
#define CAROM_VARIATIONAL_ENERGY_BALANCE_H

#include "variational/kernel/world.h"

/* What a contact has taken along its normal, by the law of its kind of pair. */
static inline void book_normal(world *w, uint32_t kind, double energy)
{
    *(w->contacts.law[kind].rubs ? &w->totals.ledger.friction : &w->totals.ledger.restitution) += energy;
}

/* Corrects what a contact has taken, along its normal and by friction, to what it would be as steady materials would
 * have it, where kicks of shells run ahead of what their forces have done. */
static void book_steadily(const world *w, double t, response *r);

#endif
