/* Drawing of the panels on a sheet. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "view/axis.h"
#include "view/plot/plot.h"

/* Sizes in points. */
enum { TEXT = 9, SMALL = 8, TITLE = 10, LINE = 12, EDGE = 14, GAP = 22 };
#define MANY 3000 /* largest number of points of a curve that are drawn one by one */

typedef struct area {
    double x, y, width, height;
} area;

typedef struct drawing {
    canvas *c;
    const plot_sheet *p;
    const theme *t;
    plot_panel *panel;
    area inside; /* of the axes */
    bool below;  /* notes stand below the titles */
    axis x, y;
} drawing;

static const canvas_style small_text = {.size = SMALL}, label_text = {.size = TEXT, .along = ANCHOR_MIDDLE},
                          panel_title = {.size = TITLE, .bold = true};

/* ---- types of axes ----------------------------------------------------------------------------------------------- */

/* Range of the data of a panel along an axis; for logarithms, of positive numbers only. */
static bool range_of(const plot_panel *panel, int along, bool positive, double *low, double *high)
{
    bool any = false;
    for (size_t k = 0; k < panel->count; k++) {
        const plot_curve *c = &panel->curves[k];
        for (size_t i = 0; i < c->count; i++) {
            const double x = c->x[i], y = c->y[i], value = along == 0 ? x : y;
            if (positive && !(value > 1 / AXIS_MOST)) continue;
            if ((panel->log[0] && !(x > 1 / AXIS_MOST)) || (panel->log[1] && !(y > 1 / AXIS_MOST))) continue;
            if (c->guide && positive && c->count > 2) continue; /* an analytical curve may decrease without bound */
            const double slack = along == 1 && c->error != NULL && !panel->log[1] ? c->error[i] : 0;
            const double least = value >= 0 ? fmax(value - slack, fmin(value, 0)) : value - slack;
            *low = any ? fmin(*low, least) : least;
            *high = any ? fmax(*high, value + slack) : value + slack;
            any = true;
        }
    }
    return any;
}

static bool spans(const plot_panel *panel, int along, double ratio)
{
    double low, high;
    return range_of(panel, along, true, &low, &high) && high > ratio * low;
}

/* Axes without positive numbers stay linear. */
static void choose_logs(const plot_sheet *p, plot_panel *panel)
{
    static const bool asked[][2] = {{false, false}, {false, false}, {true, false}, {false, true}, {true, true}};
    const bool wide = (panel->flags & PLOT_LOG_WIDE) && spans(panel, 0, 10) && spans(panel, 1, 15);
    const bool suits[2] = {wide || (panel->flags & PLOT_LOG_X), wide || (panel->flags & PLOT_LOG_Y)};
    panel->log[0] = panel->log[1] = false;
    for (int k = 0; k < 2; k++) {
        double low, high;
        const bool log = p->log == PLOT_DEFAULT ? suits[k] && spans(panel, k, 1.5) : asked[p->log][k];
        panel->log[k] = log && range_of(panel, k, true, &low, &high);
    }
}

/* Number of values without a logarithm. Zeros of histograms are empty bins and are not counted. */
static size_t count_left_out(const plot_panel *panel)
{
    size_t left_out = 0;
    for (size_t k = 0; k < panel->count; k++) {
        const plot_curve *c = &panel->curves[k];
        for (size_t i = 0; i < c->count && !c->guide; i++)
            left_out += (panel->log[0] && c->x[i] < 0) || (panel->log[1] && c->y[i] < 0);
    }
    return left_out;
}

/* A note states the number of omitted values. */
static void tell_left_out(plot_sheet *p, plot_panel *panel)
{
    const size_t left_out = count_left_out(panel);
    if (left_out == 0) return;
    char *before = panel->note;
    panel->note =
        memory_format("%s%s%zu negative left out", before != NULL ? before : "", before != NULL ? "; " : "", left_out);
    memory_free(before);
    if (panel->note == NULL) p->failed = true;
}

