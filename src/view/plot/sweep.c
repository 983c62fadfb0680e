/* The table of a sweep: each measure against the parameter with the most values, with a curve for each combination of
 * the others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text_file.h"
#include "measure/shape.h"
#include "view/plot/plot.h"

enum { VALUES_MOST = 200, CURVES_MOST = 200 };

/* A comma-separated table. Parsing modifies its text. */
typedef struct csv {
    char **cells; /* [rows][columns] */
    size_t rows, columns;
} csv;

/* Terminates the cell at *at, resolves quotes and doubled quotes, and returns it. *last: last cell of its line. */
static char *next_cell(char **at, bool *last)
{
    char *cell = *at, *to = cell, *from = cell;
    bool quoted = *from == '"';
    if (quoted) from++;
    while (*from != '\0') {
        if (quoted && *from == '"' && from[1] == '"')
            from++;
        else if (quoted && *from == '"') {
            quoted = false;
            from++;
            continue;
        } else if (!quoted && (*from == ',' || *from == '\n' || *from == '\r'))
            break;
        *to++ = *from++;
    }
    *last = *from != ',';
    if (*from == '\r') from++;
    *at = *from == '\0' ? from : from + 1;
    *to = '\0';
    return cell;
}

/* Rows must have as many cells as the first. */
static carom_status read_csv(csv *table, char *text, const char *path, error *e)
{
    size_t buffer = 0, count = 0;
    for (char *at = text; *at != '\0';) {
        size_t columns = 0;
        for (bool last = false; !last; columns++, count++) {
            if (count == buffer) {
                char **grown = memory_resize(table->cells, buffer, 2 * buffer + 64, sizeof *grown);
                if (grown == NULL) return error_memory(e, "a table", buffer);
                table->cells = grown;
                buffer = 2 * buffer + 64;
            }
            table->cells[count] = next_cell(&at, &last);
        }
        if (table->rows == 0) table->columns = columns;
        table->rows++;
        if (columns != table->columns)
            return error_set(e, CAROM_BAD_DATA, "error: '%s' is damaged: line %zu has %zu cells, the first has %zu",
                             path, table->rows, columns, table->columns);
    }
    return CAROM_OK;
}

static const char *cell(const csv *t, size_t row, size_t column)
{
    return t->cells[row * t->columns + column];
}

static size_t find(const csv *t, const char *name)
{
    size_t k = 0;
    while (k < t->columns && strcmp(cell(t, 0, k), name) != 0) k++;
    return k;
}

static bool to_number(const char *text, double *value)
{
    return number_read(text, strlen(text), value, NULL) == NUMBER_OK;
}

typedef struct layout {
    size_t measure, mean, error; /* columns; the parameters are those from 1 to measure - 1 */
    size_t along;                /* parameter on the abscissa; 0: index of the point, if none is a number */
} layout;

/* Number of values of a parameter; 0 if one is not a number. */
static size_t count_values(const csv *t, size_t column)
{
    size_t different = 0;
    for (size_t row = 1; row < t->rows && different < VALUES_MOST; row++) {
        double value;
        size_t before = 1;
        if (!to_number(cell(t, row, column), &value)) return 0;
        while (strcmp(cell(t, before, column), cell(t, row, column)) != 0) before++;
        different += before == row;
    }
    return different;
}

static carom_status read_layout(layout *l, const csv *t, const char *path, error *e)
{
    size_t most = 1;
    *l = (layout){.measure = t->rows > 0 ? find(t, "measure") : 0};
    l->mean = t->rows > 0 ? find(t, "mean") : 0;
    l->error = t->rows > 0 ? find(t, "error") : 0;
    if (t->rows < 2 || l->measure >= t->columns || l->mean >= t->columns || l->error >= t->columns || l->measure < 1)
        return error_set(
            e, CAROM_BAD_DATA,
            "error: '%s' is not the table.csv of a sweep, with rows for its measures; 'carom sweep' writes it", path);
    for (size_t k = 1; k < l->measure; k++) {
        const size_t values = count_values(t, k);
        if (values <= most) continue;
        most = values;
        l->along = k;
    }
    return CAROM_OK;
}

/* Whether two rows belong to one curve: equal measure, and equal parameters except the one on the abscissa. */
static bool belongs(const csv *t, const layout *l, size_t a, size_t b)
{
    if (strcmp(cell(t, a, l->measure), cell(t, b, l->measure)) != 0) return false;
    for (size_t k = 1; k < l->measure && l->along > 0; k++)
        if (k != l->along && strcmp(cell(t, a, k), cell(t, b, k)) != 0) return false;
    return true;
}

/* "count 400, friction 0.3": the parameters that vary, by the last words of their keys. */
static void name_curve(char name[2 * PLOT_NAME], const csv *t, const layout *l, size_t row)
{
    size_t used = 0;
    name[0] = '\0';
    for (size_t k = 1; k < l->measure && l->along > 0; k++) {
        bool varies = false;
        for (size_t i = 2; i < t->rows; i++) varies = varies || strcmp(cell(t, i, k), cell(t, 1, k)) != 0;
        if (k == l->along || !varies || used + 2 >= 2 * PLOT_NAME) continue;
        const char *key = strrchr(cell(t, 0, k), '.');
        const int more = snprintf(name + used, 2 * PLOT_NAME - used, "%s%s %s", used > 0 ? ", " : "",
                                  key != NULL ? key + 1 : cell(t, 0, k), cell(t, row, k));
        used += more > 0 ? (size_t)more : 0;
    }
}

