/* An axis of a plot: range, ticks and labels. */
#ifndef CAROM_VIEW_AXIS_H
#define CAROM_VIEW_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_TICKS = 48, AXIS_LABEL = 24 };

typedef struct axis_tick {
    double at;
    bool minor; /* without a label */
    char label[AXIS_LABEL];
} axis_tick;

typedef struct axis {
    bool log;
    double low, high; /* range of the data */
    axis_tick ticks[AXIS_TICKS];
    size_t count;
    char common[2 * AXIS_LABEL]; /* common factor of the labels: "\u00d710^{-5}"; "": none */
} axis;

#define AXIS_MOST 1e300 /* upper limit of all numbers; on logarithmic axes 1 / AXIS_MOST is the lower limit */

/* Rounds the range of some numbers up to that of an axis, with margins if `pad`, and places about one tick per
 * `spacing` of `length`. */
void axis_set(axis *a, double low, double high, bool log, bool pad, double length, double spacing);

/* Position of a value on the axis, from 0 to 1. */
double axis_place(const axis *a, double value);

/* The smallest number of the form 1, 2 or 5 times a power of ten that is at least `step`. */
double axis_nice(double step);

#endif