/* A note on the variation of an almost constant curve. */
static void tell_constant(plot_sheet *p, plot_panel *panel)
{
    double low = INFINITY, high = -INFINITY;
    size_t points = 0;
    for (size_t k = 0; k < panel->count; k++) {
        const plot_curve *c = &panel->curves[k];
        for (size_t i = 0; i < c->count; i++) {
            low = fmin(low, c->y[i]);
            high = fmax(high, c->y[i]);
            points += !c->guide;
        }
    }
    const double greatest = fmax(fabs(low), fabs(high)), part = (high - low) / greatest;
    if (p->split || panel->note != NULL || points < 2 || !(greatest > 0) || part > 1e-9) return;
    const int power = part > 0 ? (int)floor(log10(part)) : 0;
    panel->note = part > 0 ? memory_format("constant to %.0f\u00d710^{\u2212%d}", ceil(part / pow(10, power)), -power)
                           : memory_text("constant");
    if (panel->note == NULL) p->failed = true;
}

static bool has_mark(const plot_panel *panel, plot_mark mark)
{
    for (size_t k = 0; k < panel->count; k++)
        if (panel->curves[k].mark == mark) return true;
    return false;
}

static void set_axes(drawing *d)
{
    double low = 0, high = 1;
    const plot_panel *panel = d->panel;
    if (!range_of(panel, 0, panel->log[0], &low, &high)) low = 0, high = 1;
    const bool bars = has_mark(panel, PLOT_BARS), points = has_mark(panel, PLOT_POINTS);
    if (bars && !panel->log[0]) low -= 0.6, high += 0.6;
    if (bars && panel->log[0]) low /= 1.5, high *= 1.5;
    axis_set(&d->x, low, high, panel->log[0], (panel->log[0] || points) && !bars, d->inside.width, 44);
    if (!range_of(panel, 1, panel->log[1], &low, &high)) low = 0, high = 1;
    if (has_mark(panel, PLOT_AREA) && !panel->log[1]) low = fmin(low, 0);
    axis_set(&d->y, low, high, panel->log[1], true, d->inside.height, 26);
}

static double x_of(const drawing *d, double value)
{
    return d->inside.x + d->inside.width * axis_place(&d->x, value);
}

static double y_of(const drawing *d, double value)
{
    if (d->y.log && !(value > 1 / AXIS_MOST)) return d->inside.y + 2 * d->inside.height;
    return d->inside.y + d->inside.height * (1 - axis_place(&d->y, value));
}

/* ---- the frame --------------------------------------------------------------------------------------------------- */

static double widest_label(canvas *c, const axis *a)
{
    double widest = 0;
    for (size_t k = 0; k < a->count; k++) widest = fmax(widest, canvas_text_width(c, a->ticks[k].label, &small_text));
    return widest;
}

static void draw_grid(const drawing *d)
{
    const area *in = &d->inside;
    canvas_colour(d->c, d->t->grid, 1);
    canvas_pen(d->c, 0.6, NULL, 0);
    for (size_t k = 0; k < d->x.count; k++) {
        const double at = x_of(d, d->x.ticks[k].at);
        if (d->x.ticks[k].minor) continue;
        canvas_move(d->c, at, in->y);
        canvas_line(d->c, at, in->y + in->height);
    }
    for (size_t k = 0; k < d->y.count; k++) {
        const double at = y_of(d, d->y.ticks[k].at);
        if (d->y.ticks[k].minor) continue;
        canvas_move(d->c, in->x, at);
        canvas_line(d->c, in->x + in->width, at);
    }
    canvas_stroke(d->c);
    if (d->y.log || d->y.low >= 0 || d->y.high <= 0) return;
    canvas_colour(d->c, d->t->soft, 0.7);
    canvas_move(d->c, in->x, y_of(d, 0));
    canvas_line(d->c, in->x + in->width, y_of(d, 0));
    canvas_stroke(d->c);
}

