/* Regions of `place: random`: a part of the box, inside or outside meshes. */
#ifndef CAROM_SCENE_REGION_H
#define CAROM_SCENE_REGION_H

#include "scene/state/build.h"

/* Length and direction of the axis of a cylinder. */
double region_axis(const scene_region *region, double axis[3]);

/* Whether the region and a triangle have common points. */
bool region_meets(const scene_region *region, const double triangle[3][3]);

/* Whether the region contains the complete sphere. */
bool region_holds(const scene_region *region, int dimension, const double r[3], double radius);

/* The same of an image of the sphere along periodic axes of the box, which has this size. */
bool region_holds_image(const scene_region *region, const scene *s, const double size[3], const double r[3],
                        double radius);

/* A range of centres along a periodic axis: unchanged, or the period if it is longer. Coordinates drawn from it are wrapped. */
void region_limit_range(double period, double *low, double *high);
double region_wrap(double x, double period);

/* The range of coordinate k of the centres of spheres with this radius. False: the whole box. */
bool region_range(const scene_region *region, int k, double radius, double *low, double *high);

double region_volume(const scene_region *region, int dimension);

/* Checks the random entries: whether their meshes have an inside, their regions are in the box, and their particles
 * fit. */
carom_status region_check(const build *b, error *e);

/* The same for the copies of a body, with the diameter of spheres around them. */
carom_status region_check_copies(const build *b, size_t body, double diameter, error *e);

/* Whether regions of inflows contain meshes. */
carom_status region_check_inflows(const build *b, error *e);

/* [mesh_count]: meshes that never enclose particles of an entry, or copies of a body. */
carom_status region_bar_meshes(const build *b, const scene_particles *p, bool *barred, error *e);

#endif
