/* Decimal numbers in text: strict, the same in every locale, correctly rounded, and fast for files of millions. */
#ifndef CAROM_BASE_DECIMAL_H
#define CAROM_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of text[0..length) as a finite number: [+-] digits [. digits] [e [+-] digits], at least one digit before or
 * after the point. false: it is none, or it is too large for a double; *out is then untouched. */
bool decimal_real(const char *text, size_t length, double *out);

/* The whole of text[0..length) as digits only; false also where it exceeds 64 bits. */
bool decimal_integer(const char *text, size_t length, uint64_t *out);

#endif
