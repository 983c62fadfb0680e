#include "measure/series.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/store.h"

static size_t averaged_width(const series *s)
{
    size_t width = 0;
    for (size_t c = 1; c <= s->averaged; c++) width += s->column[c].width;
    return width;
}

carom_status series_create(series *s, const char *name, const series_column *columns, size_t count, error *e)
{
    assert(count < SERIES_COLUMNS);
    *s = (series){.name = name, .column_count = count + 1};
    s->column[0] = (measure_column){"time", "time", 1, NULL};
    for (size_t c = 0; c < count; c++) {
        s->column[c + 1] = (measure_column){columns[c].name, columns[c].unit, columns[c].width, NULL};
        assert(!columns[c].averaged || s->averaged == c);
        if (columns[c].averaged) s->averaged++;
    }
    return blocking_create(&s->means, averaged_width(s), e);
}

void series_destroy(series *s)
{
    for (size_t c = 0; c < s->column_count; c++) memory_free(s->data[c]);
    blocking_destroy(&s->means);
    *s = (series){0};
}

static carom_status reserve(series *s, size_t rows, error *e)
{
    if (rows <= s->capacity) return CAROM_OK;
    size_t capacity = s->capacity < 64 ? 64 : 2 * s->capacity;
    if (capacity < rows) capacity = rows;
    for (size_t c = 0; c < s->column_count; c++) {
        size_t size = s->column[c].width * sizeof(double);
        double *data = memory_resize(s->data[c], s->rows, capacity, size);
        if (data == NULL) return error_memory(e, "a time series", capacity * size);
        s->column[c].data = s->data[c] = data;
    }
    s->capacity = capacity;
    return CAROM_OK;
}

carom_status series_add(series *s, double time, double weight, const double *row, error *e)
{
    TRY(reserve(s, s->rows + 1, e));
    TRY(blocking_add(&s->means, weight, row, e));
    s->data[0][s->rows] = time;
    for (size_t c = 1; c < s->column_count; c++) {
        size_t width = s->column[c].width;
        memcpy(s->data[c] + s->rows * width, row, width * sizeof(double));
        row += width;
    }
    s->rows++;
    return CAROM_OK;
}

void series_drain(series *s)
{
    s->first_row += s->rows;
    s->rows = 0;
}

measure_table series_table(const series *s)
{
    return (measure_table){.name = s->name,
                           .series = true,
                           .first_row = s->first_row,
                           .rows = s->rows,
                           .columns = s->column,
                           .column_count = s->column_count};
}

measure_value series_value(const series *s, size_t which)
{
    const measure_column *column = &s->column[which + 1];
    measure_value value = {.name = column->name, .unit = column->unit, .width = column->width, .converged = true};
    assert(which < s->averaged && column->width <= MEASURE_WIDTH);
    size_t first = 0;
    for (size_t c = 1; c <= which; c++) first += s->column[c].width;
    for (size_t i = 0; i < column->width; i++) {
        bool converged;
        value.mean[i] = blocking_mean(&s->means, first + i);
        value.error[i] = blocking_standard_error(&s->means, first + i, &converged);
        value.converged = value.converged && converged;
    }
    return value;
}

carom_status series_save(const series *s, const char *prefix, snapshot *out, error *e)
{
    uint64_t rows[2] = {s->first_row, s->rows};
    TRY(store_put(out, prefix, "rows", SNAPSHOT_U64, 2, rows, e));
    for (size_t c = 0; c < s->column_count; c++)
        TRY(store_put(out, prefix, s->column[c].name, SNAPSHOT_F64, s->rows * s->column[c].width, s->data[c], e));
    return blocking_save(&s->means, prefix, out, e);
}

carom_status series_load(series *s, const char *prefix, const snapshot *in, error *e)
{
    uint64_t rows[2];
    TRY(store_get(in, prefix, "rows", SNAPSHOT_U64, 2, rows, e));
    size_t stored = 0;
    if (rows[1] > 0) TRY(store_length(in, prefix, "time", SNAPSHOT_F64, &stored, e));
    if (stored != rows[1]) return store_mismatch(prefix, "rows", e);
    s->rows = 0;
    TRY(reserve(s, stored, e));
    for (size_t c = 0; c < s->column_count; c++)
        TRY(store_get(in, prefix, s->column[c].name, SNAPSHOT_F64, stored * s->column[c].width, s->data[c], e));
    TRY(blocking_load(&s->means, prefix, in, e));
    s->first_row = rows[0];
    s->rows = stored;
    return CAROM_OK;
}
