/* Helfand moments. */
#ifndef CAROM_HARD_KERNEL_TRANSPORT_H
#define CAROM_HARD_KERNEL_TRANSPORT_H

#include "hard/kernel/gas.h"

/* Sums over the completed flights and the collisions since the moments are recorded, in unscaled units. */
typedef struct transport_sums {
    exact_sum flow[PLANES];     /* m v_a v_b times the duration of the flight */
    exact_sum heat[DIM];        /* v_a m v^2 / 2 times the duration; in collisions, the energy passed times r_a */
    exact_sum before[DIM][DIM]; /* the virial when the recording started */
} transport_sums;

/* Kinetic energy of body i minus that of body j. */
static double energy_difference(const gas *g, uint32_t i, uint32_t j);

/* Adds the energy that a collision of i and j, at their stored times, has passed: `before` is its energy_difference. */
static void tally_transfer(gas *g, uint32_t i, uint32_t j, double before);

#endif
