/* Exact sums of doubles, which do not depend on the order of the additions: fixed-point numbers that cover all
 * exponents, in chunks of 32 bits with room for deferred carries (Neal, arXiv:1505.05571: the small superaccumulator).
 * A sum is rounded once, when its value is read. */
#ifndef CAROM_BASE_EXACT_SUM_H
#define CAROM_BASE_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    EXACT_CHUNKS = 67,    /* the last ones have room for the overflow of 2^63 additions */
    EXACT_DEFERRED = 2047 /* additions after which carries are due: each adds less than 2^52 to a chunk */
};

/* All zeros: the sum 0. */
typedef struct exact_sum {
    int64_t chunk[EXACT_CHUNKS]; /* the sum is that of chunk[k] 2^(32 k - 1075) */
    uint64_t deferred;           /* additions since the last carry */
    double special;              /* sum of the infinite and undefined values */
} exact_sum;

/* Carries: chunks are in [0, 2^32) except the last, which has the sign. Equal sums then have equal bytes. */
void exact_settle(exact_sum *s);

/* Adds zeros, subnormal, infinite and undefined values. */
void exact_add_unusual(exact_sum *s, double x);

static inline void exact_add(exact_sum *s, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t exponent = bits >> 52 & 0x7ff, mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
    if (exponent - 1 >= 0x7fe) {
        exact_add_unusual(s, x);
        return;
    }
    const uint64_t low = mantissa << (exponent & 31) & 0xffffffff, high = mantissa >> (32 - (exponent & 31));
    const uint64_t sign = bits >> 63 != 0 ? UINT64_MAX : 0; /* (x ^ sign) - sign: -x */
    int64_t *at = s->chunk + (exponent >> 5);
    at[0] += (int64_t)((low ^ sign) - sign);
    at[1] += (int64_t)((high ^ sign) - sign);
    if (++s->deferred == EXACT_DEFERRED) exact_settle(s);
}

/* Adds, or subtracts, another sum. */
void exact_merge(exact_sum *s, const exact_sum *other);
void exact_subtract(exact_sum *s, const exact_sum *other);

/* The double nearest to the sum; of two, the even one. */
double exact_value(const exact_sum *s);

/* Whether these numbers of a file are settled sums without infinite or undefined values. */
bool exact_are_sound(const exact_sum *s, size_t count);

#endif
