/* Warnings before a run: what makes it costly or leaves the range of its materials. */
#ifndef CAROM_VARIATIONAL_FORESEE_H
#define CAROM_VARIATIONAL_FORESEE_H

#include "scene/state.h"

/* Calls `say` with each warning, one line. */
void variational_foresee(const scene *s, const initial_state *state, void (*say)(const char *line, void *user),
                         void *user);

#endif
