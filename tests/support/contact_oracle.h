/* The definition of the stable rule, looked up by bisection: the smallest dt >= 0 with f(dt) <= 0 and f'(dt) < 0, for
 * f = a dt^2 + 2 b dt + c. It shares no formula with geometry/contact.h: where f' < 0, f falls, so that the first dt
 * with f <= 0 can be bisected for. */
#ifndef CAROM_TESTS_CONTACT_ORACLE_H
#define CAROM_TESTS_CONTACT_ORACLE_H

#include <math.h>
#include <stdbool.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

static inline wide oracle_value(double a, double b, double c, wide t)
{
    return ((wide)a * t + 2 * (wide)b) * t + (wide)c;
}

/* The first t in (low, high] with f <= 0, given that f falls there and f(high) <= 0. */
static inline wide oracle_bisect(double a, double b, double c, wide low, wide high)
{
    for (int k = 0; 2 * low < high && k < 5000; k++) { /* down through the powers of two first */
        if (oracle_value(a, b, c, high / 2) <= 0)
            high /= 2;
        else
            low = high / 2;
    }
    for (int k = 0; k < 140; k++) {
        wide middle = low + (high - low) / 2;
        if (oracle_value(a, b, c, middle) <= 0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* false: never. */
static inline bool oracle_contact(double a, double b, double c, wide *dt)
{
    wide turn = a != 0 ? -(wide)b / (wide)a : 0; /* f' < 0: before it (a > 0), after it (a < 0), by b alone (a = 0) */
    *dt = 0;
    if (a == 0) {
        if (b >= 0) return false;
        if (c <= 0) return true;
        *dt = -(wide)c / (2 * (wide)b);
        return true;
    }
    if (a > 0) {
        if (turn <= 0) return false;
        if (c <= 0) return true;
        if (oracle_value(a, b, c, turn) >= 0) return false;
        *dt = oracle_bisect(a, b, c, 0, turn);
        return true;
    }
    wide low = turn > 0 ? turn : 0, high = 1;
    *dt = low;
    if (oracle_value(a, b, c, low) <= 0) return true;
    while (high <= low) high *= 2;
    while (oracle_value(a, b, c, high) > 0) {
        low = high;
        high *= 2;
    }
    *dt = oracle_bisect(a, b, c, low, high);
    return true;
}

/* Is `dt` what the definition gives, but for rounding? A discriminant within rounding of zero may go either way. */
static inline bool oracle_agrees(double a, double b, double c, double dt)
{
    const wide unit = 0x1p-52, smallest = 0x1p-1000;
    wide exact, bb = (wide)b * (wide)b, ac = (wide)a * (wide)c, discriminant = bb - ac;
    wide terms = bb + (ac < 0 ? -ac : ac), size = discriminant < 0 ? -discriminant : discriminant;
    bool hits = oracle_contact(a, b, c, &exact), said = dt < (double)INFINITY;
    if (!(dt >= 0)) return false;
    if (size <= 4 * unit * terms || terms < smallest) return true; /* glancing within rounding, or underflow */
    if (hits && exact > (wide)1.7e308) return true;
    if (hits != said) return false;
    if (!hits) return true;
    wide off = (wide)dt - exact, error = 8 * unit * exact * (1 + terms / size);
    if (off < 0) off = -off;
    return off <= error + (wide)0x1p-1070;
}

#endif
