/* The end of the contacts of elements that are no longer in the system. */
#ifndef CAROM_VARIATIONAL_CONTACT_END_H
#define CAROM_VARIATIONAL_CONTACT_END_H

#include "variational/kernel/world.h"

/* Ends the contacts of absent elements, in the order of the pairs. Returns the energy that leaves the ledger with them. */
static double contacts_end_absent(world *w, double t);

#endif
