/* Impulses: collected while the potentials of a clock act on one state, then applied. */
#ifndef CAROM_VARIATIONAL_KICKS_H
#define CAROM_VARIATIONAL_KICKS_H

#include "variational/kernel/world.h"

/* Adds a kick to those of the present time; false: no memory. */
static bool add_kick(world *w, const kick *new);

/* Room for several kicks, to be filled; NULL: no memory. */
static kick *add_kicks(world *w, uint32_t count);

/* Adds an impulse on i of a contact, and its opposite on j. r: from j to i. */
static bool kick_contact(world *w, uint32_t index, const double impulse[DIM], const double r[DIM]);

/* Reserves room for the results of `slots` touches in `blocks` blocks; false: no memory. */
static bool reserve_blocks(world *w, uint32_t slots, uint32_t blocks);

/* Applies the kicks of the present time, those of blocks first, each group in its order, and removes them. */
static void give_kicks(world *w, double t);

static void kicks_destroy(world *w);

#endif
