#define _GNU_SOURCE /* strtod_l */
#include "base/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined __APPLE__
#include <xlocale.h>
#endif

#include "base/memory.h"

/* digits * 10^exponent, the first 19 significant digits of it. */
typedef struct decimal {
    bool negative, exact; /* exact: no digit was left out */
    uint64_t digits;
    int64_t exponent;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *scan_digits(const char *p, const char *end, decimal *d, int *kept, bool fraction)
{
    for (; p < end && is_digit(*p); p++) {
        if (*kept < 19) {
            d->digits = d->digits * 10 + (uint64_t)(*p - '0');
            if (d->digits > 0) ++*kept;
            if (fraction) d->exponent--;
        } else {
            if (*p != '0') d->exact = false;
            if (!fraction) d->exponent++;
        }
    }
    return p;
}

static const char *scan_exponent(const char *p, const char *end, decimal *d)
{
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || !is_digit(*p)) return NULL;
    int64_t value = 0;
    for (; p < end && is_digit(*p); p++)
        if (value < 1000000) value = value * 10 + (*p - '0');
    d->exponent += negative ? -value : value;
    return p;
}

static bool scan(const char *p, const char *end, decimal *d)
{
    int kept = 0;
    *d = (decimal){.exact = true};
    if (p < end && (*p == '-' || *p == '+')) d->negative = *p++ == '-';
    const char *start = p;
    p = scan_digits(p, end, d, &kept, false);
    ptrdiff_t count = p - start;
    if (p < end && *p == '.') {
        start = ++p;
        p = scan_digits(p, end, d, &kept, true);
        count += p - start;
    }
    if (count == 0) return false;
    if (p < end && (*p == 'e' || *p == 'E')) p = scan_exponent(p + 1, end, d);
    return p == end;
}

/* digits / 10^-exponent in whole numbers: a quotient of at least 64 bits, its remainder deciding the rounding. */
static double divide(uint64_t digits, int power)
{
    uint64_t divisor = 1;
    for (int i = 0; i < power; i++) divisor *= 10;
    int up = __builtin_clzll(digits), down = __builtin_clzll(divisor);
    unsigned __int128 numerator = (unsigned __int128)(digits << up) << 63;
    uint64_t normal = divisor << down;
    uint64_t quotient = (uint64_t)(numerator / normal);
    bool rest = numerator % normal != 0;
    int extra = 11 - __builtin_clzll(quotient); /* bits beyond 53 */
    uint64_t half = 1ull << (extra - 1), low = quotient & (2 * half - 1);
    uint64_t mantissa = quotient >> extra;
    if (low > half || (low == half && (rest || (mantissa & 1) != 0))) mantissa++;
    return ldexp((double)mantissa, extra - 63 - up + down);
}

/* What the fast ways cannot do, the C library can. */
static bool by_library(const char *text, size_t length, double *out)
{
    char small[64], *copy = length < sizeof small ? small : NEW_ARRAY(length + 1, char);
    if (copy == NULL) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    double value = INFINITY;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c != (locale_t)0) {
        value = strtod_l(copy, NULL, c);
        freelocale(c);
    }
    if (copy != small) memory_free(copy);
    if (!isfinite(value)) return false;
    *out = value;
    return true;
}

bool decimal_real(const char *text, size_t length, double *out)
{
    decimal d;
    if (!scan(text, text + length, &d)) return false;
    double value;
    if (d.digits == 0) value = 0;
    else if (d.exact && d.exponent == 0 && d.digits <= 1ull << 53) value = (double)d.digits;
    else if (d.exact && d.exponent < 0 && d.exponent >= -19) value = divide(d.digits, (int)-d.exponent);
    else return by_library(text, length, out);
    *out = d.negative ? -value : value;
    return true;
}

bool decimal_integer(const char *text, size_t length, uint64_t *out)
{
    uint64_t value = 0;
    if (length == 0) return false;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
            return false;
    }
    *out = value;
    return true;
}
