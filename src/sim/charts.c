#include "sim/charts.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "output/results/json_text.h"

enum { ROWS = 256, LINES = 8, WORD = 48, WIDEST = 3, CHARTS_MOST = 64 };

/* Columns of a table with one unit: numbers, and components of vectors. */
typedef struct chart {
    size_t observable, table, leader; /* leader: its first column */
    char what[WORD], x[WORD], unit[2 * WORD], names[LINES][WORD];
    size_t lines;
    bool series;
    double (*rows)[1 + LINES]; /* [ROWS]: abscissa, values */
    size_t count;
    uint64_t taken, every; /* of a series: rows so far; every `every`-th row is kept */
} chart;

struct charts {
    chart list[CHARTS_MOST];
    size_t count;
    bool changed;
};

charts *charts_new(void)
{
    return NEW_ARRAY(1, charts);
}

void charts_free(charts *c)
{
    for (size_t n = 0; c != NULL && n < c->count; n++) memory_free(c->list[n].rows);
    memory_free(c);
}

bool charts_changed(const charts *c)
{
    return c->changed;
}

/* ---- contents ---------------------------------------------------------------------------------------------------- */

/* Standard errors and tensors are not drawn. Of a table that is not a time series only its main column is drawn. */
static bool is_drawn(const measure_table *t, size_t column)
{
    const measure_column *c = &t->columns[column];
    return column > 0 && c->width <= WIDEST && strcmp(c->name, "error") != 0 && (t->series || column == 1);
}

static bool belongs(const measure_table *t, size_t leader, size_t column)
{
    return is_drawn(t, column) && strcmp(t->columns[column].unit, t->columns[leader].unit) == 0;
}

static bool leads(const measure_table *t, size_t column)
{
    bool first = is_drawn(t, column);
    for (size_t before = 1; before < column; before++) first = first && !belongs(t, column, before);
    return first;
}

static void name_lines(chart *h, const measure_table *t)
{
    for (size_t c = h->leader; c < t->column_count; c++)
        for (size_t k = 0; k < t->columns[c].width && belongs(t, h->leader, c) && h->lines < LINES; k++) {
            const char component[3] = {' ', (char)('x' + k), '\0'};
            snprintf(h->names[h->lines++], WORD, "%s%s", t->columns[c].name, t->columns[c].width > 1 ? component : "");
        }
}

/* NULL if there is no memory. */
static chart *make_chart(charts *c, const chart *as, const char *what, const measure_table *t)
{
    double(*rows)[1 + LINES] = memory_new(ROWS, sizeof *rows);
    if (rows == NULL) return NULL;
    chart *h = &c->list[c->count++];
    *h = *as;
    h->rows = rows;
    h->every = 1;
    h->series = t->series;
    snprintf(h->what, WORD, "%s", what);
    snprintf(h->x, WORD, "%s", t->columns[0].name);
    snprintf(h->unit, sizeof h->unit, "%s", t->columns[h->leader].unit);
    name_lines(h, t);
    return h;
}

static void take_row(chart *h, const measure_table *t, size_t row)
{
    double *to = h->rows[h->count++];
    size_t line = 0;
    to[0] = t->columns[0].data[row];
    for (size_t c = h->leader; c < t->column_count; c++)
        for (size_t k = 0; k < t->columns[c].width && belongs(t, h->leader, c) && line < h->lines; k++)
            to[1 + line++] = t->columns[c].data[row * t->columns[c].width + k];
}

/* Removes every other row. */
static void thin_out(chart *h)
{
    for (size_t n = 0; 2 * n < ROWS; n++) memcpy(h->rows[n], h->rows[2 * n], sizeof *h->rows);
    h->count = ROWS / 2;
    h->every *= 2;
}

static void take_series(chart *h, const measure_table *t)
{
    const uint64_t end = t->first_row + t->rows;
    for (uint64_t row = h->taken > t->first_row ? h->taken : t->first_row; row < end; row++) {
        if (row % h->every != 0) continue;
        if (h->count == ROWS) thin_out(h);
        if (row % h->every == 0) take_row(h, t, (size_t)(row - t->first_row));
    }
    if (end > h->taken) h->taken = end;
}

