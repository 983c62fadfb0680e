/* Rounding to whole numbers without a call of the library. */
#ifndef CAROM_BASE_NEAREST_H
#define CAROM_BASE_NEAREST_H

/* To the nearest whole number, ties to even. Exact, with the same bits on every machine, for |x| < 2^51: the sum with
 * 1.5 * 2^52 has no digits behind the point. `rint` is a call where there is no SSE4. */
static inline double nearest_whole(double x)
{
    const double shift = 0x1.8p52;
    return (x + shift) - shift;
}

#endif
