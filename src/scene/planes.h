/* Planes and cylinders: how far away they are, and what engines without images of them refuse. */
#ifndef CAROM_SCENE_PLANES_H
#define CAROM_SCENE_PLANES_H

#include "scene/scene.h"

/* Planes that lean along a periodic axis would be crossed by their own images. */
carom_status scene_refuse_leaning(const scene *s, error *e);

/* Likewise cylinders that do not run along it. */
carom_status scene_refuse_crossing(const scene *s, error *e);

/* How far a point is from a plane or a cylinder, `moved` (may be NULL) from its place: positive on the side where
 * particles are. */
double scene_plane_height(const scene_plane *plane, const double *moved, const double r[3]);
double scene_cylinder_height(const scene_cylinder *cylinder, const double *moved, const double r[3]);

/* How far a plane or cylinder has come that a drive moves; zeros where none does. */
void scene_plane_moved(const scene *s, size_t plane, double time, double moved[3]);
void scene_cylinder_moved(const scene *s, size_t cylinder, double time, double moved[3]);

#endif
