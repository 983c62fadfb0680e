/* Particles and planes that only the scene moves. */
#ifndef CAROM_VARIATIONAL_DRIVES_H
#define CAROM_VARIATIONAL_DRIVES_H

#include "variational/kernel/features/feature.h"

static const feature drives_feature;

/* When the next drive changes its velocity, or one that waits looks whether all is at rest. */
static double drives_next(const world *w);

/* The next drive takes its new velocity, or looks. */
static carom_status drives_change(world *w, error *e);

#endif
