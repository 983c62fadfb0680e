/* Particles and planes that nothing but the scene moves. */
#ifndef CAROM_VARIATIONAL_DRIVES_H
#define CAROM_VARIATIONAL_DRIVES_H

#include "variational/kernel/world.h"

/* Also holds rigid meshes. */
static carom_status drives_create(world *w, const initial_state *state, error *e);
static void drives_destroy(world *w);

/* When the next drive changes its velocity, or one that waits looks whether all is at rest. */
static double drives_next(const world *w);

/* The next drive takes its new velocity, or looks. */
static carom_status drives_change(world *w, error *e);

/* After a checkpoint: what has been changed is not changed again. */
static void drives_catch_up(world *w);

/* What those that wait know; false where none does. For checkpoints. */
static bool drives_state(const world *w, void **data, size_t *bytes);
static bool drives_are_sound(const world *w);

/* Where those stood that drives have taken, and which weigh nothing since, 1 / mass; false where none is left free. */
static bool drives_places(const world *w, void **data, size_t *bytes);
static void drives_set_inverse_masses(const world *w, double *weight);

/* For frames; NULL where none waits. */
static const frame_start *drives_starts(const world *w, size_t *count);

/* What moving the driven particles has cost, without what contacts and springs did to them. */
static double drives_work(const world *w, double t);

#endif
