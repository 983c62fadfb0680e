/* Helfand moments. */
#ifndef CAROM_HARD_KERNEL_TRANSPORT_H
#define CAROM_HARD_KERNEL_TRANSPORT_H

#include "hard/kernel/gas.h"

/* Currents of momentum and energy between two events, in unscaled units. */
typedef struct transport {
    double flow[DIM][DIM], heat_flow[DIM]; /* sums over all bodies: m v_a v_b, and v_a m v^2 / 2 */
    real since;                            /* local time up to which the tallies contain their integrals */
    double energy, virial[3][3];           /* before a collision: energy difference of the pair; the virial tally */
} transport;

/* Call before and after a change of bodies i and j (i has the smaller id; j == i: one body) at local time t. */
static void transport_before(gas *g, uint32_t i, uint32_t j, real t);
static void transport_after(gas *g, uint32_t i, uint32_t j, real t);

#endif
