/* "Did you mean": the nearest of some words. */
#ifndef CAROM_SCENE_SUGGEST_H
#define CAROM_SCENE_SUGGEST_H

#include <stddef.h>

typedef struct suggest {
    const char *text; /* what was written */
    size_t length;
    const char *best; /* the nearest word so far, NULL while none is near enough */
    size_t distance;
} suggest;

suggest suggest_begin(const char *text, size_t length);
void suggest_try(suggest *s, const char *word);

#endif
