/* Particles and planes that nothing but the scene moves. */
#ifndef CAROM_VARIATIONAL_DRIVES_H
#define CAROM_VARIATIONAL_DRIVES_H

#include "variational/kernel/world.h"

/* Also holds rigid meshes. */
carom_status drives_create(world *w, const initial_state *state, error *e);
void drives_destroy(world *w);

/* When the next drive changes its velocity. */
double drives_next(const world *w);

/* The next drive takes its new velocity. */
carom_status drives_change(world *w, error *e);

/* After a checkpoint: what has been changed is not changed again. */
void drives_catch_up(world *w);

/* What moving the driven particles has cost, without what contacts and springs did to them. */
double drives_work(const world *w, double t);

#endif
