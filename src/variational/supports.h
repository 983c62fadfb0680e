/* Bodies and shells that rest on walls and planes at the start. */
#ifndef CAROM_VARIATIONAL_SUPPORTS_H
#define CAROM_VARIATIONAL_SUPPORTS_H

#include "scene/state.h"

/* An estimate of the largest weight on a contact. A group consists of bodies and shells that touch each other. Its weight is
 * divided by the number of its vertices and particles within `gap` of a wall or plane below; the weight of its members that have
 * none by four (2D: two) for each of the other members. The result is the larger of both, the largest of all groups. 0 if
 * something moves, is driven, loaded or in a potential, enters later, or does not rest, if there are particles that belong to no
 * body, and without memory. */
double supports_load(const scene *s, const initial_state *state, double gap);

#endif
