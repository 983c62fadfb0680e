/* The time steps of a run by kind, the elements that determine them, and the cost of the worst elements. */
#ifndef CAROM_VARIATIONAL_STEPS_H
#define CAROM_VARIATIONAL_STEPS_H

#include "variational/kernel/features/shell_draft.h"

/* For a world that is created, but without monitoring. Afterwards the world can only be destroyed. */
static carom_status world_steps(world *w, const initial_state *state, engine_steps *out, error *e);

/* Warns of elements that cost more than all the others, on the row of the worst element, and of so light particles
 * on the row of the layers. */
static carom_status steps_warn(world *w, const initial_state *state, const shell_draft *d, engine_steps *out, error *e);

#endif
