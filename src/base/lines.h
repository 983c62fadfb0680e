/* A text taken apart into lines and words, as the readers of data files do. */
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
    size_t number; /* of the line read last, from 1 */
} lines;

/* Begins after a byte order mark, where there is one. */
lines lines_begin(const char *text, size_t length);

/* The next line without its end; false at the end of the text. */
bool lines_next(lines *l, span *line);

/* Takes the next word off a line; an empty one at its end. */
span span_word(span *line);

bool span_is_blank(char c); /* a space or a tab */
bool span_is(span s, const char *text);

/* A printable excerpt, for messages. */
typedef struct excerpt {
    char text[32];
} excerpt;

excerpt excerpt_of(span s);

#endif
