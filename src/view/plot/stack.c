/* The energy balance as stacked areas: stored energies, then dissipated energies. The expected upper edge is the
 * initial energy plus the work since then; the difference is the drift. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "view/colours.h"
#include "view/plot/plot.h"

typedef struct part {
    const char *column, *name;
    bool lost;
} part;

static const part parts[] = {
    {"kinetic", "kinetic", false},
    {"potential", "potential", false},
    {"springs", "springs", false},
    {"contact", "contact", false},
    {"stretch", "stretch", false},
    {"bend", "bend", false},
    {"restitution", "lost to restitution", true},
    {"friction", "lost to friction", true},
    {"damping", "lost to damping", true},
    {"plastic", "lost to plastic bending", true},
    {"sliding", "lost to sliding", true},
    {"rolling", "lost to rolling", true},
    {"twisting", "lost to twisting", true},
};

enum { PARTS = sizeof parts / sizeof *parts, STORED = 6, OF_FRICTION = 10 };

/* Dissipated energies are pale in the stack, with colours from the first one on again, and dashed as lines; the parts of
 * friction are dotted. */
size_t plot_ledger_hue(const char *column)
{
    if (strcmp(column, "total") == 0) return THEME_SERIES;
    if (strcmp(column, "work") == 0) return (size_t)2 * THEME_SERIES;
    size_t k = 0;
    while (k < PARTS && strcmp(parts[k].column, column) != 0) k++;
    if (k == PARTS) return 0;
    if (k >= OF_FRICTION) return 1 + k - OF_FRICTION + (size_t)2 * THEME_SERIES;
    return 1 + (parts[k].lost ? k - STORED + THEME_SERIES : k);
}

static size_t column_of(const reader_table *t, const char *name)
{
    size_t k = 0;
    while (k < t->column_count && (t->columns[k].width != 1 || strcmp(t->columns[k].name, name) != 0)) k++;
    return k;
}

/* Numbers of a column; NULL if it is absent or zero everywhere. The zero of the potential is its minimum. */
static carom_status read_part(const reader *r, const reader_observable *o, size_t table, const char *name, double **y,
                              error *e)
{
    const reader_table *t = &o->tables[table];
    const size_t column = column_of(t, name);
    double least = INFINITY;
    bool any = false;
    *y = NULL;
    if (column == t->column_count) return CAROM_OK;
    TRY(reader_numbers(r, o, table, column, y, e));
    for (size_t i = 0; i < t->rows; i++) least = fmin(least, (*y)[i]);
    for (size_t i = 0; i < t->rows; i++) {
        if (strcmp(name, "potential") == 0) (*y)[i] -= least;
        any = any || (*y)[i] != 0;
    }
    if (any) return CAROM_OK;
    memory_free(*y);
    *y = NULL;
    return CAROM_OK;
}

/* Adds to each part the sum of the parts below it. Friction is omitted where its own parts are columns. */
static carom_status add_parts(plot_sheet *p, plot_panel *panel, const reader *r, const reader_observable *o,
                              size_t table, const double *time, double *sum, error *e)
{
    const reader_table *t = &o->tables[table];
    const size_t rows = t->rows;
    const bool divided = column_of(t, "sliding") < t->column_count;
    for (size_t k = 0; k < PARTS; k++) {
        double *y;
        if (divided && strcmp(parts[k].column, "friction") == 0) continue;
        TRY(read_part(r, o, table, parts[k].column, &y, e));
        if (y == NULL) continue;
        for (size_t i = 0; i < rows; i++) sum[i] += y[i];
        memory_free(y);
        plot_curve *c = plot_curve_add(p, panel, parts[k].name, time, sum, 1, NULL, rows);
        if (c == NULL) continue;
        c->mark = PLOT_AREA;
        c->faint = parts[k].lost;
        c->hue = 1 + (parts[k].lost ? k - STORED : k);
    }
    return CAROM_OK;
}

/* The expected sum. */
static carom_status add_budget(plot_sheet *p, plot_panel *panel, const reader *r, const reader_observable *o,
                               size_t table, const double *time, double *sum, error *e)
{
    const size_t rows = o->tables[table].rows;
    const double start = sum[0];
    double *work;
    TRY(read_part(r, o, table, "work", &work, e));
    for (size_t i = 0; i < rows; i++) sum[i] = start + (work != NULL ? work[i] - work[0] : 0);
    plot_curve *c =
        plot_curve_add(p, panel, work != NULL ? "at the start + work" : "at the start", time, sum, 1, NULL, rows);
    if (c != NULL) c->guide = true;
    memory_free(work);
    return CAROM_OK;
}

carom_status plot_add_stack(plot_sheet *p, const reader *r, const reader_observable *o, size_t table,
                            const double *time, error *e)
{
    const size_t rows = o->tables[table].rows;
    char name[PLOT_NAME];
    if (rows < 2) return CAROM_OK;
    snprintf(name, sizeof name, strcmp(o->name, "ledger") == 0 ? "stack" : "%.80s_stack", o->name);
    plot_panel *panel = plot_panel_of(p, o->name, name, "Energy balance, stacked");
    plot_label(p, panel, "time", "energy");
    double *sum = NEW_ARRAY(rows, double);
    if (sum == NULL) return error_memory(e, "a plot", rows * sizeof *sum);
    carom_status status = add_parts(p, panel, r, o, table, time, sum, e);
    if (status == CAROM_OK && panel != NULL && panel->count > 0)
        status = add_budget(p, panel, r, o, table, time, sum, e);
    memory_free(sum);
    return status;
}
