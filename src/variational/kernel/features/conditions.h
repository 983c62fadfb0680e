/* Conditions of the scene (`when`). Checks are at multiples of `every`, regardless of other events: the moment at which a
 * condition holds depends on the state alone. */
#ifndef CAROM_VARIATIONAL_CONDITIONS_H
#define CAROM_VARIATIONAL_CONDITIONS_H

#include "scene/where.h"
#include "variational/kernel/world.h"

typedef struct condition_checks {
    uint64_t count, slow; /* number of checks, and of those in succession at which all points were slow */
} condition_checks;

/* Checks more often than contacts act would only take time: without a limit, a run might not end. */
static carom_status condition_check_interval(const world *w, scene_spot at, double every, error *e);

static double condition_next(const scene_condition *when, const condition_checks *checks);

/* Carries out the check at time t. Returns whether the condition holds. */
static bool condition_check(const world *w, const scene_condition *when, condition_checks *checks, double t);

/* Of a checkpoint. */
static bool condition_is_sound(const scene_condition *when, const condition_checks *checks, double now);

#endif