/* For wide ranges: logarithmic axes, and a power-law fit with its exponent. */
static void add_slope(plot_sheet *p, plot_panel *panel, const plot_curve *c)
{
    const shape_fit fit = shape_fit_logs(c->x, c->y, c->count);
    if (fit.points < 3 || !isfinite(fit.slope) || (size_t)fit.points < c->count || c->x[c->count - 1] < 8 * c->x[0])
        return;
    const double x[2] = {fit.from, fit.to};
    const double y[2] = {exp(fit.intercept + fit.slope * log(x[0])), exp(fit.intercept + fit.slope * log(x[1]))};
    panel->flags = PLOT_LOG_X | PLOT_LOG_Y;
    plot_note(p, panel, "exponent", fit.slope, fit.error);
    plot_curve *line = plot_curve_add(p, panel, "fit", x, y, 1, NULL, 2);
    if (line != NULL) line->guide = true;
}

/* In ascending order of the abscissa. */
static void sort_points(double *x, double *y, double *errors, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && x[k] < x[k - 1]; k--) {
            double *const lists[] = {x, y, errors};
            for (int n = 0; n < 3; n++) {
                const double kept = lists[n][k];
                lists[n][k] = lists[n][k - 1];
                lists[n][k - 1] = kept;
            }
        }
}

/* "observables.pressure.compressibility.mean" has the name of the plot of a result; "events.total" becomes "events:
 * total". */
static void name_measure(char title[PLOT_NAME], char label[2 * PLOT_NAME], const char *measure)
{
    static const char front[] = "observables.", end[] = ".mean";
    char what[PLOT_NAME], words[PLOT_NAME];
    if (strncmp(measure, front, sizeof front - 1) == 0) measure += sizeof front - 1;
    snprintf(what, sizeof what, "%s", measure);
    const size_t length = strlen(what), cut = sizeof end - 1;
    if (length > cut && strcmp(what + length - cut, end) == 0) what[length - cut] = '\0';
    plot_words(words, what);
    size_t used = 0;
    for (const char *at = words; *at != '\0' && used + 3 < PLOT_NAME; at++) {
        title[used++] = *at == '.' ? ':' : *at;
        if (*at == '.') title[used++] = ' ';
    }
    title[used] = '\0';
    snprintf(label, 2 * PLOT_NAME, "mean of %s", title);
    char *dot = strchr(what, '.');
    if (dot != NULL) *dot = '\0';
    const char *axis = NULL, *known = plot_title_of(what, dot != NULL ? dot + 1 : what, &axis);
    if (known != NULL) snprintf(title, PLOT_NAME, "%s", known);
    if (axis != NULL) snprintf(label, 2 * PLOT_NAME, "mean %s", axis);
}

/* The curve that begins in `row`. With a single value of the abscissa it is a point. */
static carom_status add_curve(plot_sheet *p, const csv *t, const layout *l, size_t row, error *e)
{
    char name[2 * PLOT_NAME], title[PLOT_NAME], label[2 * PLOT_NAME];
    double *numbers = NEW_ARRAY(3 * t->rows, double);
    if (numbers == NULL) return error_memory(e, "a table", 3 * t->rows * sizeof *numbers);
    double *x = numbers, *y = x + t->rows, *errors = y + t->rows;
    size_t count = 0;
    for (size_t k = row; k < t->rows; k++) {
        if (!belongs(t, l, row, k) || !to_number(cell(t, k, l->mean), &y[count]) ||
            !to_number(cell(t, k, l->along), &x[count]))
            continue;
        if (!to_number(cell(t, k, l->error), &errors[count])) errors[count] = 0;
        count++;
    }
    sort_points(x, y, errors, count);
    name_measure(title, label, cell(t, row, l->measure));
    plot_panel *panel = plot_panel_of(p, "sweep", cell(t, row, l->measure), title);
    plot_label(p, panel, l->along > 0 ? cell(t, 0, l->along) : "point", label);
    name_curve(name, t, l, row);
    plot_curve *c = plot_curve_add(p, panel, *name != '\0' ? name : "mean", x, y, 1, errors, count);
    memory_free(numbers);
    if (c != NULL) c->mark = PLOT_POINTS;
    if (c != NULL && panel->count == 1 && *name == '\0' && l->along > 0 && c->count > 2 && c->x[0] > 0)
        add_slope(p, panel, c);
    return CAROM_OK;
}

static carom_status add_table(plot_sheet *p, const csv *t, const char *path, error *e)
{
    layout l;
    TRY(read_layout(&l, t, path, e));
    size_t curves = 0;
    for (size_t row = 1; row < t->rows && curves < CURVES_MOST; row++) {
        size_t before = 1;
        while (!belongs(t, &l, before, row)) before++;
        if (before < row) continue;
        curves++;
        TRY(add_curve(p, t, &l, row, e));
    }
    return p->failed ? error_memory(e, "a plot", 1 << 20) : CAROM_OK;
}

carom_status plot_add_table(plot_sheet *p, char *text, const char *path, error *e)
{
    csv table = {0};
    carom_status status = read_csv(&table, text, path, e);
    if (status == CAROM_OK) status = add_table(p, &table, path, e);
    memory_free(table.cells);
    return status;
}

carom_status plot_add_sweep(plot_sheet *p, const char *path, error *e)
{
    char *text = NULL;
    size_t length;
    carom_status status = text_file_read(path, "table", "plot a result instead", &text, &length, e);
    if (status == CAROM_OK) status = plot_add_table(p, text, path, e);
    memory_free(text);
    return status;
}
