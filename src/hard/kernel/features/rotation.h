/* Rotating spheres: tangential impulses. */
#ifndef CAROM_HARD_KERNEL_ROTATION_H
#define CAROM_HARD_KERNEL_ROTATION_H

#include "hard/kernel/gas.h"

typedef struct rotation {
    real (*spin)[TURN]; /* angular velocities, scaled like velocities */
} rotation;

/* Applies the tangential impulse of a contact. v: velocity before it, of i relative to j or to the surface; r = r_i -
 * r_j; `approach` < 0: normal velocity; `press`: size of the normal impulse. That at a surface returns the
 * dissipated energy, which the caller tallies. */
static void friction_pair(gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM],
                          const restitution_law *law, real press);
static double friction_surface(gas *g, uint32_t i, const surface *s, const real v[DIM], real approach,
                               const restitution_law *law, real press);

/* The same after the normal impulse of a slow contact, with the policy `sleep`. w_i, w_j: inverse masses, 0 of a body
 * that stays asleep; v: velocity before the contact; u: velocity of the surface; `press`: size of the normal impulse with
 * that of the regularisation. */
static void friction_slow_pair(gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM], real w_i, real w_j,
                               const restitution_law *law, real press);
static double friction_slow_surface(gas *g, uint32_t i, const surface *s, const real u[DIM], real approach,
                                    const restitution_law *law, real press);

/* Whether a contact of bodies exerts a tangential impulse that no coefficient of friction bounds, at surfaces that
 * slide faster than the sleeping speed. */
static bool friction_drags(const gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM],
                           const restitution_law *law);

/* Moment of inertia of a body; kinetic energy with rotation, times 2^(2 scale), also for scenes without rotation. */
static double inertia_of(const gas *g, uint32_t i);
static double energy_of_motion(const gas *g, uint32_t i);

#endif
