/* Statistics of a handful of numbers. */
#include <math.h>
#include <stdlib.h>

#include "carom/carom.h"

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Linear between the order statistics around (count - 1) p. */
static double quantile(const double *sorted, size_t count, double p)
{
    double at = (double)(count - 1) * p, below = floor(at);
    size_t i = (size_t)below;
    if (i + 1 >= count) return sorted[count - 1];
    return sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]);
}

carom_statistics carom_statistics_of(double *values, size_t count)
{
    carom_statistics s = {.count = count};
    double sum = 0, squares = 0;
    if (count == 0) {
        s.mean = s.deviation = s.error = s.least = s.greatest = s.median = NAN;
        s.quantile_05 = s.quantile_25 = s.quantile_75 = s.quantile_95 = NAN;
        return s;
    }
    qsort(values, count, sizeof *values, compare); /* first: the sums then do not depend on the order given */
    for (size_t i = 0; i < count; i++) sum += values[i];
    s.mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) squares += (values[i] - s.mean) * (values[i] - s.mean);
    s.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : NAN;
    s.error = s.deviation / sqrt((double)count);
    s.least = values[0];
    s.quantile_05 = quantile(values, count, 0.05);
    s.quantile_25 = quantile(values, count, 0.25);
    s.median = quantile(values, count, 0.5);
    s.quantile_75 = quantile(values, count, 0.75);
    s.quantile_95 = quantile(values, count, 0.95);
    s.greatest = values[count - 1];
    return s;
}
