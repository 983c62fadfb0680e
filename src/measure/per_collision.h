/* Gauges of rare events at collisions: their number, and their fraction of the collisions. */
#ifndef CAROM_MEASURE_PER_COLLISION_H
#define CAROM_MEASURE_PER_COLLISION_H

#include "measure/gauge.h"

enum { PER_COLLISION_KINDS = 2 };

/* Counting starts here. The gauge has these columns for `kinds` of events: a fraction for each (averaged), then a
 * count for each, then the collisions. */
void per_collision_start(gauge *g, size_t kinds, const uint64_t *counts, uint64_t collisions);

/* counts and collisions since the start of the run. A sample without a collision since the last row adds none. */
carom_status per_collision_sample(gauge *g, size_t kinds, double time, const uint64_t *counts, uint64_t collisions,
                                  error *e);

/* The fractions, with the error of blocking but at least the binomial error (without events, that of one event),
 * then the counts (exact: error 0), named by `names`. */
carom_status per_collision_result(gauge *g, size_t kinds, const char *const *names, measure_result *out, error *e);

#endif
