#include "measure/per_collision.h"

#include <assert.h>
#include <math.h>

/* In the gauge: last_count[kind] and, at the end, of collisions; last[kind] is the sum of processed counts. */
enum { COLLISIONS = PER_COLLISION_KINDS };

void per_collision_start(gauge *g, size_t kinds, const uint64_t *counts, uint64_t collisions)
{
    assert(kinds <= PER_COLLISION_KINDS);
    for (size_t i = 0; i < kinds; i++) g->last_count[i] = counts[i];
    g->last_count[COLLISIONS] = collisions;
}

carom_status per_collision_sample(gauge *g, size_t kinds, double time, const uint64_t *counts, uint64_t collisions,
                                  error *e)
{
    double row[2 * PER_COLLISION_KINDS + 1], passed = (double)(collisions - g->last_count[COLLISIONS]);
    if (!(passed > 0.0)) return CAROM_OK;
    for (size_t i = 0; i < kinds; i++) {
        double count = (double)(counts[i] - g->last_count[i]);
        row[i] = count / passed;
        row[kinds + i] = count;
        g->last[i] += count;
        g->last_count[i] = counts[i];
    }
    row[2 * kinds] = passed;
    g->last[COLLISIONS] += passed;
    g->last_count[COLLISIONS] = collisions;
    return series_add(&g->rows, time, passed, row, e);
}

carom_status per_collision_result(gauge *g, size_t kinds, const char *const *names, measure_result *out, error *e)
{
    TRY(gauge_result(g, out, e));
    double collisions = g->last[COLLISIONS];
    for (size_t i = 0; i < kinds; i++) {
        double at_least_one = fmax(g->last[i], 1.0) / collisions;
        double binomial = sqrt(at_least_one * (1.0 - fmin(at_least_one, 1.0)) / collisions);
        measure_value *fraction = &g->values[i];
        if (collisions > 0.0 && !(fraction->error[0] > binomial)) fraction->error[0] = binomial;
        g->values[out->value_count++] = (measure_value){
            .name = names[i], .unit = "", .width = 1, .mean = {g->last[i]}, .error = {0.0}, .converged = true};
    }
    return CAROM_OK;
}
