/* Scenes and initial states that the engine `hard` refuses. */
#ifndef CAROM_HARD_CHECK_H
#define CAROM_HARD_CHECK_H

#include "scene/state.h"

/* Refuses combinations of settings and features that `hard` does not support. */
carom_status hard_check(const scene *s, error *e);

/* Refuses values of an initial state that are too small, too large or too many. */
carom_status hard_check_state(const scene *s, const initial_state *state, error *e);

#endif
