/* What the engine `hard` refuses. */
#ifndef CAROM_HARD_CHECK_H
#define CAROM_HARD_CHECK_H

#include "scene/state.h"

/* Of a scene: settings and features that do not go together. */
carom_status hard_check(const scene *s, error *e);

/* Of an initial state: what is too small, too large or too many. */
carom_status hard_check_state(const scene *s, const initial_state *state, error *e);

#endif
