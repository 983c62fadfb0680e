/* Clocks of the gas (gas.h). */
#ifndef CAROM_HARD_KERNEL_CLOCK_H
#define CAROM_HARD_KERNEL_CLOCK_H

#include "hard/kernel/gas.h"

static double gas_true_time(const gas *g, real local);
static real gas_local_time(const gas *g, double time);

/* g->far, as bodies fly now; REAL_NEVER where no axis is periodic (walls are hit in time), or nothing moves. */
static real far_flight(const gas *g);

/* Body i has been made faster from outside: g->far may come before. */
static void fly_farther(gas *g, uint32_t i);

#endif
