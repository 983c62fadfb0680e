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

#define AXIS_MOST 1e300 /* no number is larger, and on logarithmic axes none smaller than 1 / AXIS_MOST */

/* Rounds the range of some numbers up to that of an axis, with room at its ends where `pad`, and sets about one tick
 * each `spacing` of the `length`. */
void axis_set(axis *a, double low, double high, bool log, bool pad, double length, double spacing);

/* Position of a value on the axis, from 0 to 1. */
double axis_place(const axis *a, double value);

/* The smallest step of 1, 2 or 5 times a power of ten that is not below `step`. */
double axis_nice(double step);

#endif
