/* Potentials of the user's. */
#ifndef CAROM_VARIATIONAL_POTENTIALS_H
#define CAROM_VARIATIONAL_POTENTIALS_H

#include "variational/kernel/world.h"

/* Gives it a clock. The particles exist. */
static carom_status potentials_add(void *self, const carom_potential *p, error *e);

static void potentials_fire(world *w, const clock *c, double t);

/* What they hold at time t. */
static double potentials_energy(const world *w, double t);

static void potentials_destroy(world *w);

#endif
