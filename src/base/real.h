/* The number type of a kernel that is compiled for several precisions: CAROM_REAL is 0 for double (the default),
 * 1 for long double, 2 for quad, 3 for float. REAL_GRAIN is the spacing of its numbers at one. */
#ifndef CAROM_BASE_REAL_H
#define CAROM_BASE_REAL_H

#include <math.h>
#include <stdint.h>

#ifndef CAROM_REAL
#define CAROM_REAL 0
#endif

#if CAROM_REAL == 0
typedef double real;
#define real_sqrt sqrt
#define real_sin sin
#define real_cos cos
#define real_fabs fabs
#define real_rint rint
#define real_floor floor
#define real_ldexp ldexp
#define real_frexp frexp
#define REAL_GRAIN 0x1p-52
#define REAL_NAME(name) name##_double
#elif CAROM_REAL == 1
typedef long double real;
#define real_sqrt sqrtl
#define real_sin sinl
#define real_cos cosl
#define real_fabs fabsl
#define real_rint rintl
#define real_floor floorl
#define real_ldexp ldexpl
#define real_frexp frexpl
#define REAL_GRAIN 0x1p-63L
#define REAL_NAME(name) name##_long_double
#elif CAROM_REAL == 2
#include <quadmath.h>
typedef __float128 real;
#define real_sqrt sqrtq
#define real_sin sinq
#define real_cos cosq
#define real_fabs fabsq
#define real_rint rintq
#define real_floor floorq
#define real_ldexp ldexpq
#define real_frexp frexpq
#define REAL_GRAIN 0x1p-112Q
#define REAL_NAME(name) name##_quad
#else
typedef float real;
#define real_sqrt sqrtf
#define real_sin sinf
#define real_cos cosf
#define real_fabs fabsf
#define real_rint rintf
#define real_floor floorf
#define real_ldexp ldexpf
#define real_frexp frexpf
#define REAL_GRAIN 0x1p-23f
#define REAL_NAME(name) name##_float
#endif

/* At least double, for quantities that have to stay distinguishable over a whole run: the absolute time. */
#if CAROM_REAL == 3
typedef double real_wide;
#else
typedef real real_wide;
#endif

/* Type of angles, with the same resolution after a long time as after a short one (for quad: the best available). */
#if CAROM_REAL == 2
typedef real real_long;
#define real_long_fmod fmodq
#define REAL_LONG_TURN 6.283185307179586476925286766559005768Q
#else
typedef long double real_long;
#define real_long_fmod fmodl
#define REAL_LONG_TURN 6.283185307179586476925286766559005768L
#endif

#define REAL_NEVER ((real)INFINITY)

/* The number of representable steps from b > 0 up to a > 0 (down: negative); at most `most` in magnitude. */
static inline int64_t real_steps(real a, real b, int64_t most)
{
    int power_a, power_b;
    real_frexp(a, &power_a);
    real_frexp(b, &power_b);
    if (power_a > power_b + 1) return most;
    if (power_a < power_b - 1) return -most;
    /* There may be a power of two in between, at which the spacing changes. */
    real turn = power_a == power_b ? b : real_ldexp(1, (power_a > power_b ? power_a : power_b) - 1);
    real steps = (a - turn) / real_ldexp(REAL_GRAIN, power_a - 1) + (turn - b) / real_ldexp(REAL_GRAIN, power_b - 1);
    if (steps >= (real)most) return most;
    return steps <= -(real)most ? -most : (int64_t)steps;
}

/* Length of the interval that rounds to a > 0, in spacings of the numbers above b > 0. Below a power of two the spacing
 * is half of that above it. */
static inline double real_width(real a, real b)
{
    int power_a, power_b;
    const real mantissa = real_frexp(a, &power_a);
    real_frexp(b, &power_b);
    return ldexp(mantissa == (real)0.5 ? 0.75 : 1, power_a - power_b);
}

#endif
