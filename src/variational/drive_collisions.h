/* Well-posedness: what the scene moves must not collide with anything else whose motion is prescribed. */
#ifndef CAROM_VARIATIONAL_DRIVE_COLLISIONS_H
#define CAROM_VARIATIONAL_DRIVE_COLLISIONS_H

#include "scene/state.h"

/* Refuses driven particles and segments that collide with others of other drives, walls or planes before the run ends, naming
 * both and the time. Planes may close up: they squeeze what is between them, which ends the run in its own way. A segment
 * whose ends are in two drives that move is refused: it is not followed. */
carom_status check_drive_collisions(const scene *s, const initial_state *state, error *e);

/* Likewise rigid meshes, and driven vertices of others, among each other and with driven particles. Drives that turn,
 * and triangles whose corners move differently, are not followed; in periodic boxes the images are looked at that are
 * nearest at the start of a motion. */
carom_status check_mesh_collisions(const scene *s, const initial_state *state, error *e);

#endif
