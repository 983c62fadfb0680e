/* "Did you mean": the nearest of several words. */
#ifndef CAROM_SCENE_SUGGEST_H
#define CAROM_SCENE_SUGGEST_H

#include <stddef.h>

typedef struct suggest {
    const char *text; /* the word in the text */
    size_t length;
    const char *best; /* the nearest word so far, NULL if none is near enough */
    size_t distance;
} suggest;

suggest suggest_begin(const char *text, size_t length);
void suggest_try(suggest *s, const char *word);

#endif
