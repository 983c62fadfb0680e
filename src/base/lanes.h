/* Vectors of numbers: 8 with AVX-512, 4 with AVX2 and on any other machine, with the same bits. */
#ifndef CAROM_BASE_LANES_H
#define CAROM_BASE_LANES_H

#include <math.h>
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

/* In memory, aligned as numbers are. Rows of structs may contain other types. */
typedef double loose_lanes __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

static inline lanes lanes_of(double x)
{
    return x - (lanes){0};
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

typedef long long lane_masks __attribute__((vector_size(8 * LANES)));

/* For each element: a if all bits of the mask are set, b if none is. */
static inline lanes lanes_choose(lane_masks mask, lanes a, lanes b)
{
    return (lanes)((mask & (lane_masks)a) | (~mask & (lane_masks)b));
}

/* For each element: a if `left` < `right`, else b. */
static inline lanes lanes_pick(lanes left, lanes right, lanes a, lanes b)
{
    return lanes_choose(left < right, a, b);
}

/* a < b ? a : b */
static inline lanes lanes_sooner(lanes a, lanes b)
{
    return lanes_pick(a, b, a, b);
}

#define SHUFFLE __builtin_shufflevector

/* Eight numbers of each of LANES records, transposed: out[k] contains number k of all records. */
static inline void lanes_transpose(const double *const record[LANES], lanes out[8])
{
#if defined(__AVX512F__)
    lanes row[8], pair[8], quad[8];
    for (int k = 0; k < 8; k++) row[k] = *(const loose_lanes *)record[k];
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
        for (int k = 0; k < 4; k++) row[k] = *(const loose_lanes *)(record[k] + half);
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

/* The inverse of lanes_transpose. */
static inline void lanes_store(const lanes in[8], double *const record[LANES])
{
#if defined(__AVX512F__)
    for (int n = 0; n < LANES; n++)
        for (int k = 0; k < 8; k++) record[n][k] = in[k][n];
#else
    for (int half = 0; half < 8; half += 4) {
        lanes pair[4];
        for (int k = 0; k < 4; k += 2) {
            pair[k] = SHUFFLE(in[half + k], in[half + k + 1], 0, 4, 2, 6);
            pair[k + 1] = SHUFFLE(in[half + k], in[half + k + 1], 1, 5, 3, 7);
        }
        for (int k = 0; k < 2; k++) {
            *(loose_lanes *)(record[k] + half) = SHUFFLE(pair[k], pair[k + 2], 0, 1, 4, 5);
            *(loose_lanes *)(record[k + 2] + half) = SHUFFLE(pair[k], pair[k + 2], 2, 3, 6, 7);
        }
    }
#endif
}

/* ---- vectors of three components --------------------------------------------------------------------------------- */

static inline lanes lanes_dot(const lanes a[3], const lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* `out` must differ from a and b. */
static inline void lanes_cross(const lanes a[3], const lanes b[3], lanes out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Splits a vector: the part along a unit vector, and the rest. */
static inline void lanes_split(const lanes a[3], const lanes n[3], lanes along[3], lanes across[3])
{
    const lanes part = lanes_dot(a, n);
    for (int k = 0; k < 3; k++) {
        along[k] = part * n[k];
        across[k] = a[k] - along[k];
    }
}

/* Limits the length of a. */
static inline void lanes_cut(lanes a[3], lanes longest)
{
    const lanes square = lanes_dot(a, a);
    const lanes part = lanes_pick(longest * longest, square, longest / lanes_sqrt(square), lanes_of(1));
    for (int k = 0; k < 3; k++) a[k] *= part;
}

#endif
