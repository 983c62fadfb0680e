/* A growing buffer of bytes, for messages. */
#ifndef CAROM_PARALLEL_BUFFER_H
#define CAROM_PARALLEL_BUFFER_H

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

typedef struct buffer {
    char *data;
    size_t size, room;
    bool failed; /* there was no memory for all that was put */
} buffer;

/* Room for `bytes` at the end of the buffer, which then counts as written; NULL without memory. */
static inline void *buffer_extend(buffer *b, size_t bytes)
{
    if (b->size + bytes > b->room) {
        const size_t room = 2 * (b->size + bytes) + 256;
        char *more = memory_resize(b->data, b->room, room, 1);
        if (more == NULL) {
            b->failed = true;
            return NULL;
        }
        b->data = more;
        b->room = room;
    }
    b->size += bytes;
    return b->data + b->size - bytes;
}

static inline void buffer_put(buffer *b, const void *data, size_t bytes)
{
    void *to = buffer_extend(b, bytes);
    if (to != NULL && bytes > 0) memcpy(to, data, bytes);
}

static inline void buffer_clear(buffer *b)
{
    b->size = 0;
    b->failed = false;
}

static inline void buffer_free(buffer *b)
{
    memory_free(b->data);
    *b = (buffer){.data = NULL};
}

#endif
