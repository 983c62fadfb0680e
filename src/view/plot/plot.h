/* Plots: panels of curves from result files, drawn on one sheet. */
#ifndef CAROM_VIEW_PLOT_PLOT_H
#define CAROM_VIEW_PLOT_PLOT_H

#include "output/results/read.h"
#include "view/canvas.h"

typedef enum plot_mark { PLOT_LINE, PLOT_POINTS, PLOT_BARS, PLOT_AREA /* down to the next curve, or to 0 */ } plot_mark;

typedef struct plot_curve {
    char *name;
    char *note; /* index of the file in the legend, for comparisons; NULL: none */
    size_t file, count;
    double *x, *y, *error; /* standard error; NULL: unknown */
    plot_mark mark;
    bool guide; /* an analytical curve, a fit or a mean for comparison: dashed */
    bool faint; /* drawn pale, with colours from the first one on again */
    size_t hue; /* 1 + index of the colour; 0: by position in the panel */
} plot_curve;

/* Default scales of the axes. */
enum { PLOT_LOG_X = 1, PLOT_LOG_Y = 2, PLOT_LOG_WIDE = 4 /* both, if y spans more than a decade */ };

typedef struct plot_panel {
    char *name; /* name for --what */
    char *what; /* the observable; part of the titles of all its panels */
    char *title, *x_label, *y_label;
    char *note; /* one or two numbers that belong to it; NULL: none */
    unsigned flags;
    plot_curve *curves;
    size_t count;
    bool log[2]; /* as drawn */
} plot_panel;

typedef enum plot_log { PLOT_DEFAULT, PLOT_LINEAR, PLOT_X, PLOT_Y, PLOT_XY } plot_log;

typedef struct plot_sheet {
    plot_log log;
    bool dark;
    bool split;  /* each curve has its own panel: several files are compared */
    bool failed; /* an allocation failed */
    char *title;
    char **files; /* as in the legend */
    char **paths;
    char *left_out; /* names of panels that contain no comparison; NULL: none */
    size_t file_count;
    plot_panel *panels;
    size_t count;
} plot_sheet;

void plot_free(plot_sheet *p);

/* ---- construction ------------------------------------------------------------------------------------------------ */

/* Adds the panels and curves of a result, as file number p->file_count - 1. */
carom_status plot_add_result(plot_sheet *p, const reader *r, error *e);

/* Parts of the above: P(r) and box counting of the largest cluster; energies of the frames. */
carom_status plot_add_shapes(plot_sheet *p, const reader *r, error *e);
carom_status plot_add_frames(plot_sheet *p, const reader *r, error *e);

/* A table of the observable `ledger` with abscissa `time`, as stacked areas. */
carom_status plot_add_stack(plot_sheet *p, const reader *r, const reader_observable *o, size_t table,
                            const double *time, error *e);
/* The hue of one of its terms, the same in all panels; 0: not a term. */
size_t plot_ledger_hue(const char *column);

/* The table.csv of a sweep. */
carom_status plot_add_sweep(plot_sheet *p, const char *path, error *e);

/* The same from a text, which the function modifies; messages contain `path`. */
carom_status plot_add_table(plot_sheet *p, char *text, const char *path, error *e);

/* Begins a file. Its name is the path without folder and extension. */
void plot_begin_file(plot_sheet *p, const char *path);

/* The panel of that name; if it does not exist, it is created next to other panels of the observable. Later files add
 * to the panels of the first. */
plot_panel *plot_panel_of(plot_sheet *p, const char *what, const char *name, const char *title);
void plot_label(plot_sheet *p, plot_panel *panel, const char *x, const char *y);
/* "mean 6.957 ± 0.009": a number and its standard error (NAN: unknown) as a note; an existing note is kept. In
 * comparisons the note belongs to the last curve of the present file. */
void plot_note(plot_sheet *p, plot_panel *panel, const char *meaning, double value, double deviation);

/* Copies the finite numbers; `stride`: distance between consecutive y. No effect if the panel is NULL. */
plot_curve *plot_curve_add(plot_sheet *p, plot_panel *panel, const char *name, const double *x, const double *y,
                           size_t stride, const double *errors, size_t count);

/* Merges curves with equal numbers: "total = kinetic". */
void plot_join_equal(plot_sheet *p, plot_panel *panel);

bool plot_same_points(const plot_curve *a, const plot_curve *b);
void plot_remove(plot_sheet *p, size_t panel);

/* For several files: assigns styles to their curves, merges equal panels, and removes panels of one file only, unless
 * there are no others or `all` is set. */
void plot_compare(plot_sheet *p, bool all);
void plot_distinguish_files(plot_sheet *p);

/* A name with blanks: "mean_free_time" becomes "mean free time". Written to `buffer`, which is returned. */
enum { PLOT_NAME = 96 };
const char *plot_words(char buffer[PLOT_NAME], const char *name);

/* "pressure (energy / volume)". */
const char *plot_with_quantity(char buffer[2 * PLOT_NAME], const char *name, const char *quantity);

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* Removes panels without points. */
void plot_drop_empty(plot_sheet *p);

/* Keeps the panels with these names, in this order. *unknown: the first name without a panel. */
carom_status plot_choose(plot_sheet *p, const char *const *what, size_t count, const char **unknown);

enum { PLOT_CUT = 400 }; /* maximum length of a text on the sheet, in bytes */

/* A text cut to the width; "..." marks the cut. */
const char *plot_cut(canvas *c, const char *text, const canvas_style *style, double width, char buffer[PLOT_CUT]);

/* A text in at most `most` lines; the last is cut as above. Returns the number of lines. */
size_t plot_lines(canvas *c, const char *text, const canvas_style *style, double width, char lines[][PLOT_CUT],
                  size_t most);

/* Title of the panel and axis label for a column of an observable; NULL without a recipe. */
const char *plot_title_of(const char *what, const char *column, const char **label);

/* Determines the axes and draws all panels on a sheet. */
carom_status plot_draw(plot_sheet *p, canvas_kind kind, text_buffer *bytes, error *e);

/* Description of the plot as JSON. */
carom_status plot_json(const plot_sheet *p, const char *picture, char **out, error *e);

#endif
