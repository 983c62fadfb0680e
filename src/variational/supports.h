/* Bodies and shells that rest on walls and planes at the start. */
#ifndef CAROM_VARIATIONAL_SUPPORTS_H
#define CAROM_VARIATIONAL_SUPPORTS_H

#include "scene/state.h"

/* The weight on a contact with a wall or a plane: of each group of bodies and shells that touch each other, the weight over the
 * number of its vertices and particles within `gap` of a wall or plane below, or the weight of those that have none over four
 * (2D: two) for each of the others, whichever is more; the largest of all groups. 0 if something
 * moves, is driven, loaded or in a potential, enters later, or does not rest, if there are particles that belong to no body,
 * and without memory. */
double supports_load(const scene *s, const initial_state *state, double gap);

#endif
