/* Collisions of pairs per unit time. A pair collision counts for both its particles: the rate of one particle is
 * 2 n / (N dt), the mean free time its inverse. Means are total counts over total time. */
#include <math.h>

#include "measure/gauge.h"

static const settings_table settings = {
    .name = "collision_rate",
    .help = "collisions per particle and unit time (a pair collision counts for both), and the mean free time",
};

static const series_column columns[] = {{"collision_rate", "1 / time", 1, true},
                                        {"total_rate", "1 / time", 1, true},
                                        {"mean_free_time", "time", 1, false},
                                        {"collisions", "", 1, false}};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    TRY(gauge_create(self, &settings, columns, 4, first, e));
    gauge *g = *self;
    g->last_count[EVENT_COLLISION] = first->events[EVENT_COLLISION];
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    double interval = frame->time - g->last_time;
    if (!(interval > 0.0) || frame->count == 0) return CAROM_OK;
    double collisions = (double)(frame->events[EVENT_COLLISION] - g->last_count[EVENT_COLLISION]);
    double total = collisions / interval, rate = 2.0 * total / (double)frame->count;
    double row[4] = {rate, total, 1.0 / rate, collisions};
    g->last_time = frame->time;
    g->last_count[EVENT_COLLISION] = frame->events[EVENT_COLLISION];
    return series_add(&g->rows, frame->time, interval, row, e);
}

/* Adds the mean free time, 1 / rate with the same relative error. */
static carom_status result(void *self, measure_result *out, error *e)
{
    gauge *g = self;
    TRY(gauge_result(self, out, e));
    const measure_value *rate = &g->values[0];
    measure_value *time = &g->values[out->value_count++];
    *time = *rate;
    time->name = "mean_free_time";
    time->unit = "time";
    time->mean[0] = rate->mean[0] > 0.0 ? 1.0 / rate->mean[0] : NAN;
    time->error[0] = rate->mean[0] > 0.0 ? rate->error[0] / rate->mean[0] / rate->mean[0] : NAN;
    return CAROM_OK;
}

const observable observable_collision_rate = {
    .settings = &settings,
    .tallies = TALLY_COLLISIONS,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = gauge_drain,
    .save = gauge_save,
    .load = gauge_load,
    .destroy = gauge_destroy,
};
