/* Springs and hinges: potentials between named nodes. */
#ifndef CAROM_VARIATIONAL_SPRINGS_H
#define CAROM_VARIATIONAL_SPRINGS_H

#include "variational/kernel/clocks.h"

/* Reads them from the scene and gives them a clock; refuses a step above the stability bound. */
/* The longest step of springs and shells that is chosen where the scene gives none. */
double longest_material_step(const world *w);

carom_status springs_create(world *w, error *e);

void springs_fire(world *w, const clock *c, double t);

/* What they hold at time t. */
double springs_energy(const world *w, double t);

#endif
