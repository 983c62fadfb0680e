/* Planes: distances, displacements, and refusals. */
#ifndef CAROM_SCENE_PLANES_H
#define CAROM_SCENE_PLANES_H

#include "scene/scene.h"

/* Refuses planes that are inclined to a periodic axis: they would intersect their own images. */
carom_status scene_refuse_leaning(const scene *s, error *e);

/* Distance of a point from a plane with the displacement `moved` (may be NULL): positive on the side of the
 * particles. */
double scene_plane_height(const scene_plane *plane, const double *moved, const double r[3]);

/* Displacement of a plane by its drive; zeros without a drive. */
void scene_plane_moved(const scene *s, size_t plane, double time, double moved[3]);

/* Adds the displacement by a drive, without rotations. */
void scene_drive_moved(const scene_drive *d, double time, double moved[3]);

#endif
