/* Vectors of numbers: 8 with AVX-512, 4 with AVX2 and on any other machine, with the same bits. */
#ifndef CAROM_HARD_KERNEL_LANES_H
#define CAROM_HARD_KERNEL_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
enum { LANES = 8 };
#else
#if defined(__SSE2__)
#include <immintrin.h>
#endif
enum { LANES = 4 };
#endif

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef float floats __attribute__((vector_size(32)));

static inline lanes lanes_of(double x)
{
    return x - (lanes){0};
}

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

#if defined(__AVX512F__)

static inline lanes lanes_sqrt(lanes a)
{
    return (lanes)_mm512_sqrt_pd((__m512d)a);
}

/* a > b ? a : b */
static inline lanes lanes_later(lanes a, lanes b)
{
    return (lanes)_mm512_max_pd((__m512d)a, (__m512d)b);
}

/* One bit for each element. */
static inline unsigned lanes_less(lanes a, lanes b)
{
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
}

#elif defined(__AVX2__)

static inline lanes lanes_sqrt(lanes a)
{
    return (lanes)_mm256_sqrt_pd((__m256d)a);
}

static inline lanes lanes_later(lanes a, lanes b)
{
    return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
}

static inline unsigned lanes_less(lanes a, lanes b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_LT_OQ));
}

#else

static inline lanes lanes_sqrt(lanes a)
{
    for (int k = 0; k < LANES; k++) a[k] = sqrt(a[k]);
    return a;
}

static inline lanes lanes_later(lanes a, lanes b)
{
    for (int k = 0; k < LANES; k++) a[k] = a[k] > b[k] ? a[k] : b[k];
    return a;
}

static inline unsigned lanes_less(lanes a, lanes b)
{
    unsigned bits = 0;
    for (int k = 0; k < LANES; k++) bits |= (unsigned)(a[k] < b[k]) << k;
    return bits;
}

#endif

/* For each element: a if `left` < `right`, else b. */
typedef long long lane_masks __attribute__((vector_size(8 * LANES)));
static inline lanes lanes_pick(lanes left, lanes right, lanes a, lanes b)
{
    const lane_masks less = left < right;
    return (lanes)((less & (lane_masks)a) | (~less & (lane_masks)b));
}

#define SHUFFLE __builtin_shufflevector

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

/* Eight numbers of each of LANES records, transposed: out[k] contains number k of all records. */
static inline void lanes_transpose(const double *const record[LANES], lanes out[8])
{
#if defined(__AVX512F__)
    lanes row[8], pair[8], quad[8];
    for (int k = 0; k < 8; k++) row[k] = *(const lanes *)record[k];
    for (int k = 0; k < 8; k += 2) {
        pair[k] = SHUFFLE(row[k], row[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pair[k + 1] = SHUFFLE(row[k], row[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 8; k += 4)
        for (int odd = 0; odd < 2; odd++) {
            quad[k + odd] = SHUFFLE(pair[k + odd], pair[k + 2 + odd], 0, 1, 4, 5, 8, 9, 12, 13);
            quad[k + 2 + odd] = SHUFFLE(pair[k + odd], pair[k + 2 + odd], 2, 3, 6, 7, 10, 11, 14, 15);
        }
    for (int k = 0; k < 4; k++) {
        out[k] = SHUFFLE(quad[k], quad[k + 4], 0, 1, 4, 5, 8, 9, 12, 13);
        out[k + 4] = SHUFFLE(quad[k], quad[k + 4], 2, 3, 6, 7, 10, 11, 14, 15);
    }
#else
    for (int half = 0; half < 8; half += 4) {
        lanes row[4], pair[4];
        for (int k = 0; k < 4; k++) row[k] = *(const lanes *)(record[k] + half);
        for (int k = 0; k < 4; k += 2) {
            pair[k] = SHUFFLE(row[k], row[k + 1], 0, 4, 2, 6);
            pair[k + 1] = SHUFFLE(row[k], row[k + 1], 1, 5, 3, 7);
        }
        for (int k = 0; k < 2; k++) {
            out[half + k] = SHUFFLE(pair[k], pair[k + 2], 0, 1, 4, 5);
            out[half + k + 2] = SHUFFLE(pair[k], pair[k + 2], 2, 3, 6, 7);
        }
    }
#endif
}

#endif
