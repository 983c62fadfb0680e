/* Mean and standard error of a correlated series, online, in O(log n) memory.
 *
 * Blocking after Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989): neighbours are averaged in pairs, again and
 * again; the naive error of the block means rises to a plateau, the true error, once blocks outlast the correlation.
 * The level is picked by itself: the smallest block length B with B^3 > 2 n (s_B / s_1)^4, s_B the error from blocks
 * of B and n the number of samples, which balances the bias that is left against the scatter of s_B (Wolff, Comput.
 * Phys. Commun. 156, 143 (2004); in this form Lee et al., Phys. Rev. E 83, 066706 (2011)). Where no level passes, the
 * series is too short for its correlation: the largest error among levels of at least 8 blocks is given, not converged
 * unless it is rounding.
 *
 * Samples carry weights (the length of the interval that they average over): the mean is sum w x / sum w, the error
 * that of a ratio, sum w^2 (x - mean)^2 / (sum w)^2 * n / (n - 1). Equal weights give the textbook's formulas. */
#ifndef CAROM_MEASURE_BLOCKING_H
#define CAROM_MEASURE_BLOCKING_H

#include "frame/snapshot.h"

typedef struct blocking {
    size_t width;   /* series side by side */
    size_t levels;  /* allocated; level k holds blocks of 2^k samples */
    uint64_t count; /* samples so far */
    double *shift;  /* [width]: the first sample, taken off all to keep digits */
    double *carry;  /* [width]: the block on its way up */
    double *level;  /* [levels][3 + 4 * width]: see blocking.c */
} blocking;

carom_status blocking_create(blocking *b, size_t width, error *e);
void blocking_destroy(blocking *b);

/* Adds a sample: width numbers and their weight > 0. Fails only for lack of memory. */
carom_status blocking_add(blocking *b, double weight, const double *x, error *e);

/* Mean and standard error of series number `column`; NAN where there are too few samples. */
double blocking_mean(const blocking *b, size_t column);
double blocking_standard_error(const blocking *b, size_t column, bool *converged);

carom_status blocking_save(const blocking *b, const char *prefix, snapshot *out, error *e);
carom_status blocking_load(blocking *b, const char *prefix, const snapshot *in, error *e);

#endif
