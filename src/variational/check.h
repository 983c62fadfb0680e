/* What the engine `variational` refuses. */
#ifndef CAROM_VARIATIONAL_CHECK_H
#define CAROM_VARIATIONAL_CHECK_H

#include "scene/state.h"

/* Of a scene: settings and features that do not go together. */
carom_status variational_check(const scene *s, error *e);

/* Of an initial state: what is too small or too many, and what runs into each other. */
carom_status variational_check_state(const scene *s, const initial_state *state, error *e);

#endif
