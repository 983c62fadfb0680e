/* An arena: many small allocations that are freed together. */
#ifndef CAROM_BASE_ARENA_H
#define CAROM_BASE_ARENA_H

#include <stddef.h>

typedef struct arena arena;

arena *arena_create(void); /* NULL if there is no memory */
void arena_free(arena *a); /* and all its allocations; NULL is allowed */

/* count * size zeroed bytes, aligned for any type; NULL when there is no memory or the product overflows. */
void *arena_new(arena *a, size_t count, size_t size);

/* A terminated copy of `length` bytes. */
char *arena_text(arena *a, const char *text, size_t length);

#endif
