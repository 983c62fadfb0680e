/* The numbers of a state: which of them can be, and how they go into the state hash. */
#ifndef CAROM_HARD_KERNEL_NUMBERS_H
#define CAROM_HARD_KERNEL_NUMBERS_H

#include <string.h>

#include "base/hash.h"
#include "base/real.h"

/* No number of a state is larger: what is left is for the sums of some. */
#if CAROM_REAL == 3
#define REAL_MOST 0x1p120f
#else
#define REAL_MOST ((real)1e300)
#endif

/* Speeds are near one: products of squares are numbers up to here. */
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
