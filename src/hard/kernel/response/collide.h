/* Collision response. */
#ifndef CAROM_HARD_KERNEL_COLLIDE_H
#define CAROM_HARD_KERNEL_COLLIDE_H

#include "hard/kernel/gas.h"

/* Carries out the collision of bodies i and j at local time t; i has the smaller id. */
static void collide_pair(gas *g, uint32_t i, uint32_t j, real t);

/* Coefficient of restitution of an impact at `speed` of bodies with their last contacts at `last`; `law`: an index of
 * scene.laws. */
static double contact_restitution(const gas *g, uint32_t law, double speed, real last, real t);

/* Records a contact of i. */
static void contact_done(gas *g, uint32_t i, real t, double speed);

/* Adds an impulse, divided by r, to the virial, and the dissipated energy to its tally. */
static void tally_pair(gas *g, const real r[DIM], real impulse_per_r, double dissipated);

/* Carries out the collision of body i with a boundary at local time t. */
static void collide_surface(gas *g, uint32_t i, uint32_t index, real t);
static void collide_exact(gas *g, uint32_t i, uint32_t index, real t);
static void collide_element(gas *g, uint32_t i, uint32_t index, real t);

#endif
