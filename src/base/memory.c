#define _GNU_SOURCE
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CACHE_LINE = 64 };

void *memory_new(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - CACHE_LINE) return NULL;
    bytes = bytes == 0 ? CACHE_LINE : (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *block = aligned_alloc(CACHE_LINE, bytes);
    if (block != NULL) memset(block, 0, bytes);
    return block;
}

bool memory_can_hold(size_t bytes)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages <= 0 || page <= 0 || bytes / (size_t)page < (size_t)pages;
}

void *memory_resize(void *block, size_t old_count, size_t count, size_t size)
{
    void *bigger = memory_new(count, size);
    if (bigger == NULL) return NULL;
    if (block != NULL) memcpy(bigger, block, (old_count < count ? old_count : count) * size);
    free(block);
    return bigger;
}

void memory_free(void *block)
{
    free(block);
}

char *memory_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memory_new(size, 1);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

char *memory_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) return NULL;
    char *text = memory_new((size_t)length + 1, 1);
    if (text == NULL) return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}