static void draw_ticks(const drawing *d)
{
    const area *in = &d->inside;
    const double bottom = in->y + in->height;
    canvas_colour(d->c, d->t->ink, 1);
    canvas_pen(d->c, 0.8, NULL, 0);
    canvas_move(d->c, in->x, in->y);
    canvas_line(d->c, in->x, bottom);
    canvas_line(d->c, in->x + in->width, bottom);
    for (size_t k = 0; k < d->x.count; k++) {
        canvas_move(d->c, x_of(d, d->x.ticks[k].at), bottom);
        canvas_line(d->c, x_of(d, d->x.ticks[k].at), bottom + (d->x.ticks[k].minor ? 2 : 4));
    }
    for (size_t k = 0; k < d->y.count; k++) {
        canvas_move(d->c, in->x, y_of(d, d->y.ticks[k].at));
        canvas_line(d->c, in->x - (d->y.ticks[k].minor ? 2 : 4), y_of(d, d->y.ticks[k].at));
    }
    canvas_stroke(d->c);
    const canvas_style below = {.size = SMALL, .along = ANCHOR_MIDDLE};
    const canvas_style left = {.size = SMALL, .along = ANCHOR_END, .centred = true};
    for (size_t k = 0; k < d->x.count; k++)
        canvas_text(d->c, x_of(d, d->x.ticks[k].at), bottom + 13, d->x.ticks[k].label, &below);
    for (size_t k = 0; k < d->y.count; k++)
        canvas_text(d->c, in->x - 6, y_of(d, d->y.ticks[k].at), d->y.ticks[k].label, &left);
}

