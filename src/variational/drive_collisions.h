/* Well-posedness: elements with prescribed motion must not collide with each other. */
#ifndef CAROM_VARIATIONAL_DRIVE_COLLISIONS_H
#define CAROM_VARIATIONAL_DRIVE_COLLISIONS_H

#include "scene/state.h"

/* Refuses driven particles and segments that collide with those of other drives, walls or planes before the end of
 * the run. The message names both and the time. Planes may close up: they squeeze the elements between them, which
 * ends the run in its own way. A segment whose ends are in two moving drives is refused, as its motion is not
 * followed. */
carom_status check_drive_collisions(const scene *s, const initial_state *state, error *e);

/* The same for rigid meshes, and driven vertices of other meshes, among each other and with driven particles.
 * Rotations, and triangles whose corners move differently, are not followed. In periodic boxes the check uses the
 * images that are nearest at the start of a motion. */
carom_status check_mesh_collisions(const scene *s, const initial_state *state, error *e);

#endif
