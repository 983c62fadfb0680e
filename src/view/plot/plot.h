/* Plots: panels of curves from result files, drawn on one sheet. */
#ifndef CAROM_VIEW_PLOT_PLOT_H
#define CAROM_VIEW_PLOT_PLOT_H

#include "output/results/read.h"
#include "view/canvas.h"

typedef enum plot_mark { PLOT_LINE, PLOT_POINTS, PLOT_BARS, PLOT_AREA /* down to the next curve, or to 0 */ } plot_mark;

typedef struct plot_curve {
    char *name;
    char *note; /* comparison of files: a number for the legend; NULL: none */
    size_t file, count;
    double *x, *y, *error; /* error: NULL: unknown */
    plot_mark mark;
    bool guide; /* a law, a fit or a mean to compare with: dashed */
    bool faint; /* drawn pale, and coloured from the first colour on again */
    size_t hue; /* 1 + the number of its colour; 0: by its place in the panel */
} plot_curve;

/* Default scales of the axes. */
enum { PLOT_LOG_X = 1, PLOT_LOG_Y = 2, PLOT_LOG_WIDE = 4 /* both, where y spans more than a decade */ };

typedef struct plot_panel {
    char *name; /* name for --what */
    char *what; /* the observable, which names all its panels */
    char *title, *x_label, *y_label;
    char *note; /* a number or two that belong to it; NULL: none */
    unsigned flags;
    plot_curve *curves;
    size_t count;
    bool log[2]; /* as drawn */
} plot_panel;

typedef enum plot_log { PLOT_DEFAULT, PLOT_LINEAR, PLOT_X, PLOT_Y, PLOT_XY } plot_log;

typedef struct plot_sheet {
    plot_log log;
    bool dark;
    bool split;  /* every curve has a panel of its own: several files are compared */
    bool failed; /* an allocation failed */
    char *title;
    char **files; /* as the legend calls them */
    char **paths;
    char *left_out; /* names of panels that compare nothing; NULL: none */
    size_t file_count;
    plot_panel *panels;
    size_t count;
} plot_sheet;

void plot_free(plot_sheet *p);

/* ---- making them ------------------------------------------------------------------------------------------------- */

/* Adds the panels and curves of a result, as file number p->file_count - 1. */
carom_status plot_add_result(plot_sheet *p, const reader *r, error *e);

/* Parts of that, in their own files: P(r) and box counting of the largest cluster; energies of the frames. */
carom_status plot_add_shapes(plot_sheet *p, const reader *r, error *e);
carom_status plot_add_frames(plot_sheet *p, const reader *r, error *e);

/* A table of the observable `ledger`, whose abscissa is `time`, as areas. */
carom_status plot_add_stack(plot_sheet *p, const reader *r, const reader_observable *o, size_t table,
                            const double *time, error *e);
/* The hue of one of its terms, the same in all panels; 0: not a term. */
size_t plot_ledger_hue(const char *column);

/* The table.csv of a sweep. */
carom_status plot_add_sweep(plot_sheet *p, const char *path, error *e);

/* The same of a text, which is taken apart in place; `path` names it in messages. */
carom_status plot_add_table(plot_sheet *p, char *text, const char *path, error *e);

/* Begins a file, called by its name without the folder and the ending. */
void plot_begin_file(plot_sheet *p, const char *path);

/* The panel of that name, created beside others of the same observable if there is none. Later files add to the
 * panels of the first. */
plot_panel *plot_panel_of(plot_sheet *p, const char *what, const char *name, const char *title);
void plot_label(plot_sheet *p, plot_panel *panel, const char *x, const char *y);
/* "mean 6.957 ± 0.009": a number and its standard error (NAN: unknown) as a note; the first stays. Where files are
 * compared it is that of the present file's last curve. */
void plot_note(plot_sheet *p, plot_panel *panel, const char *meaning, double value, double deviation);

/* Copies the finite numbers; `stride`: from one y to the next. No effect if the panel is NULL. */
plot_curve *plot_curve_add(plot_sheet *p, plot_panel *panel, const char *name, const double *x, const double *y,
                           size_t stride, const double *errors, size_t count);

/* Curves that are the same as the first become one with it: "total = kinetic". */
void plot_join_equal(plot_sheet *p, plot_panel *panel);

bool plot_same_points(const plot_curve *a, const plot_curve *b);
void plot_remove(plot_sheet *p, size_t panel);

/* Several files: distinguishes their curves, joins equal panels, and removes panels with one file only, unless there
 * are no others or `all` is set. */
void plot_compare(plot_sheet *p, bool all);
void plot_distinguish_files(plot_sheet *p);

/* A name with blanks: "mean_free_time" becomes "mean free time". `room` is filled and returned. */
enum { PLOT_NAME = 96 };
const char *plot_words(char room[PLOT_NAME], const char *name);

/* "pressure (energy / volume)". */
const char *plot_with_quantity(char room[2 * PLOT_NAME], const char *name, const char *quantity);

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* Removes panels without points. */
void plot_drop_empty(plot_sheet *p);

/* Keeps the panels of these names, in that order. *unknown: the first name that does not exist. */
carom_status plot_choose(plot_sheet *p, const char *const *what, size_t count, const char **unknown);

enum { PLOT_CUT = 400 }; /* bytes of a text that is shown */

/* A text cut to the width, with "..." at the cut. */
const char *plot_cut(canvas *c, const char *text, const canvas_style *style, double width, char room[PLOT_CUT]);

/* A text in lines, the last of `most` cut as above; how many there are. */
size_t plot_lines(canvas *c, const char *text, const canvas_style *style, double width, char lines[][PLOT_CUT],
                  size_t most);

/* Title of the panel of a measured column, and label of its axis; NULL without a recipe. */
const char *plot_title_of(const char *what, const char *column, const char **label);

/* Determines the axes and draws all panels on a sheet. */
carom_status plot_draw(plot_sheet *p, canvas_kind kind, text_buffer *bytes, error *e);

/* Description of the plot as JSON. */
carom_status plot_json(const plot_sheet *p, const char *picture, char **out, error *e);

#endif
