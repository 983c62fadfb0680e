/* Valid ranges of the numbers of a state, and their part of the state hash. */
#ifndef CAROM_HARD_KERNEL_NUMBERS_H
#define CAROM_HARD_KERNEL_NUMBERS_H

#include <string.h>

#include "base/hash.h"
#include "base/real.h"

/* Largest number of a state: sums of some of them do not overflow. */
#if CAROM_REAL == 3
#define REAL_MOST 0x1p120f
#else
#define REAL_MOST ((real)1e300)
#endif

/* Largest velocity; velocities are near 1. Products of their squares do not overflow. */
#define SPEED_MOST ((real)(CAROM_REAL == 3 ? 1e15 : 1e50))

static inline bool is_number(real x)
{
    return x == x;
}

static inline bool within(const real *x, int count, real most)
{
    for (int k = 0; k < count; k++)
        if (!(real_fabs(x[k]) <= most)) return false;
    return true;
}

static inline uint64_t hash_real(uint64_t hash, real x)
{
    unsigned char bytes[sizeof x] = {0};
    memcpy(bytes, &x, CAROM_REAL == 1 && sizeof x > 10 ? 10 : sizeof x);
    return hash_bytes(hash, bytes, sizeof bytes);
}

#endif
