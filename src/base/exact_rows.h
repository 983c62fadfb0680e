/* Exact sums of the columns of a table: the result of exact_add for all numbers, at a fraction of the cost.
 *
 * Adding and subtracting a large number splits a number at a fixed binary digit. All leading parts of a column are
 * multiples of the same power of two, so large that their sum in double precision is exact; so are the parts that follow
 * (Rump, Ogita and Oishi, SIAM J. Sci. Comput. 31, 189 (2008)). Columns of which anything remains after two parts, or
 * at the limits of the exponents, are added number by number. The columns are the elements of vectors. */
#ifndef CAROM_BASE_EXACT_ROWS_H
#define CAROM_BASE_EXACT_ROWS_H

#include <math.h>
#include <stddef.h>

#include "base/exact_sum.h"

#if defined(__AVX512F__)
enum { EXACT_LANES = 8 };
#elif defined(__AVX2__)
enum { EXACT_LANES = 4 };
#else
enum { EXACT_LANES = 2 };
#endif
enum {
    EXACT_ROWS_LOG = 6,
    EXACT_ROWS = 1 << EXACT_ROWS_LOG,
    EXACT_COLUMNS = 8,
    EXACT_PARTS = EXACT_COLUMNS / EXACT_LANES
};

typedef double exact_lanes __attribute__((vector_size(8 * EXACT_LANES)));
typedef int64_t exact_bits __attribute__((vector_size(8 * EXACT_LANES)));

#define EXACT_SIZES(x) ((exact_bits)(x)&INT64_MAX) /* sizes of the elements, as bits */

/* 1.5 times a power of two, for numbers of which the sum of the sizes is `all`: of the numbers x, (splitter + x) -
 * splitter is the leading part, and the sum of these parts has at most 53 bits. Undefined: they cannot be split. `down`:
 * for the parts that follow those of this splitter, of at most half its last digit each. */
static inline double exact_splitter(double all, int down)
{
    if (all == 0) return 1;
    if (!(all > 0x1p-900 && all < 0x1p1000)) return (double)NAN;
    uint64_t bits;
    memcpy(&bits, &all, sizeof bits);
    bits = ((bits >> 52) + 2 - (uint64_t)down) << 52 | (uint64_t)1 << 51;
    memcpy(&all, &bits, sizeof all);
    return all;
}

static inline void exact_add_column(exact_sum *sum, const double *x, int rows)
{
    for (int n = 0; n < rows; n++) exact_add(sum, x[n * EXACT_COLUMNS]);
}

/* Adds the columns of a table with at most EXACT_ROWS rows to the sums. */
static inline void exact_add_rows(exact_sum sum[EXACT_COLUMNS], const double (*row)[EXACT_COLUMNS], int rows)
{
    exact_lanes all[EXACT_PARTS] = {{0}}, high[EXACT_PARTS] = {{0}}, low[EXACT_PARTS] = {{0}}, x;
    exact_lanes first[EXACT_PARTS], second[EXACT_PARTS];
    exact_bits rest[EXACT_PARTS] = {{0}};
    for (int n = 0; n < rows; n++)
        for (int k = 0; k < EXACT_PARTS; k++) {
            memcpy(&x, row[n] + k * EXACT_LANES, sizeof x);
            all[k] += (exact_lanes)EXACT_SIZES(x);
        }
    for (int c = 0; c < EXACT_COLUMNS; c++) {
        const double size = all[c / EXACT_LANES][c % EXACT_LANES];
        first[c / EXACT_LANES][c % EXACT_LANES] = exact_splitter(size, 0);
        second[c / EXACT_LANES][c % EXACT_LANES] = exact_splitter(size, 53 - EXACT_ROWS_LOG);
    }
    for (int n = 0; n < rows; n++)
        for (int k = 0; k < EXACT_PARTS; k++) {
            memcpy(&x, row[n] + k * EXACT_LANES, sizeof x);
            const exact_lanes part = (first[k] + x) - first[k], left = x - part, next = (second[k] + left) - second[k];
            high[k] += part;
            low[k] += next;
            rest[k] |= EXACT_SIZES(left - next);
        }
    for (int c = 0; c < EXACT_COLUMNS; c++) {
        if (rest[c / EXACT_LANES][c % EXACT_LANES] != 0) {
            exact_add_column(&sum[c], &row[0][c], rows);
        } else if (all[c / EXACT_LANES][c % EXACT_LANES] > 0) {
            exact_add(&sum[c], high[c / EXACT_LANES][c % EXACT_LANES]);
            exact_add(&sum[c], low[c / EXACT_LANES][c % EXACT_LANES]);
        }
    }
}

#endif
