/* Observables: each one const struct, fed with frames, giving named arrays. */
#ifndef CAROM_MEASURE_MEASURE_H
#define CAROM_MEASURE_MEASURE_H

#include "frame/frame.h"
#include "frame/snapshot.h"
#include "scene/settings.h"

/* One result of an observable. A time series has one row a sample (rows grow as it runs); a final array (a histogram,
 * a distribution) has a fixed number of rows and is complete at the end. */
typedef struct measure_column {
    const char *name;  /* "value", "r", "g" */
    const char *unit;  /* in words, as in settings.h */
    size_t width;      /* numbers a row: 1, D, D * D */
    const double *data; /* [rows][width] */
    size_t rows;
} measure_column;

typedef struct measure_result {
    bool has_mean; /* a scalar (or tensor: width numbers) with its standard error from blocking */
    size_t width;
    double mean[9], error[9];
    bool error_converged; /* blocking reached a plateau */
    const measure_column *columns; /* columns[0] is the abscissa: time of each sample, or bin centres */
    size_t column_count;
    bool series; /* rows are samples in time */
} measure_result;

typedef struct observable {
    const settings_table *settings; /* its name is the value of `what:` */
    unsigned tallies;               /* TALLY_ flags that it needs */
    bool needs_positions;           /* false: reads only tallies and counters, so that a sample costs O(1) */
    carom_status (*create)(void **self, const void *settings, const carom_frame *first, error *e);
    carom_status (*sample)(void *self, const carom_frame *frame, error *e);
    /* What is known now; valid until the next call. May be called at any time, and several times. */
    carom_status (*result)(void *self, measure_result *out, error *e);
    carom_status (*save)(const void *self, const char *prefix, snapshot *out, error *e);
    carom_status (*load)(void *self, const char *prefix, const snapshot *in, error *e);
    void (*destroy)(void *self);
} observable;

/* All of them, in the order of the manual. */
extern const observable *const observables[];
extern const size_t observable_count;

/* Standard error of the mean of a correlated series by blocking (Flyvbjerg and Petersen, J. Chem. Phys. 91, 461
 * (1989)). *converged: a plateau was found. */
double blocking_error(const double *data, size_t count, size_t stride, bool *converged);

#endif
