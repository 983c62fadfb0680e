/* Parallel runs of the engine `hard`, on the side of the scene: runs that can be divided into domains of space, and runs
 * that gain by it. */
#ifndef CAROM_HARD_DOMAINS_H
#define CAROM_HARD_DOMAINS_H

#include "scene/state.h"

/* A feature of the scene whose events domains cannot execute, as in "a run with ...". NULL: none. */
const char *hard_undivided(const scene *s);

/* Number of threads, at most `cores`, with which a run from this state is faster than with fewer. */
int hard_threads(const scene *s, const initial_state *state, int cores);

#endif
