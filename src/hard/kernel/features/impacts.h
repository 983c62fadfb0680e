/* The histogram of contact distances at which pairs collide, in spacings of the numbers: what rounding makes of them. */
#ifndef CAROM_HARD_KERNEL_IMPACTS_H
#define CAROM_HARD_KERNEL_IMPACTS_H

#include "hard/kernel/gas.h"

typedef struct impacts {
    uint64_t *count; /* [IMPACT_BINS] */
    double *density; /* [IMPACT_BINS] */
} impacts;

#endif
