/* Thickness, stiffness and step where the scene leaves them open. */
#ifndef CAROM_VARIATIONAL_CHOOSE_H
#define CAROM_VARIATIONAL_CHOOSE_H

#include "scene/state.h"
#include "variational/settings.h"

/* What is given is taken. Refuses what cannot work, with the bound: eta that leaves no core, a step beyond
 * stability. */
carom_status choose(variational_choice *c, const scene *s, const initial_state *state, error *e);

#endif
