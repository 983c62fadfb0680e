/* The number type of a kernel that is compiled for several precisions: CAROM_REAL is 0 for double (the default),
 * 1 for long double, 2 for quad. */
#ifndef CAROM_BASE_REAL_H
#define CAROM_BASE_REAL_H

#include <math.h>

#ifndef CAROM_REAL
#define CAROM_REAL 0
#endif

#if CAROM_REAL == 0
typedef double real;
#define real_sqrt sqrt
#define real_fabs fabs
#define real_rint rint
#define real_floor floor
#define real_ldexp ldexp
#define REAL_NAME(name) name##_double
#elif CAROM_REAL == 1
typedef long double real;
#define real_sqrt sqrtl
#define real_fabs fabsl
#define real_rint rintl
#define real_floor floorl
#define real_ldexp ldexpl
#define REAL_NAME(name) name##_long_double
#else
#include <quadmath.h>
typedef __float128 real;
#define real_sqrt sqrtq
#define real_fabs fabsq
#define real_rint rintq
#define real_floor floorq
#define real_ldexp ldexpq
#define REAL_NAME(name) name##_quad
#endif

#define REAL_NEVER ((real)INFINITY)

#endif
