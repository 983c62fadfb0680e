/* Rounding to whole numbers without a call of the library, for nearest images; in any precision (base/real.h). */
#ifndef CAROM_BASE_NEAREST_H
#define CAROM_BASE_NEAREST_H

#include "base/real.h"

/* 1.5 * 2^n, with n the digits of a number after the first: a sum with it has no digits behind the point. */
#if CAROM_REAL == 0
#define REAL_ROUNDER 0x1.8p52
#elif CAROM_REAL == 1
#define REAL_ROUNDER 0x1.8p63L
#elif CAROM_REAL == 2
#define REAL_ROUNDER 0x1.8p112Q
#else
#define REAL_ROUNDER 0x1.8p23f
#endif

/* To the nearest whole number, ties to even. Exact, with the same bits on every machine, where |x| < REAL_ROUNDER / 3
 * (double: 2^51). `rint` is a call where there is no SSE4. */
static inline real nearest_whole(real x)
{
    return (x + REAL_ROUNDER) - REAL_ROUNDER;
}

/* Whole periods, as near to the distance d as can be: d less these is the distance of nearest images. */
static inline real nearest_periods(real d, real period)
{
    return period * nearest_whole(d / period);
}

#endif
