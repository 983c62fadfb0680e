/* Text that grows. A failed allocation is remembered, and what follows is ignored: look once, at the end. */
#ifndef CAROM_BASE_TEXT_H
#define CAROM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct text_buffer {
    char *data; /* terminated; NULL while empty. Freed with memory_free */
    size_t length, capacity;
    bool failed; /* there was no memory */
} text_buffer;

void text_add(text_buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(text_buffer *t, const char *bytes, size_t length);
void text_add_number(text_buffer *t, double value);              /* as number_write does */
void text_add_rounded(text_buffer *t, double value, int digits); /* ... to so many significant digits */
void text_free(text_buffer *t);

/* Whether the ending is all of the text but its beginning, which is not empty. */
bool text_ends_in(const char *text, const char *ending);

/* The bytes of the UTF-8 character that begins here; 0 where none does. */
size_t text_character(const char *text);

#endif
