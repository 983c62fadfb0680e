/* Impulses: collected while the potentials of a clock act on one state, then given. */
#ifndef CAROM_VARIATIONAL_KICKS_H
#define CAROM_VARIATIONAL_KICKS_H

#include "variational/kernel/world.h"

/* Adds a kick to those of this moment; false where there is no memory. */
static bool add_kick(world *w, const kick *new);

/* Room for several, to be filled; NULL where there is no memory. */
static kick *add_kicks(world *w, uint32_t count);

/* The impulse on i of any contact, and its opposite on j. r: from j to i. */
static bool kick_contact(world *w, uint32_t index, const double impulse[DIM], const double r[DIM]);

/* Room for what `slots` touches in `blocks` blocks do; false where there is no memory. */
static bool reserve_blocks(world *w, uint32_t slots, uint32_t blocks);

/* Gives the kicks of this moment, those of blocks first, each in its order; and lets go of them. */
static void give_kicks(world *w, double t);

static void kicks_destroy(world *w);

#endif
