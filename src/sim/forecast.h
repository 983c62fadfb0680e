/* Warnings that need no run: what a scene asks for and its run cannot reach. */
#ifndef CAROM_SIM_FORECAST_H
#define CAROM_SIM_FORECAST_H

#include "scene/state.h"

/* Calls `say` with each warning, one line. */
void forecast(const scene *s, const initial_state *state, void (*say)(const char *line, void *user), void *user);

#endif
