/* Detects contact times from a quartic that are no contact, or late: samples in quad precision find none before.
 * Bytes become a quartic. */
#include "geometry/quartic.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 quad;

typedef struct stream {
    const uint8_t *at, *end;
} stream;

static uint8_t byte(stream *s)
{
    return s->at < s->end ? *s->at++ : 0;
}

static double any_double(stream *s)
{
    uint64_t bits = 0;
    double x;
    for (int k = 0; k < 8; k++) bits = bits << 8 | byte(s);
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 0.0;
}

static double coefficient(stream *s)
{
    switch (byte(s) % 4) {
    case 0:
        return any_double(s);
    case 1:
        return (int8_t)byte(s);
    case 2:
        return ldexp((int8_t)byte(s), (int8_t)byte(s));
    default:
        return ldexp((int8_t)byte(s), 7 * (int8_t)byte(s));
    }
}

static void read_quartic(stream *s, double c[5])
{
    uint8_t kind = byte(s);
    if (kind % 3 != 0) {
        for (int k = 0; k < 5; k++) c[k] = kind % 3 == 2 && kind >> (3 + k) & 1 ? 0.0 : coefficient(s);
        return;
    }
    /* from roots, some of them double, and a push */
    double size = ldexp((int8_t)byte(s), (kind >> 3) - 16);
    c[0] = 1.0;
    for (int k = 1; k < 5; k++) c[k] = 0.0;
    for (int n = 0; n < 4; n++) {
        double root = ldexp((int8_t)byte(s), -4);
        for (int k = n + 1; k > 0; k--) c[k] = c[k - 1] - root * c[k];
        c[0] *= -root;
    }
    for (int k = 0; k < 5; k++) c[k] *= size;
    c[0] += ldexp((int8_t)byte(s), -(int)byte(s) % 64);
}

/* f and f' over the sum of the sizes of their terms: -1 to 1. */
static void relative(const double c[5], double t, double *f, double *slope)
{
    quad sum = 0, size = 0, slope_sum = 0, slope_size = 0, power = 1, before = 0;
    for (int k = 0; k < 5; k++) {
        quad term = c[k] * power, slope_term = k * (quad)c[k] * before;
        sum += term;
        size += term < 0 ? -term : term;
        slope_sum += slope_term;
        slope_size += slope_term < 0 ? -slope_term : slope_term;
        before = power;
        power *= t;
    }
    *f = size > 0 ? (double)(sum / size) : 0.0;
    *slope = slope_size > 0 ? (double)(slope_sum / slope_size) : 0.0;
}

static void fail(const double c[5], double t, double at, const char *what)
{
    fprintf(stderr, "%s: t = %a, at %a, c = {%a, %a, %a, %a, %a}\n", what, t, at, c[0], c[1], c[2], c[3], c[4]);
    abort();
}

static void none_at(const double c[5], double t, double at)
{
    double f, slope;
    if (!(at >= 0.0) || at >= t || isinf(at)) return;
    relative(c, at, &f, &slope);
    if (f < -1e-25 && slope < -1e-14) fail(c, t, at, "missed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    stream s = {data, data + size};
    double c[5], f, slope;
    read_quartic(&s, c);
    for (int k = 0; k < 5; k++) {
        if (!isfinite(c[k])) return 0;
    }
    double t = quartic_contact(c);
    if (!(t >= 0.0)) fail(c, t, t, "not a time");
    if (isfinite(t)) {
        relative(c, t, &f, &slope);
        if (f > 1e-25) fail(c, t, t, "no overlap");
        if (slope > 1e-14) fail(c, t, t, "not closing");
        for (double at = t, k = 0; k < 4 && at > 0.0; k++) none_at(c, t, at = nextafter(at, 0.0));
    }
    none_at(c, t, 0.0);
    /* elsewhere by chance, but the same for the same input: evenly, closing in on t or on 0, and over all doubles */
    uint64_t dice = 1;
    for (size_t k = 0; k < size; k++) dice = (dice ^ data[k]) * 0x100000001b3ull;
    double reach = isfinite(t) ? t : 16.0;
    for (int k = 0; k < 48; k++) {
        dice = dice * 6364136223846793005ull + 1442695040888963407ull;
        double u = (double)(dice >> 11) * 0x1p-53, near = ldexp(u, -(int)(dice >> 4 & 63));
        double all = exp2(-1074.0 + 2098.0 * u);
        none_at(c, t, k % 4 == 0 ? reach * u : k % 4 == 1 ? reach * (1.0 - near) : k % 4 == 2 ? reach * near : all);
    }
    return 0;
}
