/* The time steps of a run, kind by kind, what determines them, and what the worst elements cost. */
#ifndef CAROM_VARIATIONAL_STEPS_H
#define CAROM_VARIATIONAL_STEPS_H

#include "variational/kernel/features/shell_draft.h"

/* Of a world that is made, but not watched. It is only good to be destroyed afterwards. */
static carom_status world_steps(world *w, const initial_state *state, engine_steps *out, error *e);

/* Warns, on the row of the worst element, of elements that cost more than all the others; on that of the layers, of
 * particles so light that they do. */
static carom_status steps_warn(world *w, const initial_state *state, const shell_draft *d, engine_steps *out, error *e);

#endif
