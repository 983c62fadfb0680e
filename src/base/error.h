/* Error reports: a status and a text to which lines are added. The library never prints. */
#ifndef CAROM_BASE_ERROR_H
#define CAROM_BASE_ERROR_H

#include <stdarg.h>

#include "carom/carom.h"

typedef struct error {
    carom_status status; /* of the first failure; CAROM_OK if there is none */
    char *text;          /* lines joined by '\n', no newline at the end; NULL while empty */
    size_t length;
    const char *key;     /* the setting to change, for callers with access to its path in the scene; NULL: none */
    carom_fault *faults; /* the faults of the text that have a place, in their order; each owns the block of `file` */
    size_t fault_count;
} error;

/* The place of a fault. */
typedef struct error_place {
    const char *text;      /* "gas.yaml:12:5", "gas.xyz:4" or "gas.yaml" */
    size_t file_length;    /* bytes of `text` that are the name of the file */
    uint32_t line, column; /* 0: unknown */
    const char *key;       /* path of the key; NULL: none */
} error_place;

/* Sets the text (replacing any) and the status; returns the status, so that callers can `return error_set(...)`. The
 * arguments may include the present text. If there is no memory for the text, the text reports this, and the status is
 * set as given. */
carom_status error_set(error *e, carom_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends a line; keeps the first status. */
carom_status error_add(error *e, carom_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

carom_status error_add_list(error *e, carom_status status, const char *format, va_list args);

/* In a format of error_add_at, scene_refuse or fault_add: separates what is wrong from the remedy. The text has "; " in its
 * place. */
#define HINT "\x01"

/* Replaces HINT in a text; `room` is the size of its buffer. Returns the remedy, or the end of the text. */
char *error_split(char *text, size_t room);

/* Records a fault that a line of the text reports. `hint`: the part of `message` that is the remedy, or its end. Without
 * memory the fault is not recorded. */
void error_note(error *e, error_place at, const char *message, const char *hint);

/* Appends the line "PLACE: error: MESSAGE" and records the fault. */
carom_status error_add_at(error *e, carom_status status, error_place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Sets the text to "FILE:LINE: error: MESSAGE" (line 0: "FILE: error: MESSAGE") and records the fault. */
carom_status error_set_at(error *e, carom_status status, const char *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Moves the lines and the faults of `from`, which is empty afterwards, to the end of `e`. */
void error_move(error *e, error *from);

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
