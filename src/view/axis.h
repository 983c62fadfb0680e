/* An axis of a plot: its range, where its ticks are, and what they are called. */
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
    double low, high; /* of what is drawn */
    axis_tick ticks[AXIS_TICKS];
    size_t count;
    char common[2 * AXIS_LABEL]; /* what all labels have in common: "\u00d710^{-5}"; "" where nothing */
} axis;

#define AXIS_MOST 1e300 /* no number is larger, and on logarithmic axes none smaller than 1 / AXIS_MOST */

/* Rounds the range of some numbers up to that of an axis, with room at its ends where `pad`, and sets about one tick
 * each `spacing` of the `length`. */
void axis_set(axis *a, double low, double high, bool log, bool pad, double length, double spacing);

/* Where a value is, 0 at the low end and 1 at the high end. */
double axis_place(const axis *a, double value);

/* The step 1, 2 or 5 times a power of ten that is next to `step`, not below it. */
double axis_nice(double step);

#endif
