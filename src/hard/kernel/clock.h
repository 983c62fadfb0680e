/* Clocks of the gas (gas.h). */
#ifndef CAROM_HARD_KERNEL_CLOCK_H
#define CAROM_HARD_KERNEL_CLOCK_H

#include "hard/kernel/gas.h"

static double gas_true_time(const gas *g, real local);
static real gas_local_time(const gas *g, double time);

/* g->far for the present velocities: local time by which a re-basing is due. REAL_NEVER if no axis is periodic (flights
 * end at walls), or if nothing moves. */
static real far_flight(const gas *g);
static real far_at_speed(const gas *g, real speed); /* for this largest component of a velocity */

/* Updates g->far after an external change of the velocity of body i. */
static void fly_farther(gas *g, uint32_t i);

#endif
