/* The order of the records in the pool of contacts. */
#ifndef CAROM_VARIATIONAL_CONTACT_ARRANGE_H
#define CAROM_VARIATIONAL_CONTACT_ARRANGE_H

#include "variational/kernel/world.h"

/* Moves the contacts of the pool into the order of their pairs, which is that of the touches of a clock, if many have begun since
 * the last time. Data of successive touches are then next to each other. Motion does not depend on it. */
static void contacts_arrange(world *w);

#endif
