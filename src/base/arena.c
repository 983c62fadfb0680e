#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = alignof(max_align_t), FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

typedef struct block {
    struct block *next;
    size_t size, used;
    alignas(max_align_t) char data[];
} block;

struct arena {
    block *blocks; /* the first one is the current one */
    size_t block_size;
};

arena *arena_create(void)
{
    arena *a = calloc(1, sizeof *a);
    if (a != NULL) a->block_size = FIRST_BLOCK;
    return a;
}

void arena_free(arena *a)
{
    if (a == NULL) return;
    for (block *b = a->blocks; b != NULL;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    free(a);
}

static block *add_block(arena *a, size_t size)
{
    if (size > SIZE_MAX - sizeof(block)) return NULL;
    block *b = calloc(1, sizeof *b + size);
    if (b == NULL) return NULL;
    b->size = size;
    if (size > a->block_size && a->blocks != NULL) { /* a large one gets its own block; the current block remains */
        b->next = a->blocks->next;
        a->blocks->next = b;
    } else {
        b->next = a->blocks;
        a->blocks = b;
    }
    return b;
}

void *arena_new(arena *a, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) return NULL;
    bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    block *b = a->blocks;
    if (b == NULL || b->size - b->used < bytes) {
        b = add_block(a, bytes > a->block_size ? bytes : a->block_size);
        if (b == NULL) return NULL;
        if (a->block_size < LARGEST_BLOCK) a->block_size *= 2;
    }
    void *place = b->data + b->used;
    b->used += bytes;
    return place;
}

char *arena_text(arena *a, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? arena_new(a, length + 1, 1) : NULL;
    if (copy != NULL && length > 0) memcpy(copy, text, length);
    return copy;
}
