/* Meshes as the engine `hard` knows them: boundaries. */
#ifndef CAROM_HARD_MESHES_H
#define CAROM_HARD_MESHES_H

#include "scene/state.h"

/* Are they rigid, and are all particles clear of them at the start? */
carom_status hard_check_meshes(const scene *s, const initial_state *state, error *e);

#endif
