/* Sums and maxima over all bodies, on which the state or a decision depends. Sums are exact, so that they do not depend
 * on the order of the bodies. Velocities are the stored ones, times 2^scale. */
#ifndef CAROM_HARD_KERNEL_TOTALS_H
#define CAROM_HARD_KERNEL_TOTALS_H

#include "hard/kernel/gas.h"

static real total_mass(const gas *g);
static real total_momentum(const gas *g, int k); /* along axis k */
static real total_square(const gas *g);          /* of the velocities */
static double total_kinetic(const gas *g);       /* without rotation */
static real total_radius(const gas *g);

static double rms_speed(const gas *g);

/* Parts of the sum of squares: adds that of body i; the r.m.s. speed of `count` bodies from the sum, which is lost. */
static void total_add_square(const gas *g, uint32_t i, exact_sum *sum);
static double total_rms(exact_sum *sum, uint32_t count);

/* Largest component of a velocity: of body i, and of all. */
static real fastest_of(const gas *g, uint32_t i);
static real fastest(const gas *g);

#endif
