/* Annotations: time, scale bar, and legend of the colours. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/axis.h"
#include "view/canvas.h"
#include "view/render/render.h"

/* Viewers scale wide pictures down, and the text must remain legible. */
double render_text_size(int width, int height)
{
    const double wide = fmin(width / 60.0, height / 12.0);
    return fmax(9, fmin(fmax(sqrt((double)width * height) / 48, wide), 40));
}

viewport render_viewport(int width, int height)
{
    const double text = render_text_size(width, height);
    const viewport v = {text, 2.2 * text, fmax(width - 2 * text, 1), fmax(height - 5.2 * text, 1)};
    return v;
}

/* About a fifth of the width, at the depth of the centre. */
static double draw_bar(const renderer *v, canvas *c, double text)
{
    const double per_length = v->camera.scale / v->camera.distance, wanted = 0.2 * v->width / per_length;
    double length = axis_nice(wanted);
    if (length > 1.2 * wanted) length = axis_nice(0.45 * length);
    const double x = text, y = v->height - 1.5 * text, width = length * per_length, tick = 0.3 * text;
    const canvas_style style = {.size = text, .centred = true};
    char label[AXIS_LABEL];
    snprintf(label, sizeof label, "%.6g", length);
    canvas_colour(c, v->theme->ink, 1);
    canvas_pen(c, fmax(1, text / 9), NULL, 0);
    canvas_move(c, x, y - tick);
    canvas_line(c, x, y + tick);
    canvas_move(c, x, y);
    canvas_line(c, x + width, y);
    canvas_move(c, x + width, y - tick);
    canvas_line(c, x + width, y + tick);
    canvas_stroke(c);
    canvas_text(c, x + width + 0.5 * text, y, label, &style);
    return x + width + 0.5 * text + canvas_text_width(c, label, &style);
}

static void draw_map(const renderer *v, canvas *c, double text, double left)
{
    const render_legend *l = &v->legend;
    const canvas_style end = {.size = text, .along = ANCHOR_END, .centred = true};
    const canvas_style start = {.size = text, .centred = true};
    char high[AXIS_LABEL];
    snprintf(high, sizeof high, "%.2g", l->to);
    const double y = v->height - 1.5 * text, right = v->width - text - canvas_text_width(c, high, &start);
    const double width = fmin(11 * text, right - left - 8 * text);
    if (width < 2 * text) return;
    /* Whole pixels: otherwise the background would show between parts with fractional edges. */
    const double start_x = floor(right - 0.5 * text - width), top = floor(y - 0.45 * text), columns = floor(width);
    for (int k = 0; k < columns; k++) {
        canvas_colour(c, colour_map((k + 0.5) / columns), 1);
        canvas_rectangle(c, start_x + k, top, 1, ceil(0.9 * text));
        canvas_fill(c);
    }
    char low[2 * AXIS_LABEL];
    snprintf(low, sizeof low, "%s  0", l->what);
    canvas_colour(c, v->theme->ink, 1);
    canvas_text(c, right, y, high, &start);
    canvas_text(c, right - width - text, y, low, &end);
}

static double entries_width(const renderer *v, canvas *c, const canvas_style *style)
{
    double width = 0;
    for (size_t k = 0; k < v->legend.count; k++)
        width += canvas_text_width(c, v->legend.name[k], style) + 2.4 * style->size;
    return width;
}

/* Smaller if there are many. */
static void draw_entries(const renderer *v, canvas *c, double text, double left)
{
    const render_legend *l = &v->legend;
    canvas_style style = {.size = text, .along = ANCHOR_END, .centred = true};
    const double room = v->width - 2 * text - left, wanted = entries_width(v, c, &style);
    if (wanted > room) style.size = fmax(6, 0.96 * text * room / wanted);
    const double y = v->height - 1.5 * text, size = style.size;
    double x = v->width - text;
    for (size_t k = l->count; k-- > 0;) {
        const double width = canvas_text_width(c, l->name[k], &style);
        if (x - width - 1.6 * size < left) return;
        canvas_colour(c, v->theme->ink, 1);
        canvas_text(c, x, y, l->name[k], &style);
        canvas_colour(c, l->paint[k], 1);
        canvas_disk(c, x - width - 0.8 * size, y, 0.4 * size);
        canvas_fill(c);
        x -= width + 2.4 * size;
    }
}

carom_status render_marks(renderer *v, error *e)
{
    const double text = render_text_size(v->width, v->height);
    const canvas_style style = {.size = text, .centred = true};
    canvas *c;
    char time[2 * AXIS_LABEL];
    TRY(canvas_over(&c, v->pixels, v->width, v->height, e));
    snprintf(time, sizeof time, "t = %.4g", v->frame.time);
    canvas_colour(c, v->theme->ink, 1);
    canvas_text(c, text, 1.2 * text, time, &style);
    const double left = draw_bar(v, c, text);
    if (v->legend.map)
        draw_map(v, c, text, left);
    else
        draw_entries(v, c, text, left);
    canvas_free(c);
    return CAROM_OK;
}
