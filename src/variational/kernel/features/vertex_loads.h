/* Loads on vertices of shells: a force of constant direction, and a couple that follows the vertices. They have no clock:
 * each vertex receives its part of a load in the kicks of the finest class of its elements, where it acts against the
 * forces of the material in one sum. A balanced vertex thus receives no kick, damping and contacts see no motion of it, and
 * no step becomes shorter. */
#ifndef CAROM_VARIATIONAL_VERTEX_LOADS_H
#define CAROM_VARIATIONAL_VERTEX_LOADS_H

#include "variational/kernel/features/shells.h"

/* Adds the loads on nodes of a class to their forces, and their work since the last kick to that on driven elements. By
 * one thread. */
static void vertex_loads_act(world *w, const shell_class *c, double t);

#endif
