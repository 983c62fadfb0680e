/* Numbers as text, the same in every locale: the decimal point is a point. */
#ifndef CAROM_BASE_NUMBER_H
#define CAROM_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

typedef enum number_fault {
    NUMBER_OK,
    NUMBER_NONE,       /* does not begin like a number */
    NUMBER_JUNK,       /* a number, and then something else (from *used on) */
    NUMBER_HEX,        /* 0x... */
    NUMBER_NOT_FINITE, /* inf, nan in any spelling */
    NUMBER_TOO_LARGE,  /* beyond the range of a double (or of 64 bits) */
    NUMBER_TOO_SMALL,  /* not zero, but would become zero */
    NUMBER_TOO_LONG,   /* more characters than any sensible number */
    NUMBER_NEGATIVE,   /* where a count is wanted */
    NUMBER_FRACTION    /* where a whole number is wanted */
} number_fault;

/* Reads the whole of `text` as a decimal number: [+-] digits with or without a point, an exponent or none. The value is
 * the nearest double. `used` (may be NULL) is how many characters belong to the number. */
number_fault number_read(const char *text, size_t length, double *value, size_t *used);

/* The same for a whole number in [0, 2^64); 1e6 and 5.0 count as whole numbers. */
number_fault number_read_count(const char *text, size_t length, uint64_t *value, size_t *used);

enum { NUMBER_SIZE = 32 };

/* Writes the number with the fewest digits, at least 15, that read back to the same double (trailing zeros cut).
 * Returns the length. "inf", "-inf" and "nan" where it is not finite. */
size_t number_write(char out[NUMBER_SIZE], double value);

#endif
