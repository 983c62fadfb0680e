/* Thermal walls. */
#ifndef CAROM_HARD_KERNEL_THERMAL_H
#define CAROM_HARD_KERNEL_THERMAL_H

#include "hard/kernel/gas.h"

typedef struct thermal_walls {
    uint64_t *emissions; /* number of hits of thermal walls, for each body */
} thermal_walls;

/* Re-emits body i from a wall of this temperature with unit normal n and velocity u. */
static void thermal_emit(gas *g, uint32_t i, const real n[DIM], const real u[DIM], double temperature);

#endif
