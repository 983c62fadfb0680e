/* Text of variable length. A failed allocation sets a flag, after which additions have no effect: callers test it once,
 * at the end. */
#ifndef CAROM_BASE_TEXT_H
#define CAROM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct text_buffer {
    char *data; /* terminated; NULL while empty. Freed with memory_free */
    size_t length, capacity;
    bool failed; /* an allocation has failed */
} text_buffer;

void text_add(text_buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(text_buffer *t, const char *bytes, size_t length);
void text_add_number(text_buffer *t, double value);                  /* as by number_write */
void text_add_rounded(text_buffer *t, double value, int digits);     /* the same with `digits` significant digits */
void text_add_json(text_buffer *t, const char *text, size_t length); /* a JSON string; invalid UTF-8 becomes ? */
void text_free(text_buffer *t);

/* Whether the text ends with `ending`, after at least one other character. */
bool text_ends_in(const char *text, const char *ending);

/* The length of the UTF-8 character at this position; 0 if it is invalid. */
size_t text_character(const char *text);

#endif
