/* The energy of all penalty layers at a gap, summed up: in units of k eta^2, the gap in units of the thickness 2
 * eta. */
#ifndef CAROM_TESTS_LAYER_SUM_H
#define CAROM_TESTS_LAYER_SUM_H

#include <math.h>

static inline double layer_sum(double gap, int p)
{
    double sum = 0;
    for (double l = 1; l * gap < 1; l++) sum += l * pow(1 - l * gap, p);
    return 8.0 / (p * (p - 1)) * sum;
}

/* The gap at which they hold an energy. */
static inline double layer_gap(double energy, int p)
{
    double low = 1e-9, high = 1;
    for (int k = 0; k < 60 && high / low > 1 + 1e-12; k++) {
        double middle = sqrt(low * high);
        *(layer_sum(middle, p) > energy ? &low : &high) = middle;
    }
    return low;
}

#endif
