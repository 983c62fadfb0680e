/* Spheres that turn: what a contact does along the surfaces. */
#ifndef CAROM_HARD_KERNEL_ROTATION_H
#define CAROM_HARD_KERNEL_ROTATION_H

#include "hard/kernel/gas.h"

typedef struct rotation {
    real (*spin)[TURN]; /* angular velocities; scaled as velocities are */
} rotation;

/* What a contact does along the surfaces; v: the velocity before it, of i relative to j or of i. The pair is
 * r = r_i - r_j apart; along the normal the body moves at `approach` < 0, and `press` is the size of the impulse. */
static void friction_pair(gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM],
                          const restitution_law *law, real press);
static void friction_surface(gas *g, uint32_t i, const surface *s, const real v[DIM], real approach,
                             const restitution_law *law, real press);

/* A body's moment of inertia; its energy of motion and spin, times 2^(2 scale), also where nothing turns. */
static double inertia_of(const gas *g, uint32_t i);
static double energy_of_motion(const gas *g, uint32_t i);

#endif
