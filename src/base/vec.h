/* Products of vectors, in the number type of the file that includes this (base/real.h). In kernels `dot` is that of vectors
 * of CAROM_DIM components. Sums go from the first component to the last: the order is part of the results' bits. */
#ifndef CAROM_BASE_VEC_H
#define CAROM_BASE_VEC_H

#include "base/real.h"

#ifdef CAROM_DIM
static inline real dot(const real a[CAROM_DIM], const real b[CAROM_DIM])
{
    real sum = a[0] * b[0];
    for (int k = 1; k < CAROM_DIM; k++) sum += a[k] * b[k];
    return sum;
}
#endif

static inline real dot2(const real a[2], const real b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static inline real dot3(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* `out` must differ from a and b. */
static inline void cross3(const real a[3], const real b[3], real out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
