/* Planes: how far away they are, and what engines without images of them refuse. */
#ifndef CAROM_SCENE_PLANES_H
#define CAROM_SCENE_PLANES_H

#include "scene/scene.h"

/* Planes that lean along a periodic axis would be crossed by their own images. */
carom_status scene_refuse_leaning(const scene *s, error *e);

/* How far a point is from a plane, `moved` (may be NULL) from its place: positive on the side where particles are. */
double scene_plane_height(const scene_plane *plane, const double *moved, const double r[3]);

/* How far a plane has come that a drive moves; zeros where none does. */
void scene_plane_moved(const scene *s, size_t plane, double time, double moved[3]);

/* Adds how far a drive has moved what it moves, turns aside. */
void scene_drive_moved(const scene_drive *d, double time, double moved[3]);

#endif
