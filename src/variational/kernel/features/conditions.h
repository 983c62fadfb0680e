/* Conditions of the scene (`when`): scene/gates.h. */
#ifndef CAROM_VARIATIONAL_CONDITIONS_H
#define CAROM_VARIATIONAL_CONDITIONS_H

#include "scene/gates.h"
#include "variational/kernel/world.h"

/* Checks more often than contacts act would only take time: without a limit, a run might not end. */
static carom_status condition_check_interval(const world *w, scene_spot at, double every, error *e);

/* Whether the condition is met at time t. */
static bool condition_is_met(const world *w, const scene_condition *when, double t);

#endif
