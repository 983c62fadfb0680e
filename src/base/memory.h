/* Allocation: zeroed, with overflow checks, and with a status (never an abort) if there is no memory. */
#ifndef CAROM_BASE_MEMORY_H
#define CAROM_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* count * size zeroed bytes, aligned to a cache line (64 bytes); NULL when there is no memory or the product
 * overflows. Zero bytes give a valid pointer. Freed with memory_free. */
void *memory_new(size_t count, size_t size);

/* Whether a typical machine can hold that many bytes. Operating systems grant more memory than they have, and kill the
 * process that uses it. */
bool memory_can_hold(size_t bytes);

/* Whether `more` bytes, and four MiB for the small allocations of a library, are available at present. It is called
 * before HDF5, which crashes if one of its allocations fails. */
bool memory_headroom(size_t more);

/* Grows (or shrinks) a block of memory_new from old_count to count elements, new ones zeroed. On failure the old
 * block stays valid and NULL is returned. */
void *memory_resize(void *block, size_t old_count, size_t count, size_t size);

void memory_free(void *block);

/* Whether a block is so large that it has pages of its own: pages that are not used take no memory. */
bool memory_is_large(const void *block);
/* Returns the pages of a large block: its contents are lost. */
void memory_release(void *block);

/* Makes the address sanitizer report access to the contents of a block, until memory_show. Without it: no effect. */
void memory_hide(void *block);
void memory_show(void *block);

/* Bytes in all blocks that have not been freed. */
size_t memory_held(void);

char *memory_text(const char *text); /* a copy of a string */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define NEW_ARRAY(count, type) ((type *)memory_new((count), sizeof(type)))

#endif
