#include "view/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Limits of the range, for logarithms and margins. */
#define LEAST 1e-305
#define GREATEST 1e305

#define NARROW 1.3 /* decades */

double axis_nice(double step)
{
    if (!(step > 0) || !isfinite(step)) return 1;
    const double power = pow(10, floor(log10(step))), rest = step / power;
    return power * (rest <= 1.0000001 ? 1 : rest <= 2.0000001 ? 2 : rest <= 5.0000001 ? 5 : 10);
}

double axis_place(const axis *a, double value)
{
    if (a->log) return (log10(value) - log10(a->low)) / (log10(a->high) - log10(a->low));
    return (value - a->low) / (a->high - a->low);
}

static axis_tick *add_tick(axis *a, double at, bool minor)
{
    if (a->count == AXIS_TICKS) return NULL;
    axis_tick *t = &a->ticks[a->count++];
    *t = (axis_tick){.at = at, .minor = minor};
    return t;
}

/* A minus sign, not a hyphen, in front of negative numbers. */
static void write_label(char label[AXIS_LABEL], double value, int decimals)
{
    const double rounded = fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value;
    snprintf(label, AXIS_LABEL, "%s%.*f", rounded < 0 ? "\u2212" : "", decimals, fabs(rounded));
}

static void write_common(axis *a, int power, double offset)
{
    char factor[AXIS_LABEL] = "", sum[AXIS_LABEL] = "";
    if (power != 0)
        snprintf(factor, sizeof factor, "\u00d710^{%s%d}", power < 0 ? "\u2212" : "", power < 0 ? -power : power);
    if (offset != 0) snprintf(sum, sizeof sum, " %s %.10g", offset < 0 ? "\u2212" : "+", fabs(offset));
    snprintf(a->common, sizeof a->common, "%s%s", factor, sum);
}

static void set_linear_ticks(axis *a, double length, double spacing)
{
    enum { LONG = 5 };
    const double wanted = fmax(2, floor(length / spacing));
    double step = axis_nice((a->high - a->low) / wanted);
    if (floor(a->high / step + 1e-9) - ceil(a->low / step - 1e-9) < 2) step = axis_nice(0.45 * step);
    const double greatest = fmax(fabs(a->low), fabs(a->high));
    /* Labels of numbers that agree in their leading digits are differences from a common number. */
    const double offset = step < 1e-5 * greatest ? step * 100 * round(0.5 * (a->low + a->high) / (step * 100)) : 0;
    const double shown = offset != 0 ? fmax(fabs(a->low - offset), fabs(a->high - offset)) : greatest;
    const int size = (int)floor(log10(shown)), power = size >= LONG || size < -2 ? size : 0;
    const double unit = pow(10, power);
    const int decimals = (int)fmax(0, -floor(log10(step / unit) + 1e-9));
    write_common(a, power, offset);
    for (double k = ceil(a->low / step - 1e-9); k * step <= a->high + 1e-9 * step; k++) {
        axis_tick *t = add_tick(a, k * step, false);
        if (t == NULL) break;
        write_label(t->label, (t->at - offset) / unit, decimals < 9 ? decimals : 9);
    }
}

static void write_power(char label[AXIS_LABEL], int times, double decade, bool plain)
{
    const int power = (int)decade;
    char factor[8] = "";
    if (times > 1) snprintf(factor, sizeof factor, "%d\u00d7", times % 10);
    if (plain)
        snprintf(label, AXIS_LABEL, "%g", times * pow(10, decade));
    else
        snprintf(label, AXIS_LABEL, "%s10^{%s%d}", factor, power < 0 ? "\u2212" : "", abs(power) % 1000);
}

static size_t count_named(const axis *a)
{
    size_t named = 0;
    for (size_t k = 0; k < a->count; k++) named += !a->ticks[k].minor;
    return named;
}

/* Ticks at decades: every k-th if there are many; also at 2 and 5 if there are few; the others have no labels. If the
 * range is too narrow, even steps as on a linear axis. */
static void set_log_ticks(axis *a, double length, double spacing)
{
    const double first = floor(log10(a->low) + 1e-9), last = ceil(log10(a->high) - 1e-9);
    const double decades = log10(a->high) - log10(a->low), room = fmax(1, length / spacing);
    const int every = (int)fmax(1, ceil(decades / room));
    const bool plain = a->low >= 0.9e-3 && a->high <= 1.1e4;
    const bool between = decades < 2.7 && 3 * decades < room + 1;
    for (double d = first; d <= last; d += 1)
        for (int m = 1; m < 10; m++) {
            const double at = m * pow(10, d);
            const bool named = m == 1 ? fmod(fabs(d), every) == 0 : between && (m == 2 || m == 5);
            if (at < a->low * (1 - 1e-9) || at > a->high * (1 + 1e-9) || (!named && decades > 5.5)) continue;
            axis_tick *t = add_tick(a, at, !named);
            if (t != NULL && named) write_power(t->label, m, d, plain);
        }
    if (count_named(a) >= 3 || decades > NARROW) return;
    a->count = 0;
    set_linear_ticks(a, length, spacing);
}

static void set_log_range(axis *a, double low, double high, bool pad)
{
    const double decades = log10(high) - log10(low), margin = pad ? pow(10, fmax(0.03, 0.04 * decades)) : 1;
    a->low = fmax(low / margin, LEAST);
    a->high = fmin(high * margin, GREATEST);
    if (high > 1.02 * low) return;
    a->low = fmin(a->low, low / 1.1);
    a->high = fmax(a->high, high * 1.1);
}

static void set_linear_range(axis *a, double low, double high, bool pad)
{
    const double greatest = fmax(fabs(low), fabs(high)), range = high - low;
    if (range <= 1e-12 * greatest || range == 0) { /* all values are equal within rounding */
        a->low = low - 0.1 * greatest;
        a->high = greatest > 0 ? high + 0.1 * greatest : 1;
        return;
    }
    if (pad && low >= 0 && low < 0.4 * high) low = 0; /* ranges near zero include zero */
    a->low = pad && low != 0 ? low - 0.05 * range : low;
    a->high = pad && high != 0 ? high + 0.05 * (high - low) : high;
}

void axis_set(axis *a, double low, double high, bool log, bool pad, double length, double spacing)
{
    *a = (axis){.log = log};
    if (log)
        set_log_range(a, low, high, pad);
    else
        set_linear_range(a, low, high, pad);
    if (log)
        set_log_ticks(a, length, spacing);
    else
        set_linear_ticks(a, length, spacing);
}
