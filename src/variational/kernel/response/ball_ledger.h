/* The ledger after the kicks of a batch, for LANES contacts of free balls that rotate at a time. The results have the bits of
 * `book` (restitution.c), which treats all other contacts, and is the reference. */
#ifndef CAROM_VARIATIONAL_BALL_LEDGER_H
#define CAROM_VARIATIONAL_BALL_LEDGER_H

#include "variational/kernel/response/ball_friction.h"

/* Whether the response of a contact may be booked so. */
static inline bool books_together(const world *w, const response *r)
{
    if (!BALL_LANES || w->spins == NULL || w->shells != NULL || w->observer != NULL || r->parted) return false;
    const contact *c = &w->contacts.contact[r->contact];
    return !c->linked && c->j < NODES && node_is_free(&w->node[c->i]) && node_is_free(&w->node[c->j]) &&
           w->contacts.law[c->law].friction > 0;
}

/* LANES such responses. */
static void book_together(world *w, response *const *r, double t);

#endif
