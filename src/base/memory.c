#define _GNU_SOURCE
#include "base/memory.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64 };

#define HUGE_PAGE ((size_t)2 << 20)
#if defined(__SANITIZE_ADDRESS__) /* gcc's word; clang's: */
#define WATCHED 1
#elif defined(__has_feature)
#define WATCHED __has_feature(address_sanitizer)
#else
#define WATCHED 0
#endif

/* Blocks of this size are mapped: huge pages save misses, untouched pages cost nothing, and those of free blocks return to
 * the system. */
#if WATCHED
#include <sanitizer/asan_interface.h>
#define LARGE ((size_t)PTRDIFF_MAX / 2) /* the sanitizer watches what malloc gives */
#else
#define LARGE (HUGE_PAGE / 2)
#endif

/* Header in front of each block, in a separate cache line. */
typedef struct header {
    void *start;   /* of the allocation */
    size_t mapped; /* number of bytes if it is mapped */
    size_t bytes;  /* requested */
} header;

static atomic_size_t held;

static header header_of(const void *block)
{
    header h;
    memcpy(&h, (const char *)block - sizeof h, sizeof h);
    return h;
}

static void *prepare(char *start, char *block, size_t mapped, size_t bytes)
{
    const header h = {start, mapped, bytes};
    atomic_fetch_add_explicit(&held, bytes, memory_order_relaxed);
    memcpy(block - sizeof h, &h, sizeof h);
    return block;
}

static void *map_large(size_t bytes)
{
    size_t room = bytes + HUGE_PAGE + CACHE_LINE;
    char *start = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return NULL;
    char *block = start + CACHE_LINE;
    block += (HUGE_PAGE - (uintptr_t)block % HUGE_PAGE) % HUGE_PAGE;
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE); /* an optimisation: failure is harmless */
#endif
    return prepare(start, block, room, bytes);
}

void *memory_new(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - LARGE) return NULL;
    bytes = bytes == 0 ? CACHE_LINE : (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (bytes >= LARGE) return memory_can_hold(bytes) ? map_large(bytes) : NULL;
    char *start = aligned_alloc(CACHE_LINE, bytes + CACHE_LINE);
    if (start == NULL) return NULL;
    memset(start, 0, bytes + CACHE_LINE);
    return prepare(start, start + CACHE_LINE, 0, bytes);
}

bool memory_can_hold(size_t bytes)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages <= 0 || page <= 0 || bytes / (size_t)page < (size_t)pages;
}

bool memory_headroom(size_t more)
{
    size_t bytes;
    if (__builtin_add_overflow(more, (size_t)4 << 20, &bytes)) return false;
    void *room = memory_new(bytes, 1);
    if (room == NULL) return false;
    memory_free(room);
    return true;
}

void *memory_resize(void *block, size_t old_count, size_t count, size_t size)
{
    void *bigger = memory_new(count, size);
    if (bigger == NULL) return NULL;
    if (block != NULL) memcpy(bigger, block, (old_count < count ? old_count : count) * size);
    memory_free(block);
    return bigger;
}

void memory_free(void *block)
{
    if (block == NULL) return;
    const header h = header_of(block);
    atomic_fetch_sub_explicit(&held, h.bytes, memory_order_relaxed);
    if (h.mapped > 0)
        munmap(h.start, h.mapped);
    else
        free(h.start);
}

bool memory_is_large(const void *block)
{
    return header_of(block).mapped > 0;
}

void memory_release(void *block)
{
    const header h = header_of(block);
    if (h.mapped > 0) (void)madvise(block, h.bytes, MADV_DONTNEED); /* failure: the pages stay */
}

void memory_hide(void *block)
{
#if WATCHED
    __asan_poison_memory_region(block, header_of(block).bytes);
#else
    (void)block;
#endif
}

void memory_show(void *block)
{
#if WATCHED
    __asan_unpoison_memory_region(block, header_of(block).bytes);
#else
    (void)block;
#endif
}

size_t memory_held(void)
{
    return atomic_load_explicit(&held, memory_order_relaxed);
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
