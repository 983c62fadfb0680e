#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400, MOST_DIGITS = 17, FEWEST_DIGITS = 15 };

__extension__ typedef unsigned __int128 wide;

/* Powers of ten that a double holds exactly. */
static const double exact_tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { LARGEST_EXACT_TEN = 22 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* A parsed number: mantissa * 10^exponent, if it fits. */
typedef struct parts {
    bool negative, nonzero, fits; /* fits: all digits are in the mantissa */
    uint64_t mantissa;
    int64_t exponent;
} parts;

static bool begins_with(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    if (length < n) return false;
    for (size_t i = 0; i < n; i++)
        if (lower(text[i]) != word[i]) return false;
    return true;
}

static void take_digit(parts *p, char c, bool after_point)
{
    uint64_t grown;
    p->fits = p->fits && !__builtin_mul_overflow(p->mantissa, (uint64_t)10, &grown) &&
              !__builtin_add_overflow(grown, (uint64_t)(c - '0'), &grown);
    if (p->fits) {
        p->mantissa = grown;
        if (after_point) p->exponent--;
    } else if (!after_point) {
        p->exponent++;
    }
    if (c != '0') p->nonzero = true;
}

/* The length of an exponent ("e-5") at text; 0 if there is none. */
static size_t take_exponent(parts *p, const char *text, size_t length)
{
    size_t i = 0;
    if (i == length || lower(text[i]) != 'e') return 0;
    i++;
    bool negative = i < length && text[i] == '-';
    if (i < length && (text[i] == '-' || text[i] == '+')) i++;
    if (i == length || !is_digit(text[i])) return 0;
    int64_t exponent = 0;
    for (; i < length && is_digit(text[i]); i++)
        if (exponent < 1000000) exponent = exponent * 10 + (text[i] - '0');
    p->exponent += negative ? -exponent : exponent;
    return i;
}

static number_fault take_apart(const char *text, size_t length, parts *p, size_t *used)
{
    size_t i = 0, digits = 0;
    *p = (parts){.fits = true};
    *used = 0;
    if (length > 0 && (text[0] == '-' || text[0] == '+')) p->negative = text[i++] == '-';
    const char *rest = text + i;
    if (begins_with(rest, length - i, "0x")) return NUMBER_HEX;
    const char *const words[] = {"inf", ".inf", "infinity", "nan", ".nan"};
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        if (length - i == strlen(words[w]) && begins_with(rest, length - i, words[w])) return NUMBER_NOT_FINITE;
    for (; i < length && is_digit(text[i]); i++, digits++) take_digit(p, text[i], false);
    if (i < length && text[i] == '.' && (digits > 0 || (i + 1 < length && is_digit(text[i + 1]))))
        for (i++; i < length && is_digit(text[i]); i++, digits++) take_digit(p, text[i], true);
    if (digits == 0) return NUMBER_NONE;
    i += take_exponent(p, text + i, length - i);
    *used = i;
    if (i < length) return NUMBER_JUNK;
    return length > LONGEST ? NUMBER_TOO_LONG : NUMBER_OK;
}

/* strtod in the C locale. */
static double convert(const char *text, size_t length)
{
    char copy[LONGEST + 1];
    memcpy(copy, text, length);
    copy[length] = '\0';
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c != (locale_t)0 ? uselocale(c) : (locale_t)0;
    double value = strtod(copy, NULL);
    if (c != (locale_t)0) {
        uselocale(before);
        freelocale(c);
    }
    return value;
}

/* mantissa / 10^power rounded to the nearest double, in integer arithmetic: a quotient of at least 63 bits, with the
 * remainder for ties. Nearly all numbers of 16 to 19 digits are converted here, far faster than by the library. */
static double divide(uint64_t mantissa, int power)
{
    uint64_t divisor = 1;
    for (int i = 0; i < power; i++) divisor *= 10;
    int up = __builtin_clzll(mantissa), down = __builtin_clzll(divisor);
    wide numerator = (wide)(mantissa << up) << 63;
    uint64_t normal = divisor << down;
    uint64_t quotient = (uint64_t)(numerator / normal);
    bool rest = numerator % normal != 0;
    int extra = 11 - __builtin_clzll(quotient); /* bits beyond 53 */
    uint64_t half = (uint64_t)1 << (extra - 1), low = quotient & (2 * half - 1);
    uint64_t kept = quotient >> extra;
    if (low > half || (low == half && (rest || (kept & 1) != 0))) kept++;
    return ldexp((double)kept, extra - 63 - up + down);
}
enum { LARGEST_WHOLE_TEN = 19 }; /* 10^19 < 2^64 */

number_fault number_read(const char *text, size_t length, double *value, size_t *used)
{
    parts p;
    size_t taken;
    *value = 0;
    number_fault fault = take_apart(text, length, &p, &taken);
    if (used != NULL) *used = taken;
    if (fault != NUMBER_OK) return fault;
    /* Mantissa and power of ten are both exact: one operation rounds correctly. */
    if (p.fits && p.mantissa <= (uint64_t)1 << 53 && llabs((long long)p.exponent) <= LARGEST_EXACT_TEN) {
        double m = (double)p.mantissa;
        *value = p.exponent < 0 ? m / exact_tens[-p.exponent] : m * exact_tens[p.exponent];
        if (p.negative) *value = -*value;
        return NUMBER_OK;
    }
    if (p.fits && p.exponent < 0 && p.exponent >= -LARGEST_WHOLE_TEN) {
        *value = divide(p.mantissa, (int)-p.exponent);
        if (p.negative) *value = -*value;
        return NUMBER_OK;
    }
    *value = convert(text, length);
    if (!isfinite(*value)) return NUMBER_TOO_LARGE;
    return *value == 0 && p.nonzero ? NUMBER_TOO_SMALL : NUMBER_OK;
}

number_fault number_read_count(const char *text, size_t length, uint64_t *value, size_t *used)
{
    parts p;
    size_t taken;
    *value = 0;
    number_fault fault = take_apart(text, length, &p, &taken);
    if (used != NULL) *used = taken;
    if (fault != NUMBER_OK) return fault;
    if (p.negative && p.nonzero) return NUMBER_NEGATIVE;
    if (!p.nonzero) return NUMBER_OK;
    if (!p.fits) return p.exponent < 0 ? NUMBER_FRACTION : NUMBER_TOO_LARGE;
    for (; p.exponent < 0; p.exponent++) {
        if (p.mantissa % 10 != 0) return NUMBER_FRACTION;
        p.mantissa /= 10;
    }
    for (; p.exponent > 0; p.exponent--)
        if (__builtin_mul_overflow(p.mantissa, (uint64_t)10, &p.mantissa)) return NUMBER_TOO_LARGE;
    *value = p.mantissa;
    return NUMBER_OK;
}

/* Output. value = m 2^-s with m an integer below 2^53. For ordinary sizes m 10^k fits into 128 bits, so that all
 * decisions about its digits are exact in integers. */

static wide wide_ten(int k)
{
    wide value = 1;
    for (int i = 0; i < k; i++) value *= 10;
    return value;
}

static bool fits_wide(double value)
{
    return value >= 1e-5 && value < 1e14;
}

/* The decimal digits of value with `digits` significant ones, if reading them returns value; 0 otherwise. The number is
 * result * 10^(*exponent). */
static uint64_t digits_in_wide(double value, int digits, int *exponent)
{
    int binary;
    uint64_t m = (uint64_t)ldexp(frexp(value, &binary), 53);
    int s = 53 - binary; /* value = m 2^-s */
    int k = digits - 1 - (int)floor(log10(value));
    wide exact = (wide)m * wide_ten(k); /* the digits are exact / 2^s, rounded */
    wide half = (wide)1 << (s - 1);
    uint64_t result = (uint64_t)((exact + half) >> s);
    wide back = (wide)result << s;
    wide off = back > exact ? back - exact : exact - back;
    wide room = wide_ten(k) / (m == (uint64_t)1 << 52 ? 4 : 2); /* half the distance to the next double */
    if (off >= room) return 0;
    *exponent = -k;
    return result;
}

/* Removes trailing zeros and writes digits * 10^exponent in the format of %g. */
static size_t write_digits(char *out, uint64_t digits, int exponent)
{
    char text[24];
    for (; digits % 10 == 0; exponent++) digits /= 10;
    int n = snprintf(text, sizeof text, "%llu", (unsigned long long)digits);
    int point = n + exponent; /* digits before the decimal point */
    if (exponent >= 0 && point <= MOST_DIGITS) {
        memcpy(out, text, (size_t)n);
        memset(out + n, '0', (size_t)exponent);
        return (size_t)point;
    }
    if (point > 0 && point <= MOST_DIGITS) {
        memcpy(out, text, (size_t)point);
        out[point] = '.';
        memcpy(out + point + 1, text + point, (size_t)(n - point));
        return (size_t)n + 1;
    }
    if (point <= 0 && point > -4) {
        memcpy(out, "0.", 2);
        memset(out + 2, '0', (size_t)-point);
        memcpy(out + 2 - point, text, (size_t)n);
        return (size_t)(2 - point + n);
    }
    size_t length = 0;
    out[length++] = text[0];
    if (n > 1) out[length++] = '.';
    memcpy(out + length, text + 1, (size_t)(n - 1));
    length += (size_t)(n - 1);
    return length + (size_t)snprintf(out + length, 8, "e%d", point - 1);
}

/* For numbers far from one: print and read back. The digits are those of %e, in which the locale affects the point
 * only. */
static uint64_t digits_by_printing(double value, int digits, int *exponent)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    uint64_t result = 0;
    char *c = text;
    for (; *c != 'e'; c++)
        if (is_digit(*c)) result = result * 10 + (uint64_t)(*c - '0');
    *exponent = atoi(c + 1) - (digits - 1);
    char plain[40];
    double back;
    int length = snprintf(plain, sizeof plain, "%llue%d", (unsigned long long)result, *exponent);
    return number_read(plain, (size_t)length, &back, NULL) == NUMBER_OK && back == value ? result : 0;
}

size_t number_write(char out[NUMBER_SIZE], double value)
{
    if (!isfinite(value) || value == 0) {
        const char *word = isnan(value) ? "nan" : value > 0 ? "inf" : value < 0 ? "-inf" : signbit(value) ? "-0" : "0";
        memcpy(out, word, strlen(word) + 1);
        return strlen(word);
    }
    char *place = out;
    if (value < 0) *place++ = '-';
    double size = fabs(value);
    uint64_t digits = 0;
    int exponent = 0;
    for (int n = FEWEST_DIGITS; n <= MOST_DIGITS && digits == 0; n++)
        digits = (fits_wide(size) ? digits_in_wide : digits_by_printing)(size, n, &exponent);
    place += write_digits(place, digits, exponent);
    *place = '\0';
    return (size_t)(place - out);
}