static void take_all(chart *h, const measure_table *t)
{
    const size_t stride = t->rows / ROWS + 1;
    h->count = 0;
    for (size_t row = 0; row < t->rows; row += stride) take_row(h, t, row);
}

static carom_status take_table(charts *c, size_t k, size_t table, const char *what, const measure_table *t, error *e)
{
    for (size_t column = 1; column < t->column_count; column++) {
        const chart wanted = {.observable = k, .table = table, .leader = column};
        chart *h = NULL;
        if (!leads(t, column) || t->columns[0].width != 1) continue;
        for (size_t n = 0; n < c->count; n++)
            if (c->list[n].observable == k && c->list[n].table == table && c->list[n].leader == column) h = &c->list[n];
        if (h == NULL && c->count == CHARTS_MOST) return CAROM_OK;
        if (h == NULL) h = make_chart(c, &wanted, what, t);
        if (h == NULL) return error_memory(e, "a chart", ROWS * sizeof *h->rows);
        if (h->series)
            take_series(h, t);
        else
            take_all(h, t);
    }
    c->changed = true;
    return CAROM_OK;
}

carom_status charts_take(charts *c, size_t k, const char *what, const measure_result *now, error *e)
{
    for (size_t t = 0; t < now->table_count; t++) TRY(take_table(c, k, t, what, &now->tables[t], e));
    return CAROM_OK;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static carom_status take_stored(charts *c, const reader *r, size_t k, size_t table, error *e)
{
    const reader_observable *o = &reader_about(r)->observables[k];
    const reader_table *from = &o->tables[table];
    measure_column *columns = NEW_ARRAY(from->column_count, measure_column);
    if (columns == NULL) return error_memory(e, "a chart", from->column_count * sizeof *columns);
    const measure_table t = {.name = from->name,
                             .series = from->series,
                             .rows = (size_t)from->rows,
                             .columns = columns,
                             .column_count = from->column_count};
    carom_status status = CAROM_OK;
    for (size_t n = 0; n < from->column_count && status == CAROM_OK; n++) {
        double *data = NULL;
        status = reader_numbers(r, o, table, n, &data, e);
        columns[n] = (measure_column){from->columns[n].name, from->columns[n].quantity, from->columns[n].width, data};
    }
    if (status == CAROM_OK) status = take_table(c, k, table, o->what, &t, e);
    for (size_t n = 0; n < from->column_count; n++) memory_free((void *)columns[n].data);
    memory_free(columns);
    return status;
}

carom_status charts_take_result(charts *c, const reader *r, error *e)
{
    const result_about *about = reader_about(r);
    for (size_t k = 0; k < about->observable_count; k++)
        for (size_t t = 0; t < about->observables[k].table_count; t++)
            if (about->observables[k].tables[t].column_count > 1) TRY(take_stored(c, r, k, t, e));
    return CAROM_OK;
}

/* ---- as text ----------------------------------------------------------------------------------------------------- */

static void put_column(json_text *j, const chart *h, size_t column)
{
    json_open(j, '[');
    for (size_t n = 0; n < h->count; n++) json_number_put(j, h->rows[n][column]);
    json_close(j, ']');
}

static void put_chart(json_text *j, const chart *h)
{
    json_open(j, '{');
    json_key(j, "of");
    json_word(j, h->what);
    json_key(j, "unit");
    json_word(j, h->unit);
    json_key(j, "series");
    json_bool(j, h->series);
    json_key(j, "x");
    json_word(j, h->x);
    json_key(j, "at");
    put_column(j, h, 0);
    json_key(j, "lines");
    json_open(j, '[');
    for (size_t n = 0; n < h->lines; n++) {
        json_open(j, '{');
        json_key(j, "name");
        json_word(j, h->names[n]);
        json_key(j, "values");
        put_column(j, h, 1 + n);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

char *charts_text(charts *c)
{
    json_text j = {0};
    json_open(&j, '{');
    json_key(&j, "kind");
    json_word(&j, "charts");
    json_key(&j, "charts");
    json_open(&j, '[');
    for (size_t n = 0; n < c->count; n++) put_chart(&j, &c->list[n]);
    json_close(&j, ']');
    json_close(&j, '}');
    c->changed = false;
    if (!j.text.failed) return j.text.data;
    text_free(&j.text);
    return NULL;
}
