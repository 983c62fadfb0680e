/* Creation of an initial state that its caller can stop. */
#ifndef CAROM_SCENE_WATCH_H
#define CAROM_SCENE_WATCH_H

#include "scene/state.h"

/* Receives the fraction of the particles with random places that are placed. Returns false to stop (CAROM_EARLY). */
typedef bool state_watch(double fraction, void *user);

/* As state_create. */
carom_status state_create_watched(initial_state *state, const scene *s, state_watch *watch, void *user, error *e);

#endif
