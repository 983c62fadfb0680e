/* Thermal walls. */
#ifndef CAROM_HARD_KERNEL_THERMAL_H
#define CAROM_HARD_KERNEL_THERMAL_H

#include "hard/kernel/gas.h"

typedef struct thermal_walls {
    uint64_t *emissions; /* hits of thermal walls by each body */
} thermal_walls;

/* Body i has hit something of that temperature, of unit normal n, which moves at u. */
static void thermal_emit(gas *g, uint32_t i, const real n[DIM], const real u[DIM], double temperature);

#endif
