/* Numbers as text, independent of the locale: the decimal separator is a point. */
#ifndef CAROM_BASE_NUMBER_H
#define CAROM_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

typedef enum number_fault {
    NUMBER_OK,
    NUMBER_NONE,       /* the text does not start with a number */
    NUMBER_JUNK,       /* a number followed by other text (from *used on) */
    NUMBER_HEX,        /* 0x... */
    NUMBER_NOT_FINITE, /* any spelling of inf or nan */
    NUMBER_TOO_LARGE,  /* beyond the range of a double (or of 64 bits) */
    NUMBER_TOO_SMALL,  /* nonzero, but rounds to zero */
    NUMBER_TOO_LONG,   /* more characters than the limit */
    NUMBER_NEGATIVE,   /* negative, for a count */
    NUMBER_FRACTION    /* fractional, for an integer */
} number_fault;

/* Reads the whole of `text` as a decimal number: [+-] digits with or without a point and an exponent. The value is the
 * nearest double. `used` (may be NULL) is the number of characters that belong to the number. */
number_fault number_read(const char *text, size_t length, double *value, size_t *used);

/* The same for an integer in [0, 2^64); 1e6 and 5.0 count as integers. */
number_fault number_read_count(const char *text, size_t length, uint64_t *value, size_t *used);

enum { NUMBER_SIZE = 32 };

/* Writes the number with the fewest digits, at least 15, from which reading returns the same double (without trailing
 * zeros). Returns the length. Other values are "inf", "-inf" and "nan". */
size_t number_write(char out[NUMBER_SIZE], double value);

#endif
