/* The histogram of the distances of pairs at their collisions, in spacings of the numbers: the effect of rounding. */
#ifndef CAROM_HARD_KERNEL_IMPACTS_H
#define CAROM_HARD_KERNEL_IMPACTS_H

#include "hard/kernel/gas.h"

typedef struct impacts {
    uint64_t *count;  /* [IMPACT_BINS] */
    uint64_t *sixths; /* [IMPACT_BINS] six times the sum of the inverse widths */
    double *density;  /* [IMPACT_BINS] that sum, for frames */
} impacts;

static void tally_impact(gas *g, real distance, real s);

#endif
