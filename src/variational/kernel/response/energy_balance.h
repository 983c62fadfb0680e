/* Effect of the impulses of contacts on the energy balance. */
#ifndef CAROM_VARIATIONAL_ENERGY_BALANCE_H
#define CAROM_VARIATIONAL_ENERGY_BALANCE_H

#include "variational/kernel/world.h"

/* Adds the energy dissipated by a contact along its normal, by the law of its pair. */
static inline void book_normal(world *w, uint32_t kind, double energy)
{
    *(w->contacts.law[kind].rubs ? &w->totals.ledger.friction : &w->totals.ledger.restitution) += energy;
}

/* Adds the energy dissipated by friction, and its parts. */
static inline void book_frictions(world *w, const response *r)
{
    w->totals.ledger.friction += r->friction;
    w->totals.ledger.rolling += r->rolling;
    w->totals.ledger.twisting += r->twisting;
}

/* Corrects the energy dissipated by a contact, along its normal and by friction, to its value for steady forces of
 * materials. For shells, whose kicks run ahead of their forces. */
static void book_ahead(const world *w, response *r);

static inline void book_steadily(const world *w, response *r)
{
    if (w->shells != NULL) book_ahead(w, r);
}

#endif
