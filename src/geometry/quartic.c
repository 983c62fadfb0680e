#include "geometry/quartic.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* sum over k <= degree of part[k] 2^power[k] t^k; separate exponents, so that nothing overflows or underflows. */
typedef struct polynomial {
    int degree;
    double part[5]; /* of size [1/2, 1), or 0 */
    int power[5];
} polynomial;

enum { FULL_BITS = 52, NEGLIGIBLE = -1000 };

static uint64_t to_bits(double t)
{
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double t;
    memcpy(&t, &bits, sizeof t);
    return t;
}

static polynomial split(const double c[5], double sign)
{
    polynomial p = {.degree = 4};
    for (int k = 0; k < 5; k++) p.part[k] = sign * frexp(c[k], &p.power[k]);
    return p;
}

/* The derivative over a positive constant. */
static polynomial derivative(const polynomial *p)
{
    polynomial d = {.degree = p->degree - 1};
    for (int k = 0; k <= d.degree; k++) {
        int shift;
        d.part[k] = frexp(p->part[k + 1] * (k + 1), &shift);
        d.power[k] = p->power[k + 1] + shift;
    }
    return d;
}

/* Coefficients in m with t = m 2^exponent, divided by a positive factor so that the largest is about one. */
static void at_scale(const polynomial *p, int exponent, double out[5])
{
    int largest = -(1 << 20);
    for (int k = 0; k <= p->degree; k++) {
        int power = p->power[k] + k * exponent;
        if (p->part[k] != 0.0 && power > largest) largest = power;
    }
    for (int k = 0; k <= p->degree; k++) {
        int power = p->part[k] == 0.0 ? NEGLIGIBLE - 1 : p->power[k] + k * exponent - largest;
        out[k] = power < NEGLIGIBLE ? 0.0 : p->part[k] * from_bits((uint64_t)(1023 + power) << FULL_BITS);
    }
}

static double high_half(double x)
{
    double big = 0x1.0000002p27 * x;
    return big - (big - x);
}

/* Horner's scheme with a second sum of its rounding errors (Graillat, Langlois and Louvet, 2005): as accurate as twice
 * the precision, which distinguishes grazing passages from contacts. All numbers are of order 1. */
static double horner(const double c[5], int degree, double m)
{
    const double m1 = high_half(m), m2 = m - m1;
    double sum = c[degree], errors = 0.0;
    for (int k = degree - 1; k >= 0; k--) {
        double product = sum * m, s1 = high_half(sum), s2 = sum - s1;
        double product_error = s2 * m2 - (((product - s1 * m1) - s2 * m1) - s1 * m2);
        sum = product + c[k];
        double part = sum - product;
        errors = errors * m + (product_error + ((product - (sum - part)) + (c[k] - part)));
    }
    return sum + errors;
}

/* A number with the sign of p(t), t >= 0. */
static double value(const polynomial *p, double t)
{
    if (t == 0.0) return p->part[0];
    int exponent;
    double scaled[5], m = frexp(t, &exponent);
    at_scale(p, exponent, scaled);
    return horner(scaled, p->degree, m);
}

static bool negative(const polynomial *p, double t)
{
    return value(p, t) < 0.0;
}

/* As first_change, for low and high between the same powers of two: the ITP method (Oliveira and Takahashi, ACM
 * Trans. Math. Softw. 47, 5 (2020)), which never takes more steps than bisection plus one. */
static double change_in_binade(const polynomial *p, double low, double high, bool wanted)
{
    int exponent;
    double c[5], a = frexp(low, &exponent), b = ldexp(high, -exponent);
    at_scale(p, exponent, c);
    double fa = horner(c, p->degree, a), fb = horner(c, p->degree, b);
    const double ulp = 0x1p-53, narrowing = 0.2 / (b - a);
    double reach = 0x1p-53;
    while (reach < b - a) reach *= 2.0;
    while (b - a > ulp) {
        double half = 0.5 * (a + b), chord = fb != fa ? (fb * a - fa * b) / (fb - fa) : half;
        double side = half >= chord ? 1.0 : -1.0, push = narrowing * (b - a) * (b - a);
        double m = push <= fabs(half - chord) ? chord + side * push : half;
        double allowed = fmax(reach - 0.5 * (b - a), 0.0);
        if (!(fabs(m - half) <= allowed)) m = half - side * allowed;
        m = fmin(fmax(m, a + ulp), b - ulp);
        double f = horner(c, p->degree, m);
        if ((f < 0.0) == wanted) {
            b = m;
            fb = f;
        } else {
            a = m;
            fa = f;
        }
        reach *= 0.5;
    }
    return ldexp(b, exponent);
}

/* The first double after low at which `negative` equals its value at high, which differs from that at low. */
static double first_change(const polynomial *p, double low, double high, bool wanted)
{
    uint64_t a = to_bits(low), b = to_bits(high);
    while (b - a > 1) {
        if (a >> FULL_BITS == b >> FULL_BITS && a >> FULL_BITS != 0) {
            return change_in_binade(p, from_bits(a), from_bits(b), wanted);
        }
        uint64_t middle = a + (b - a) / 2;
        if (negative(p, from_bits(middle)) == wanted)
            b = middle;
        else
            a = middle;
    }
    return from_bits(b);
}

/* The sign changes of p on t > 0, given those of its derivative. Returns their number. */
static int changes(const polynomial *p, const double *turns, int turn_count, double out[4])
{
    int count = 0;
    double low = 0.0;
    for (int i = 0; i <= turn_count; i++) {
        double high = i < turn_count ? turns[i] : DBL_MAX;
        bool after = negative(p, high);
        if (negative(p, low) != after) out[count++] = first_change(p, low, high, after);
        low = high;
    }
    return count;
}

/* The first nonzero coefficient from c[1] on: the initial slope of f. */
static double start_slope(const double c[5])
{
    for (int k = 1; k < 5; k++) {
        if (c[k] != 0.0) return c[k];
    }
    return 0.0;
}

double quartic_contact(const double c[5])
{
    for (int k = 0; k < 5; k++) assert(isfinite(c[k]));
    if (c[0] <= 0.0 && start_slope(c) < 0.0) return 0.0;
    if (c[1] >= 0.0 && c[2] >= 0.0 && c[3] >= 0.0 && c[4] >= 0.0) return INFINITY;

    const polynomial f = split(c, 1.0), outside = split(c, -1.0); /* negative if f > 0 */
    const polynomial slope = derivative(&f), bend = derivative(&slope), third = derivative(&bend);
    double none[1] = {0.0}, thirds[4], bends[4], slopes[4];
    int count = changes(&third, none, 0, thirds);
    count = changes(&bend, thirds, count, bends);
    count = changes(&slope, bends, count, slopes);

    double low = 0.0;
    for (int i = 0; i <= count; i++) {
        double high = i < count ? slopes[i] : DBL_MAX;
        if (negative(&slope, low)) {
            if (value(&f, low) <= 0.0) return low;
            if (value(&f, high) < 0.0) return first_change(&outside, low, high, false);
        }
        low = high;
    }
    return INFINITY;
}
