/* The step of `method: steps`, and the particle that determines it. */
#ifndef CAROM_AGGREGATION_FLIGHT_STEPS_H
#define CAROM_AGGREGATION_FLIGHT_STEPS_H

#include "engine/engine.h"

carom_status flight_steps(const scene *s, const initial_state *state, engine_steps *out, error *e);

#endif
