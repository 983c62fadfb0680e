/* Messages travel on an `error`: a status and a growing text. The library never prints. */
#ifndef CAROM_BASE_ERROR_H
#define CAROM_BASE_ERROR_H

#include <stdarg.h>

#include "carom/carom.h"

typedef struct error {
    carom_status status; /* of the first failure; CAROM_OK while there is none */
    char *text;          /* lines joined by '\n', no newline at the end; NULL while empty */
    size_t length;
    const char *key; /* the setting to change, for a caller that knows its place in the scene; NULL: none */
} error;

/* Sets the text (replacing any) and the status; returns the status, so that callers can `return error_set(...)`. The
 * arguments may include the present text. Where there is no memory for the text it says so, and the status stands. */
carom_status error_set(error *e, carom_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a line below what is there; keeps the first status. */
carom_status error_add(error *e, carom_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

carom_status error_add_list(error *e, carom_status status, const char *format, va_list args);

/* Out of memory while making `what` of `bytes`; CAROM_INTERNAL. The text is "out of memory" alone where even that
 * fails. */
carom_status error_memory(error *e, const char *what, size_t bytes);

/* The text, never NULL. */
const char *error_text(const error *e);

void error_clear(error *e);

/* Leaves the calling function with the status of `call` unless it is CAROM_OK. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        carom_status try_status_ = (call);                                                                             \
        if (try_status_ != CAROM_OK) return try_status_;                                                               \
    } while (0)

#endif
