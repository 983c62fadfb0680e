/* Drives: particles and planes with prescribed motion. */
#ifndef CAROM_VARIATIONAL_DRIVES_H
#define CAROM_VARIATIONAL_DRIVES_H

#include "scene/where.h"
#include "variational/kernel/features/feature.h"

static const feature drives_feature;

/* The time of the next change of a drive's velocity, or of the next check of a start condition. */
static double drives_next(const world *w);

/* Carries out this change or check. */
static carom_status drives_change(world *w, error *e);

/* The place in the scene of the drive of one element of a pair; without a drive, of its mesh, or of the particles. */
static scene_spot drives_spot(const world *w, uint32_t i, uint32_t j);

#endif
