/* The histogram of the distances of pairs at their collisions, in spacings of the numbers: the effect of rounding. */
#ifndef CAROM_HARD_KERNEL_IMPACTS_H
#define CAROM_HARD_KERNEL_IMPACTS_H

#include "hard/kernel/gas.h"

typedef struct impacts {
    uint64_t *count; /* [IMPACT_BINS] */
    double *density; /* [IMPACT_BINS] */
} impacts;

#endif
