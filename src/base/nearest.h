/* Rounding to integers without a library call, for nearest images; in any precision (base/real.h). */
#ifndef CAROM_BASE_NEAREST_H
#define CAROM_BASE_NEAREST_H

#include "base/real.h"

/* 1.5 * 2^n, n the number of digits after the leading one: a sum with it has no fractional digits. */
#if CAROM_REAL == 0
#define REAL_ROUNDER 0x1.8p52
#elif CAROM_REAL == 1
#define REAL_ROUNDER 0x1.8p63L
#elif CAROM_REAL == 2
#define REAL_ROUNDER 0x1.8p112Q
#else
#define REAL_ROUNDER 0x1.8p23f
#endif

/* Nearest integer, ties to even. Exact, with the same bits on every machine, if |x| < REAL_ROUNDER / 3 (double: 2^51).
 * `rint` is a library call without SSE4. */
static inline real nearest_whole(real x)
{
    return (x + REAL_ROUNDER) - REAL_ROUNDER;
}

/* The number of whole periods nearest to the distance d, as a length: d less this length is the distance of nearest
 * images. */
static inline real nearest_periods(real d, real period)
{
    return period * nearest_whole(d / period);
}

#endif