static void draw_labels(const drawing *d, const area *whole)
{
    const area *in = &d->inside;
    const double bottom = in->y + in->height;
    canvas_style style = label_text;
    char buffer[PLOT_CUT];
    canvas_text(d->c, in->x + 0.5 * in->width, bottom + 28,
                plot_cut(d->c, d->panel->x_label, &style, in->width, buffer), &style);
    style.upward = true;
    canvas_text(d->c, whole->x + TEXT, in->y + 0.5 * in->height,
                plot_cut(d->c, d->panel->y_label, &style, in->height + 30, buffer), &style);
    const canvas_style end = {.size = SMALL, .along = ANCHOR_END};
    canvas_text(d->c, in->x + in->width, bottom + 28, d->x.common, &end);
    canvas_text(d->c, in->x, in->y - 5, d->y.common, &small_text);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

typedef struct pen {
    colour paint;
    int dashes; /* index of the pattern; 0: none */
} pen;

/* The number of guides with other names before this one; files that are compared share guides. */
static size_t guide_before(const plot_panel *panel, size_t curve)
{
    size_t others = 0;
    for (size_t k = 0; k < curve; k++) {
        if (!panel->curves[k].guide) continue;
        if (strcmp(panel->curves[k].name, panel->curves[curve].name) == 0) return guide_before(panel, k);
        others++;
    }
    return others;
}

static pen pen_of(const drawing *d, size_t curve)
{
    const plot_curve *c = &d->panel->curves[curve];
    if (c->guide) return (pen){d->t->soft, 1 + (int)(guide_before(d->panel, curve) % 3)};
    size_t number = c->file; /* when files are compared, each has the same colour in all panels */
    if (!d->p->split && c->hue > 0) {
        number = c->hue - 1;
    } else if (!d->p->split) {
        number = 0;
        for (size_t k = 0; k < curve; k++)
            number += !d->panel->curves[k].guide && d->panel->curves[k].faint == c->faint;
    }
    const colour paint = d->t->series[number % THEME_SERIES];
    return (pen){c->faint ? colour_mix(paint, d->t->paper, 0.6) : paint, (int)(number / THEME_SERIES)};
}

static void take_pen(const drawing *d, pen p, double width)
{
    static const double patterns[][2] = {{4, 3}, {1.2, 2.2}, {7, 2}};
    canvas_colour(d->c, p.paint, 1);
    canvas_pen(d->c, width, p.dashes > 0 ? patterns[(p.dashes - 1) % 3] : NULL, p.dashes > 0 ? 2 : 0);
}

/* Points without a logarithm are omitted and interrupt the line. */
static bool is_shown(const drawing *d, const plot_curve *c, size_t i)
{
    return (!d->x.log || c->x[i] > 1 / AXIS_MOST) && (!d->y.log || c->y[i] > 1 / AXIS_MOST);
}

/* For curves with very many points: the extremes of the points within each pixel column. */
static void trace_thinned(const drawing *d, const plot_curve *c)
{
    const double width = 0.5;
    bool first = true;
    for (size_t i = 0; i < c->count;) {
        if (!is_shown(d, c, i)) {
            first = true;
            i++;
            continue;
        }
        const double x = x_of(d, c->x[i]);
        double low = c->y[i], high = c->y[i], last = c->y[i];
        for (; i < c->count && is_shown(d, c, i) && fabs(x_of(d, c->x[i]) - x) < width; i++) {
            low = fmin(low, c->y[i]);
            high = fmax(high, c->y[i]);
            last = c->y[i];
        }
        (first ? canvas_move : canvas_line)(d->c, x, y_of(d, low));
        first = false;
        if (high > low) canvas_line(d->c, x, y_of(d, high));
        if (last < high) canvas_line(d->c, x, y_of(d, last));
    }
    canvas_stroke(d->c);
}

static void trace(const drawing *d, const plot_curve *c)
{
    bool first = true;
    if (c->count > MANY) {
        trace_thinned(d, c);
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        const bool shown = is_shown(d, c, i);
        if (shown) (first ? canvas_move : canvas_line)(d->c, x_of(d, c->x[i]), y_of(d, c->y[i]));
        first = !shown;
    }
    canvas_stroke(d->c);
}

/* The standard errors of a line as a band around it; its pieces are those of the line. */
static void draw_band(const drawing *d, const plot_curve *c, colour paint)
{
    canvas_colour(d->c, paint, 0.25);
    for (size_t start = 0, end; start < c->count; start = end + 1) {
        for (end = start; end < c->count && is_shown(d, c, end); end++)
            (end == start ? canvas_move : canvas_line)(d->c, x_of(d, c->x[end]), y_of(d, c->y[end] + c->error[end]));
        for (size_t i = end; i-- > start;) canvas_line(d->c, x_of(d, c->x[i]), y_of(d, c->y[i] - c->error[i]));
        if (end > start) canvas_fill(d->c);
    }
}

static void draw_points(const drawing *d, const plot_curve *c, colour paint)
{
    const double radius = c->count <= 60 ? 2.2 : 1.4;
    canvas_colour(d->c, paint, 1);
    canvas_pen(d->c, 0.8, NULL, 0);
    for (size_t i = 0; i < c->count && c->count <= MANY; i++) {
        if (!is_shown(d, c, i)) continue;
        const double x = x_of(d, c->x[i]), y = y_of(d, c->y[i]);
        if (c->error != NULL && c->error[i] > 0) {
            canvas_move(d->c, x, y_of(d, c->y[i] - c->error[i]));
            canvas_line(d->c, x, y_of(d, c->y[i] + c->error[i]));
            canvas_stroke(d->c);
        }
        canvas_disk(d->c, x, y, radius);
        canvas_fill(d->c);
    }
}

static void draw_bars(const drawing *d, const plot_curve *c, colour paint)
{
    const double floor = d->inside.y + d->inside.height;
    canvas_colour(d->c, paint, 1);
    for (size_t i = 0; i < c->count; i++) {
        if (!is_shown(d, c, i) || c->y[i] == 0) continue;
        const double next = d->x.log ? 2 * c->x[i] : c->x[i] + 1; /* layers are integers, octaves ratios of 2 */
        const double half = 0.36 * fabs(x_of(d, next) - x_of(d, c->x[i])), top = y_of(d, c->y[i]);
        canvas_rectangle(d->c, x_of(d, c->x[i]) - half, top, 2 * half, floor - top);
        canvas_fill(d->c);
    }
}

/* Area between the curve and 0; areas of lower curves are drawn over it. */
static void draw_area(const drawing *d, const plot_curve *c, colour paint)
{
    const size_t stride = c->count / MANY + 1;
    const double floor = d->y.log ? d->inside.y + d->inside.height : y_of(d, 0);
    double first = 0, last = 0;
    bool any = false;
    for (int pass = 0; pass < 2; pass++) { /* the area, then its upper edge */
        any = false;
        for (size_t i = 0; i < c->count; i += stride) {
            if (!is_shown(d, c, i)) continue;
            last = x_of(d, c->x[i]);
            if (!any) first = last;
            (any ? canvas_line : canvas_move)(d->c, last, y_of(d, c->y[i]));
            any = true;
        }
        if (!any) return;
        canvas_colour(d->c, pass == 0 ? paint : d->t->paper, 1);
        canvas_pen(d->c, 0.6, NULL, 0);
        if (pass == 1) canvas_stroke(d->c);
        if (pass == 1) return;
        canvas_line(d->c, last, floor);
        canvas_line(d->c, first, floor);
        canvas_fill(d->c);
    }
}

static void draw_curve(const drawing *d, size_t number)
{
    enum { FEW = 40 };
    const plot_curve *c = &d->panel->curves[number];
    const pen p = pen_of(d, number);
    if (c->mark == PLOT_BARS) {
        draw_bars(d, c, p.paint);
        return;
    }
    if (c->mark == PLOT_AREA) {
        draw_area(d, c, p.paint);
        return;
    }
    if (c->mark == PLOT_LINE && c->error != NULL) draw_band(d, c, p.paint);
    take_pen(d, p, c->guide ? 1 : 1.4);
    if (c->mark == PLOT_LINE || c->count > MANY) trace(d, c);
    if (c->mark == PLOT_POINTS || (c->count < FEW && !c->guide)) draw_points(d, c, p.paint);
}

/* ---- legends ----------------------------------------------------------------------------------------------------- */

/* Legend entry of a curve; NULL: none. The names of files are at the top of the sheet. */
static const char *entry_of(const drawing *d, size_t curve)
{
    const plot_panel *panel = d->panel;
    const plot_curve *c = &panel->curves[curve];
    /* a single curve: the note shows its mean */
    const bool needed = panel->count > 2 || (panel->count == 2 && strcmp(panel->curves[1].name, "mean") != 0);
    if (!d->p->split) return needed ? c->name : NULL;
    for (size_t k = 0; k < curve && c->guide; k++)
        if (panel->curves[k].guide && strcmp(panel->curves[k].name, c->name) == 0) return NULL;
    return c->guide ? c->name : c->note;
}

/* One entry per curve, in rows; returns the height. Drawn only if `show`. */
static double draw_legend(const drawing *d, double left, double top, double width, bool show)
{
    const canvas_style style = {.size = SMALL, .centred = true};
    double x = left, y = top + 0.5 * LINE;
    bool any = false;
    for (size_t k = 0; k < d->panel->count; k++) {
        const plot_curve *c = &d->panel->curves[k];
        char buffer[PLOT_CUT];
        const char *name = entry_of(d, k);
        if (name == NULL) continue;
        name = plot_cut(d->c, name, &style, width - 26, buffer);
        any = true;
        const double entry = 26 + canvas_text_width(d->c, name, &style);
        if (x > left && x + entry > left + width) x = left, y += LINE;
        if (show) {
            const pen p = pen_of(d, k);
            take_pen(d, p, c->mark == PLOT_BARS || c->mark == PLOT_AREA ? 6 : c->guide ? 1 : 1.6);
            if (c->mark == PLOT_POINTS) {
                canvas_disk(d->c, x + 7, y, 2.2);
                canvas_fill(d->c);
            } else {
                canvas_move(d->c, x, y);
                canvas_line(d->c, x + 14, y);
                canvas_stroke(d->c);
            }
            canvas_colour(d->c, d->t->ink, 1);
            canvas_text(d->c, x + 18, y, name, &style);
        }
        x += entry + 4;
    }
    return any ? y - top + 0.5 * LINE + 2 : 0;
}

static bool fits_beside(canvas *c, const plot_panel *panel, double width)
{
    if (panel->note == NULL) return true;
    const double used = canvas_text_width(c, panel->title, &panel_title);
    return used + 12 + canvas_text_width(c, panel->note, &small_text) <= width;
}

/* Title and note, on one line if all panels of the sheet have the width for it; returns the height. */
static double draw_title(const drawing *d, const area *whole)
{
    const char *note = d->panel->note != NULL ? d->panel->note : "";
    char buffer[PLOT_CUT];
    canvas_colour(d->c, d->t->ink, 1);
    canvas_text(d->c, whole->x, whole->y + TITLE, plot_cut(d->c, d->panel->title, &panel_title, whole->width, buffer),
                &panel_title);
    canvas_colour(d->c, d->t->soft, 1);
    const canvas_style style = {.size = SMALL, .along = d->below ? ANCHOR_START : ANCHOR_END};
    canvas_text(d->c, d->below ? whole->x : whole->x + whole->width, whole->y + TITLE + (d->below ? LINE : 0),
                plot_cut(d->c, note, &style, whole->width, buffer), &style);
    return TITLE + (d->below && *note != '\0' ? LINE : 0) + 5;
}

static void draw_panel(drawing *d, const area *whole)
{
    const double title = draw_title(d, whole);
    const double top = title + draw_legend(d, whole->x, whole->y + title, whole->width, true) + 6;
    /* The margin for labels follows from the labels, which depend only weakly on the margin. */
    d->inside = (area){whole->x + 40, whole->y + top, whole->width - 46, whole->height - top - 32};
    set_axes(d);
    if (d->y.common[0] != '\0') d->inside.y += 8, d->inside.height -= 8;
    const double left = 20 + widest_label(d->c, &d->y);
    d->inside.x = whole->x + left;
    d->inside.width = whole->width - left - 6;
    set_axes(d);
    draw_grid(d);
    canvas_clip(d->c, d->inside.x - 3, d->inside.y - 3, d->inside.width + 6, d->inside.height + 6);
    for (size_t k = d->panel->count; k-- > 0;)
        if (d->panel->curves[k].mark == PLOT_AREA) draw_curve(d, k);
    for (size_t k = 0; k < d->panel->count; k++)
        if (d->panel->curves[k].mark != PLOT_AREA) draw_curve(d, k);
    canvas_unclip(d->c);
    draw_ticks(d);
    draw_labels(d, whole);
}

/* ---- the sheet --------------------------------------------------------------------------------------------------- */

/* The names of the files, in their colours; returns the height. */
static double draw_files(canvas *c, const plot_sheet *p, const theme *t, double width, double top, bool show)
{
    const canvas_style style = {.size = TEXT, .centred = true};
    double x = EDGE, y = top + 0.5 * LINE;
    if (!p->split) return 0;
    for (size_t k = 0; k < p->file_count; k++) {
        char buffer[PLOT_CUT];
        const char *name = plot_cut(c, p->files[k], &style, width - 2 * EDGE - 23, buffer);
        const double entry = 28 + canvas_text_width(c, name, &style);
        if (x > EDGE && x + entry > width - EDGE) x = EDGE, y += LINE + 2;
        if (show) {
            const drawing d = {.c = c, .p = p, .t = t};
            take_pen(&d, (pen){t->series[k % THEME_SERIES], (int)(k / THEME_SERIES)}, 2);
            canvas_move(c, x, y);
            canvas_line(c, x + 18, y);
            canvas_stroke(c);
            canvas_colour(c, t->ink, 1);
            canvas_text(c, x + 23, y, name, &style);
        }
        x += entry + 10;
    }
    if (p->left_out != NULL) {
        char text[PLOT_CUT], buffer[PLOT_CUT];
        snprintf(text, sizeof text, "not in all files, left out: %s", p->left_out);
        y += LINE + 2;
        canvas_colour(c, t->soft, 1);
        if (show) canvas_text(c, EDGE, y, plot_cut(c, text, &small_text, width - 2 * EDGE, buffer), &small_text);
    }
    return y - top + 0.5 * LINE + 10;
}

/* The scene's title; returns the height. */
static double draw_heading(canvas *c, const plot_sheet *p, double width, bool show)
{
    enum { LINES = 3, HEIGHT = TITLE + 5 };
    const canvas_style style = {.size = TITLE + 1, .bold = true};
    char lines[LINES][PLOT_CUT];
    if (p->title == NULL || p->split) return 0;
    const size_t count = plot_lines(c, p->title, &style, width - 2 * EDGE, lines, LINES);
    for (size_t k = 0; k < count && show; k++)
        canvas_text(c, EDGE, EDGE + TITLE + (double)k * HEIGHT, lines[k], &style);
    return count > 0 ? (double)count * HEIGHT + 9 : 0;
}

static void draw_sheet(canvas *c, plot_sheet *p, const area *sheet, size_t columns, double width, double height,
                       double head)
{
    const theme *t = theme_of(p->dark);
    bool below = false;
    canvas_colour(c, t->paper, 1);
    canvas_rectangle(c, 0, 0, sheet->width, sheet->height);
    canvas_fill(c);
    canvas_colour(c, t->ink, 1);
    draw_heading(c, p, sheet->width, true);
    draw_files(c, p, t, sheet->width, EDGE, true);
    for (size_t k = 0; k < p->count; k++) below = below || !fits_beside(c, &p->panels[k], width);
    for (size_t k = 0; k < p->count; k++) {
        drawing d = {.c = c, .p = p, .t = t, .panel = &p->panels[k], .below = below};
        const area whole = {EDGE + (double)(k % columns) * (width + GAP), head + (double)(k / columns) * (height + GAP),
                            width, height};
        draw_panel(&d, &whole);
    }
}

carom_status plot_draw(plot_sheet *p, canvas_kind kind, text_buffer *bytes, error *e)
{
    const double scale = 2;
    const size_t columns = p->count <= 1                    ? 1
                           : p->count == 2 || p->count == 4 ? 2
                                                            : 3,
                 rows = (p->count + columns - 1) / columns;
    const double width = p->count == 1 ? 400 : 300, height = p->count == 1 ? 290 : 225;
    area sheet = {0, 0, 2 * EDGE + (double)columns * width + (double)(columns - 1) * GAP, 0};
    canvas *c;
    for (size_t k = 0; k < p->count; k++) {
        choose_logs(p, &p->panels[k]);
        tell_left_out(p, &p->panels[k]);
        tell_constant(p, &p->panels[k]);
    }
    TRY(canvas_create(&c, kind, 1, 1, 1, e)); /* for the measurement of texts */
    const double head =
        EDGE + draw_heading(c, p, sheet.width, false) + draw_files(c, p, theme_of(p->dark), sheet.width, EDGE, false);
    canvas_free(c);
    sheet.height = head + (double)rows * height + (double)(rows - 1) * GAP + EDGE;
    TRY(canvas_create(&c, kind, sheet.width, sheet.height, scale, e));
    draw_sheet(c, p, &sheet, columns, width, height, head);
    carom_status status = canvas_finish(c, bytes, e);
    canvas_free(c);
    return status;
}
