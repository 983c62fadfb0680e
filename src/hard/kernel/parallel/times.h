/* Neighbouring numbers in time. */
#ifndef CAROM_HARD_KERNEL_TIMES_H
#define CAROM_HARD_KERNEL_TIMES_H

#include "base/real.h"

static inline real earlier(real a, real b)
{
    return a < b ? a : b;
}

/* A time before t, of which t is at most two roundings away. */
static inline real just_before(real t)
{
    const real least = CAROM_REAL == 3 ? (real)1e-37 : (real)1e-300;
    return t - (2 * REAL_GRAIN * real_fabs(t) + least);
}

/* A time in double precision that is not later than t. */
static inline double not_later(real t)
{
    const double rounded = (double)t;
    return (real)rounded > t ? nextafter(rounded, -INFINITY) : rounded;
}

#endif
