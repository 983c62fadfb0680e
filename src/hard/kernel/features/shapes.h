/* Bodies that are not spheres (geometry/shapes.h): smooth, in contact with each other, spheres, walls and planes.
 *
 * In flight the axis rotates at a constant rate about a perpendicular direction. Contacts exert no torque along the
 * axis, since their normals intersect it. The radius of a body is that of the sphere around it, for all neighbour
 * searches. */
#ifndef CAROM_HARD_KERNEL_SHAPES_H
#define CAROM_HARD_KERNEL_SHAPES_H

#include "hard/kernel/features/shape_state.h"

/* As detect_pair and detect_surface, for a body that is not a sphere. Results after `until` are not used. */
static real shapes_detect(const gas *g, uint32_t i, uint32_t j, real now);
static real shapes_detect_surface(const gas *g, uint32_t i, uint32_t index, real until);

/* As `predict`, for bodies of any shape. */
static void shapes_predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p);

#endif
