/* A gauge: an observable with a time series and the values of its last sample. An observable provides `create` and
 * `sample`; the other functions are here. */
#ifndef CAROM_MEASURE_GAUGE_H
#define CAROM_MEASURE_GAUGE_H

#include "measure/series.h"

enum { GAUGE_LAST = 20 };

typedef struct gauge {
    series rows;
    double last_time;
    double last[GAUGE_LAST];          /* tallies at the last sample, to be subtracted */
    uint64_t last_count[EVENT_KINDS]; /* counters at the last sample */
    measure_value values[SERIES_COLUMNS];
    measure_table table;
    size_t saved; /* doubles after the gauge that are part of checkpoints */
} gauge;

/* Makes a gauge named after its settings table; last_time is the first frame's. */
carom_status gauge_create(void **self, const settings_table *settings, const series_column *columns, size_t count,
                          const carom_frame *first, error *e);

/* The same in a struct of `size` bytes that starts with a gauge, for an observable with settings or other numbers of
 * its own: they follow the gauge and are zero at first. `saved`: the number of doubles after the gauge that a
 * checkpoint must contain. Settings and values derived from them are set by `create` and need not be saved. */
carom_status gauge_create_in(void **self, size_t size, size_t saved, const settings_table *settings,
                             const series_column *columns, size_t count, const carom_frame *first, error *e);

carom_status gauge_result(void *self, measure_result *out, error *e);
void gauge_drain(void *self);
carom_status gauge_save(const void *self, const char *prefix, snapshot *out, error *e);
carom_status gauge_load(void *self, const char *prefix, const snapshot *in, error *e);
void gauge_destroy(void *self);

/* For the table of an observable. */
#define GAUGE_FUNCTIONS                                                                                                \
    .result = gauge_result, .drain = gauge_drain, .save = gauge_save, .load = gauge_load, .destroy = gauge_destroy

#endif
