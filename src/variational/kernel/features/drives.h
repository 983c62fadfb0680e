/* Drives: particles and planes with prescribed motion. */
#ifndef CAROM_VARIATIONAL_DRIVES_H
#define CAROM_VARIATIONAL_DRIVES_H

#include "variational/kernel/features/feature.h"

static const feature drives_feature;

/* The time of the next change of a drive's velocity, or of the next check of a start condition. */
static double drives_next(const world *w);

/* Carries out this change or check. */
static carom_status drives_change(world *w, error *e);

#endif
