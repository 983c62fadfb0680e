/* Boundaries of the engine `hard` beside walls and planes at rest: rigid meshes, and what drives move. */
#ifndef CAROM_HARD_MESHES_H
#define CAROM_HARD_MESHES_H

#include "scene/state.h"

/* Are they of kinds that there are, and are all particles clear of them at the start? */
carom_status hard_check_meshes(const scene *s, const initial_state *state, error *e);

#endif
