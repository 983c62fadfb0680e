/* Collision response of bodies that are not spheres. */
#ifndef CAROM_HARD_KERNEL_SHAPES_COLLIDE_H
#define CAROM_HARD_KERNEL_SHAPES_COLLIDE_H

#include "hard/kernel/gas.h"

/* As collide_pair and collide_surface, of bodies of any shape. */
static void shapes_collide(gas *g, uint32_t i, uint32_t j, real t);
static void shapes_hit(gas *g, uint32_t i, uint32_t index, real t);

#endif
