/* Checks of the settings and the initial state for the engine `aggregation`, with the messages of refusals. */
#ifndef CAROM_AGGREGATION_CHECK_H
#define CAROM_AGGREGATION_CHECK_H

#include "scene/state.h"

carom_status aggregation_check(const scene *s, error *e);
carom_status aggregation_check_state(const scene *s, const initial_state *state, error *e);
unsigned aggregation_tallies(const scene *s);

#endif
