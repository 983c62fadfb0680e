/* Gravity in kicks (variational.gravity: kick), on a clock of its own. Otherwise flights are parabolas. */
#ifndef CAROM_VARIATIONAL_GRAVITY_H
#define CAROM_VARIATIONAL_GRAVITY_H

#include "variational/kernel/features/feature.h"

static const feature gravity_feature;

#endif
