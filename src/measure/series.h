/* A time series with running means, the result of most observables. Its columns are the time and those declared by
 * the observable; a column may be averaged, with its error from blocking, into a value of the same name. */
#ifndef CAROM_MEASURE_SERIES_H
#define CAROM_MEASURE_SERIES_H

#include "measure/blocking.h"
#include "measure/measure.h"

enum { SERIES_COLUMNS = 20 };

typedef struct series_column {
    const char *name;
    const char *unit;
    size_t width;  /* at most MEASURE_WIDTH if averaged */
    bool averaged; /* averaged columns come first, in the order of the values */
} series_column;

typedef struct series {
    const char *name;
    measure_column column[SERIES_COLUMNS]; /* column[0]: time */
    double *data[SERIES_COLUMNS];
    size_t column_count, averaged; /* averaged: how many columns have a value */
    size_t rows, capacity;
    uint64_t first_row;
    blocking means; /* over all averaged numbers side by side */
} series;

/* The columns that follow the time. */
carom_status series_create(series *s, const char *name, const series_column *columns, size_t count, error *e);
void series_destroy(series *s);

/* Adds a row: all numbers of the declared columns, one after another. `weight` > 0: how much the row counts in the
 * means (the length of the interval it stands for, or 1). */
carom_status series_add(series *s, double time, double weight, const double *row, error *e);
void series_drain(series *s);

/* The series as a table; the value of averaged column number `which` (0 the first declared). */
measure_table series_table(const series *s);
measure_value series_value(const series *s, size_t which);

carom_status series_save(const series *s, const char *prefix, snapshot *out, error *e);
carom_status series_load(series *s, const char *prefix, const snapshot *in, error *e);

#endif
