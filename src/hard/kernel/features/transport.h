/* What flows through the gas. */
#ifndef CAROM_HARD_KERNEL_TRANSPORT_H
#define CAROM_HARD_KERNEL_TRANSPORT_H

#include "hard/kernel/gas.h"

/* What flows through the gas between two events, in true units. */
typedef struct transport {
    double flow[DIM][DIM], heat_flow[DIM]; /* sums over all bodies: m v_a v_b, and v_a m v^2 / 2 */
    real since;                            /* local time up to which their integrals are in the tallies */
    double energy, virial[3][3];           /* of the pair that collides, and the tally, before */
} transport;

/* Bodies i and j (j == i: one alone) change at local time t: before, and after. */
static void transport_before(gas *g, uint32_t i, uint32_t j, real t);
static void transport_after(gas *g, uint32_t i, uint32_t j, real t);

#endif
