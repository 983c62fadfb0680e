/* Bodies that are no spheres (geometry/shapes.h), smooth, among themselves, spheres, walls and planes.
 *
 * In flight an axis turns at a constant rate, across the axis: contacts cannot turn a body about it, since their
 * normals pass through it. A body's radius is that of the sphere around it, for all that looks for neighbours. */
#ifndef CAROM_HARD_KERNEL_SHAPES_H
#define CAROM_HARD_KERNEL_SHAPES_H

#include "hard/kernel/features/shape_state.h"

/* As detect_pair and detect_surface, of a body that is no sphere; after `until` the answer is not used. */
static real shapes_detect(const gas *g, uint32_t i, uint32_t j, real now);
static real shapes_detect_surface(const gas *g, uint32_t i, uint32_t index, real until);

/* As `predict`, of any bodies. */
static void shapes_predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p);

#endif
