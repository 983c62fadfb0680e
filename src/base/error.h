/* Error reports: a status and a text to which lines are added. The library never prints. */
#ifndef CAROM_BASE_ERROR_H
#define CAROM_BASE_ERROR_H

#include <stdarg.h>

#include "carom/carom.h"

typedef struct error {
    carom_status status; /* of the first failure; CAROM_OK if there is none */
    char *text;          /* lines joined by '\n', no newline at the end; NULL while empty */
    size_t length;
    const char *key; /* the setting to change, for callers with access to its path in the scene; NULL: none */
} error;

/* Sets the text (replacing any) and the status; returns the status, so that callers can `return error_set(...)`. The
 * arguments may include the present text. If there is no memory for the text, the text reports this, and the status is
 * set as given. */
carom_status error_set(error *e, carom_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends a line; keeps the first status. */
carom_status error_add(error *e, carom_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

carom_status error_add_list(error *e, carom_status status, const char *format, va_list args);

/* Reports that `bytes` for `what` could not be allocated; CAROM_INTERNAL. The text is "out of memory" alone if there is
 * no memory for the details. */
carom_status error_memory(error *e, const char *what, size_t bytes);

/* The text, never NULL. */
const char *error_text(const error *e);

void error_clear(error *e);

/* Returns from the calling function with the status of `call` unless it is CAROM_OK. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        carom_status try_status_ = (call);                                                                             \
        if (try_status_ != CAROM_OK) return try_status_;                                                               \
    } while (0)

#endif
