/* Potentials of the user. */
#ifndef CAROM_VARIATIONAL_POTENTIALS_H
#define CAROM_VARIATIONAL_POTENTIALS_H

#include "variational/kernel/features/feature.h"

/* Adds a potential and its clock. The particles must exist. */
static carom_status potentials_add(void *self, const carom_potential *p, error *e);

static const feature potentials_feature;

#endif
