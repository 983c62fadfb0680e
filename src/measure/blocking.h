/* Mean and standard error of a correlated series, online, in O(log n) memory.
 *
 * Blocking after Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989): neighbours are averaged in pairs, repeatedly.
 * The naive error of the block means increases to a plateau, the true error, when blocks are longer than the
 * correlation. The level is selected automatically: the smallest block length B with B^3 > 2 n (s_B / s_1)^4, s_B the
 * error from blocks of B and n the number of samples. It balances the remaining bias against the variance of s_B
 * (Wolff, Comput. Phys. Commun. 156, 143 (2004); in this form Lee et al., Phys. Rev. E 83, 066706 (2011)). If no level
 * passes, the series is too short for its correlation: the result is the largest error among levels of at least 8
 * blocks, not converged unless it is due to rounding.
 *
 * Samples have weights (the length of the interval that they average over): the mean is sum w x / sum w, the error that
 * of a ratio, sum w^2 (x - mean)^2 / (sum w)^2 * n / (n - 1). Equal weights give the textbook formulas. */
#ifndef CAROM_MEASURE_BLOCKING_H
#define CAROM_MEASURE_BLOCKING_H

#include "frame/snapshot.h"

typedef struct blocking {
    size_t width;   /* series side by side */
    size_t levels;  /* allocated; level k holds blocks of 2^k samples */
    uint64_t count; /* samples so far */
    double *shift;  /* [width]: the first sample, subtracted from all to retain digits */
    double *carry;  /* [width]: the block for the next level */
    double *level;  /* [levels][3 + 4 * width]: see blocking.c */
} blocking;

carom_status blocking_create(blocking *b, size_t width, error *e);
void blocking_destroy(blocking *b);

/* Adds a sample: width numbers and their weight > 0. The only error is lack of memory. */
carom_status blocking_add(blocking *b, double weight, const double *x, error *e);

/* Mean and standard error of series number `column`; NAN if there are too few samples. */
double blocking_mean(const blocking *b, size_t column);
double blocking_standard_error(const blocking *b, size_t column, bool *converged);

carom_status blocking_save(const blocking *b, const char *prefix, snapshot *out, error *e);
carom_status blocking_load(blocking *b, const char *prefix, const snapshot *in, error *e);

#endif
