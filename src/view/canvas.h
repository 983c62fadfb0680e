/* A canvas, drawn by cairo: a future SVG, PDF or PNG file, or existing pixels. All lengths are in points (on pixels: in
 * pixels), y downwards. No other file uses cairo. Without cairo, functions return an error with that message. */
#ifndef CAROM_VIEW_CANVAS_H
#define CAROM_VIEW_CANVAS_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "view/colours.h"

typedef struct canvas canvas;

typedef enum canvas_kind { CANVAS_SVG, CANVAS_PDF, CANVAS_PNG } canvas_kind;

/* Format for the extension of a file name; CAROM_USAGE for other extensions. */
carom_status canvas_kind_of(const char *path, canvas_kind *kind, error *e);

/* `scale`: pixels per point, for PNG. CAROM_USAGE without cairo. */
carom_status canvas_create(canvas **out, canvas_kind kind, double width, double height, double scale, error *e);

/* On pixels, [height][width], 0x00RRGGBB each. They must outlive the canvas. */
carom_status canvas_over(canvas **out, uint32_t *pixels, int width, int height, error *e);

/* Appends the finished file to `bytes`. */
carom_status canvas_finish(canvas *c, text_buffer *bytes, error *e);
void canvas_free(canvas *c);

/* Pixels as a PNG file. */
carom_status canvas_png(uint32_t *pixels, int width, int height, text_buffer *bytes, error *e);

void canvas_colour(canvas *c, colour paint, double opacity);
void canvas_pen(canvas *c, double width, const double *dashes, int dash_count); /* dash_count 0: a full line */

void canvas_move(canvas *c, double x, double y);
void canvas_line(canvas *c, double x, double y);
void canvas_rectangle(canvas *c, double x, double y, double width, double height);
void canvas_disk(canvas *c, double x, double y, double radius);
void canvas_stroke(canvas *c);
void canvas_fill(canvas *c);

/* Drawing is clipped to the rectangle until canvas_unclip. */
void canvas_clip(canvas *c, double x, double y, double width, double height);
void canvas_unclip(canvas *c);

/* Position of a text relative to its point. */
typedef enum canvas_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } canvas_anchor;

typedef struct canvas_style {
    double size;
    canvas_anchor along;
    bool bold, upward; /* upward: turned by 90 degrees to the left */
    bool centred;      /* the point is at half the height of the digits, otherwise on the baseline */
} canvas_style;

/* "10^{-3}" has a superscript, "v_{x}" a subscript. */
void canvas_text(canvas *c, double x, double y, const char *text, const canvas_style *style);
double canvas_text_width(canvas *c, const char *text, const canvas_style *style);

#endif
