/* Statistics of a sample (carom_statistics_of). */
#include <math.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "measure/sum.h"

/* NANs are sorted to the end. */
static int rising(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    if (isnan(a) || isnan(b)) return (isnan(a) != 0) - (isnan(b) != 0);
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

/* Of sorted values, so that the sums do not depend on the order given. */
static void moments(carom_statistics *s, const double *sorted)
{
    sum total = {0}, squares = {0};
    for (size_t i = 0; i < s->count; i++) sum_add(&total, sorted[i]);
    s->mean = sum_total(&total) / (double)s->count;
    for (size_t i = 0; i < s->count; i++) sum_add(&squares, (sorted[i] - s->mean) * (sorted[i] - s->mean));
    s->deviation = s->count > 1 ? sqrt(sum_total(&squares) / (double)(s->count - 1)) : NAN;
    s->error = s->deviation / sqrt((double)s->count);
}

carom_statistics carom_statistics_of(double *values, size_t count)
{
    carom_statistics s = {.count = values != NULL ? count : 0};
    if (s.count > 0) qsort(values, s.count, sizeof *values, rising);
    while (s.count > 0 && isnan(values[s.count - 1])) s.count--;
    if (s.count == 0) {
        s.mean = s.deviation = s.error = s.least = s.greatest = s.median = NAN;
        s.quantile_05 = s.quantile_25 = s.quantile_75 = s.quantile_95 = NAN;
        return s;
    }
    moments(&s, values);
    s.least = values[0];
    s.quantile_05 = quantile(values, s.count, 0.05);
    s.quantile_25 = quantile(values, s.count, 0.25);
    s.median = quantile(values, s.count, 0.5);
    s.quantile_75 = quantile(values, s.count, 0.75);
    s.quantile_95 = quantile(values, s.count, 0.95);
    s.greatest = values[s.count - 1];
    return s;
}
