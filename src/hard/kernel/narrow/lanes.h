/* Vectors of small numbers and of indices, beside those of base/lanes.h. */
#ifndef CAROM_HARD_KERNEL_LANES_H
#define CAROM_HARD_KERNEL_LANES_H

#include "base/lanes.h"

#include <stdint.h>

typedef float floats __attribute__((vector_size(32)));

static inline floats floats_of(float x)
{
    return x - (floats){0};
}

static inline floats floats_load(const float *x)
{
    floats a;
    memcpy(&a, x, sizeof a);
    return a;
}

/* One bit for each element. */
static inline unsigned floats_less(floats a, floats b)
{
#if defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ));
#else
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) bits |= (unsigned)(a[k] < b[k]) << k;
    return bits;
#endif
}

/* Eight indices of bodies. Those of halves (16 bits) and bytes read eight of them, in the order of little-endian
 * machines. */
typedef uint32_t indices __attribute__((vector_size(32)));

#if defined(__AVX2__)

static inline indices indices_of_halves(const void *from)
{
    return (indices)_mm256_cvtepu16_epi32(_mm_loadu_si128(from));
}

static inline indices indices_of_bytes(const void *from)
{
    return (indices)_mm256_cvtepu8_epi32(_mm_loadl_epi64(from));
}

#else

typedef uint16_t lane_halves __attribute__((vector_size(16)));
typedef uint8_t lane_bytes __attribute__((vector_size(16)));

static inline indices indices_of(lane_halves a)
{
    const lane_halves zero = {0};
    const lane_halves part[2] = {SHUFFLE(a, zero, 0, 8, 1, 9, 2, 10, 3, 11),
                                 SHUFFLE(a, zero, 4, 12, 5, 13, 6, 14, 7, 15)};
    indices all;
    memcpy(&all, part, sizeof all);
    return all;
}

static inline indices indices_of_halves(const void *from)
{
    lane_halves a;
    memcpy(&a, from, sizeof a);
    return indices_of(a);
}

static inline indices indices_of_bytes(const void *from)
{
    const lane_bytes zero = {0};
    lane_bytes a = zero;
    memcpy(&a, from, 8);
    return indices_of((lane_halves)SHUFFLE(a, zero, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
}

#endif

/* Four indices; the number of those before the first `end`. */
typedef uint32_t quads __attribute__((vector_size(16)));

static inline quads quads_load(const uint32_t *x)
{
    quads a;
    memcpy(&a, x, sizeof a);
    return a;
}

static inline uint32_t quads_before(quads a, uint32_t end)
{
#if defined(__SSE2__)
    const unsigned ends = (unsigned)_mm_movemask_ps((__m128)(a == end));
#else
    unsigned ends = 0;
    for (int k = 0; k < 4; k++) ends |= (unsigned)(a[k] == end) << k;
#endif
    return (uint32_t)__builtin_ctz(ends | 1u << 4);
}

static inline floats floats_of_halves(const void *from)
{
    typedef int32_t integers __attribute__((vector_size(32)));
    return __builtin_convertvector((integers)indices_of_halves(from), floats);
}

#endif
