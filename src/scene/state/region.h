/* Regions of `place: random`: a part of the box, inside or outside meshes. */
#ifndef CAROM_SCENE_REGION_H
#define CAROM_SCENE_REGION_H

#include "scene/state/build.h"

/* Whether a sphere lies in it as a whole. */
bool region_holds(const scene_region *region, int dimension, const double r[3], double radius);

/* The range of coordinate k of what it holds, of spheres that small. False for the whole box. */
bool region_range(const scene_region *region, int k, double radius, double *low, double *high);

/* The random entries: have meshes an inside, are regions in the box, can they hold what is to be placed? */
carom_status region_check(const build *b, error *e);

/* [mesh_count]: meshes that an entry's particles are never inside of. */
carom_status region_bar_meshes(const build *b, size_t entry, bool *barred, error *e);

#endif
