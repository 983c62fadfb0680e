/* Division of a text into lines and words, for the readers of data files. */
#ifndef CAROM_BASE_LINES_H
#define CAROM_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct span {
    const char *start;
    size_t length;
} span;

typedef struct lines {
    const char *at, *end;
    size_t number; /* of the last line read, from 1 */
} lines;

/* Starts after a byte order mark, if there is one. */
lines lines_begin(const char *text, size_t length);

/* The next line without its line end; false at the end of the text. */
bool lines_next(lines *l, span *line);

/* Removes the next word from a line and returns it; empty at the end of the line. */
span span_word(span *line);

bool span_is_blank(char c); /* a space or a tab */
bool span_is(span s, const char *text);

/* A printable excerpt, for messages. */
typedef struct excerpt {
    char text[32];
} excerpt;

excerpt excerpt_of(span s);

#endif
