/* Friction and rolling resistance of balls that rotate, for LANES contacts at a time. The results have the bits of `pull`
 * (friction.c), which treats all other contacts, and is the reference.
 *
 * A contact of two balls waits for this until all touches of its block are pressed: its response `slides`. Its numbers are
 * read in rows of eight consecutive members of structs (world.h, spins.h), which lanes_transpose turns into columns. */
#ifndef CAROM_VARIATIONAL_BALL_FRICTION_H
#define CAROM_VARIATIONAL_BALL_FRICTION_H

#include "variational/kernel/features/hertz.h"
#include "variational/kernel/features/spins.h"

#include "base/lanes.h"

/* Without vectors of four numbers in the machine it takes longer. */
#if CAROM_DIM == 3 && defined(__AVX2__)
#define CAROM_BALL_LANES 1
#else
#define CAROM_BALL_LANES 0
#endif
enum { BALL_LANES = CAROM_BALL_LANES };

/* Whether a contact may wait. At the first tick of an impact it may not. */
static inline bool slides_later(const world *w, const contact *c)
{
    return BALL_LANES && w->spins != NULL && !c->linked && c->j < NODES && c->friction.anchored && w->hertz == NULL &&
           w->observer == NULL && w->impacts == NULL && w->loads == NULL;
}

/* The friction of all responses of a block that wait, at a tick of the first layer. */
static void slide_block(world *w, const block *k, double step, double t);

#endif
