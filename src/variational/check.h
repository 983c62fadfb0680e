/* Checks of the engine `variational`. */
#ifndef CAROM_VARIATIONAL_CHECK_H
#define CAROM_VARIATIONAL_CHECK_H

#include "scene/state.h"

/* Refuses scenes with incompatible settings and features. */
carom_status variational_check(const scene *s, error *e);

/* Refuses initial states with elements that are too small, too many, or on collision course by drives. */
carom_status variational_check_state(const scene *s, const initial_state *state, error *e);

#endif
