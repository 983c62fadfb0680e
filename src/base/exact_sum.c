#include "base/exact_sum.h"

#include <math.h>

enum { CHUNK_BITS = 32, LAST = EXACT_CHUNKS - 1, UNIT = -1075, MANTISSA = 53, MOST_EXPONENT = 1023 };

void exact_settle(exact_sum *s)
{
    for (int k = 0; k < LAST; k++) {
        const int64_t rest = s->chunk[k] & 0xffffffff;
        s->chunk[k + 1] += (s->chunk[k] - rest) / ((int64_t)1 << CHUNK_BITS);
        s->chunk[k] = rest;
    }
    s->deferred = 0;
}

void exact_add_unusual(exact_sum *s, double x)
{
    if (x == 0) return;
    if (!isfinite(x)) {
        s->special += x;
        return;
    }
    const int64_t mantissa = (int64_t)ldexp(x, -UNIT - 1); /* subnormal: a multiple of 2^-1074 */
    s->chunk[0] += mantissa % ((int64_t)1 << (CHUNK_BITS - 1)) * 2;
    s->chunk[1] += mantissa / ((int64_t)1 << (CHUNK_BITS - 1));
    if (++s->deferred == EXACT_DEFERRED) exact_settle(s);
}

static void add_times(exact_sum *s, const exact_sum *other, int sign)
{
    exact_sum settled = *other;
    exact_settle(&settled);
    exact_settle(s);
    for (int k = 0; k <= LAST; k++) s->chunk[k] += sign * settled.chunk[k];
    s->special += sign * settled.special;
    exact_settle(s);
}

void exact_merge(exact_sum *s, const exact_sum *other)
{
    add_times(s, other, 1);
}

void exact_subtract(exact_sum *s, const exact_sum *other)
{
    add_times(s, other, -1);
}

/* Number of bits of the sum, which is settled and not negative. */
static int length_of(const exact_sum *s)
{
    int k = LAST, bits = 0;
    while (k > 0 && s->chunk[k] == 0) k--;
    for (uint64_t rest = (uint64_t)s->chunk[k]; rest != 0; rest >>= 1) bits++;
    return bits > 0 ? k * CHUNK_BITS + bits : 0;
}

static bool bit_at(const exact_sum *s, int bit)
{
    return bit >= 0 && (s->chunk[bit / CHUNK_BITS] >> bit % CHUNK_BITS & 1) != 0;
}

static bool any_below(const exact_sum *s, int bit)
{
    for (int k = 0; k < bit / CHUNK_BITS; k++)
        if (s->chunk[k] != 0) return true;
    return (s->chunk[bit / CHUNK_BITS] & (((int64_t)1 << bit % CHUNK_BITS) - 1)) != 0;
}

/* Rounds a settled sum that is not negative. */
static double round_positive(const exact_sum *s)
{
    const int length = length_of(s), from = length > MANTISSA ? length - MANTISSA : 0; /* first bit that is kept */
    if (length - 1 + UNIT > MOST_EXPONENT) return INFINITY;
    uint64_t kept = 0;
    for (int bit = length - 1; bit >= from; bit--) kept = kept << 1 | bit_at(s, bit);
    if (bit_at(s, from - 1) && ((kept & 1) != 0 || any_below(s, from - 1))) kept++;
    return ldexp((double)kept, from + UNIT); /* exact: subnormal sums have no bit below 2^-1074 */
}

double exact_value(const exact_sum *s)
{
    if (isnan(s->special)) return NAN; /* the sign of an undefined sum depends on the order */
    if (s->special != 0) return s->special;
    exact_sum settled = *s;
    exact_settle(&settled);
    if (settled.chunk[LAST] >= 0) return round_positive(&settled);
    for (int k = 0; k <= LAST; k++) settled.chunk[k] = -settled.chunk[k];
    exact_settle(&settled);
    return -round_positive(&settled);
}

bool exact_are_sound(const exact_sum *s, size_t count)
{
    bool good = true;
    for (size_t n = 0; n < count; n++) {
        const int64_t last = s[n].chunk[LAST];
        good = good && s[n].deferred == 0 && s[n].special == 0 && isfinite(exact_value(&s[n]));
        for (int k = 0; k < LAST; k++) good = good && s[n].chunk[k] >= 0 && s[n].chunk[k] <= 0xffffffff;
        good = good && last >= -1 && last <= 0;
    }
    return good;
}
