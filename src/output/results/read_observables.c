#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "output/results/read_about.h"

/* Returns the next number of complete rows. */
typedef struct lengths {
    const uint64_t *next;
    size_t left;
} lengths;

static char *quantity_of(hid_t object)
{
    char *word = h5_text_read(object, "quantity");
    return word != NULL ? word : memory_text("");
}

/* Takes ownership of a name and removes it from the list. */
static char *take_name(char **names, size_t i)
{
    char *name = names[i];
    names[i] = NULL;
    return name;
}

static carom_status read_column(hid_t table, reader_column *c, size_t index, bool series, uint64_t *rows, error *e)
{
    hsize_t size[2] = {0, 1};
    char *path = layout_column(c->name, index, series);
    if (path == NULL) return error_memory(e, "a column", 1);
    hid_t dataset = H5Dopen2(table, path, H5P_DEFAULT);
    memory_free(path);
    hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool done = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    if (done) c->quantity = quantity_of(dataset);
    if (space >= 0) H5Sclose(space);
    if (dataset >= 0) H5Dclose(dataset);
    c->width = rank == 2 ? size[1] : 1;
    if (size[0] < *rows) *rows = size[0];
    if (!done) return CAROM_BAD_DATA;
    return c->quantity != NULL ? CAROM_OK : error_memory(e, "a column", 1);
}

static carom_status read_columns(hid_t group, reader_table *t, error *e)
{
    char **names;
    size_t count;
    TRY(h5_texts_read(group, "columns", &names, &count, e));
    t->columns = NEW_ARRAY(count, reader_column);
    carom_status status = t->columns != NULL ? CAROM_OK : error_memory(e, "a table", count * sizeof *t->columns);
    if (status == CAROM_OK) t->column_count = count;
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        t->columns[i].name = take_name(names, i);
        status = read_column(group, &t->columns[i], i, t->series, &t->rows, e);
    }
    h5_texts_free(names, count);
    return status;
}

/* `group`: that of the table. It is that of the observable for its first table if that is a series. */
static carom_status read_table(hid_t group, reader_table *t, lengths *complete, error *e)
{
    uint8_t series = 0;
    if (complete->left == 0) return CAROM_BAD_DATA;
    uint64_t whole = *complete->next++;
    complete->left--;
    bool done = h5_attribute_read(group, "series", SNAPSHOT_U8, 0, &series);
    t->series = series;
    t->rows = series ? whole : UINT64_MAX;
    carom_status status = done ? read_columns(group, t, e) : CAROM_BAD_DATA;
    if (t->column_count == 0) t->rows = 0;
    return status;
}

static carom_status read_value(hid_t parent, reader_value *v, error *e)
{
    uint8_t converged = 0;
    hid_t group = H5Gopen2(parent, v->name, H5P_DEFAULT);
    if (group < 0) return CAROM_BAD_DATA;
    int64_t width = h5_attribute_count(group, "mean");
    bool done = width >= 1 && width <= 9 && h5_attribute_read(group, "mean", SNAPSHOT_F64, (hsize_t)width, v->mean) &&
                h5_attribute_read(group, "error", SNAPSHOT_F64, (hsize_t)width, v->error) &&
                h5_attribute_read(group, "converged", SNAPSHOT_U8, 0, &converged);
    v->setting = H5Aexists(group, "setting") > 0;
    v->quantity = quantity_of(group);
    v->width = done ? (size_t)width : 0;
    v->converged = converged;
    H5Gclose(group);
    if (v->quantity == NULL) return error_memory(e, "a value", 1);
    return done ? CAROM_OK : CAROM_BAD_DATA;
}

static carom_status read_values(hid_t observable, reader_observable *o, error *e)
{
    char **names = NULL;
    size_t count = 0;
    hid_t group = H5Gopen2(observable, "values", H5P_DEFAULT);
    if (group < 0) return CAROM_BAD_DATA;
    carom_status status = h5_texts_read(group, "names", &names, &count, e);
    if (status == CAROM_OK) o->values = NEW_ARRAY(count, reader_value);
    if (status == CAROM_OK && o->values == NULL) status = error_memory(e, "values", count * sizeof *o->values);
    if (status == CAROM_OK) o->value_count = count;
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        o->values[i].name = take_name(names, i);
        status = read_value(group, &o->values[i], e);
    }
    h5_texts_free(names, count);
    H5Gclose(group);
    return status;
}

static carom_status read_tables(hid_t group, reader_observable *o, lengths *complete, error *e)
{
    char **names;
    size_t count;
    TRY(h5_texts_read(group, "tables", &names, &count, e));
    o->tables = NEW_ARRAY(count, reader_table);
    carom_status status = o->tables != NULL ? CAROM_OK : error_memory(e, "tables", count * sizeof *o->tables);
    if (status == CAROM_OK) o->table_count = count;
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        o->tables[i].name = take_name(names, i);
        bool within = i == 0 && H5Aexists(group, "series") > 0;
        hid_t table = H5Gopen2(group, within ? "." : o->tables[i].name, H5P_DEFAULT);
        status = table >= 0 ? read_table(table, &o->tables[i], complete, e) : CAROM_BAD_DATA;
        if (table >= 0) H5Gclose(table);
    }
    h5_texts_free(names, count);
    return status;
}

static carom_status read_observable(hid_t parent, reader_observable *o, lengths *complete, error *e)
{
    hid_t group = H5Gopen2(parent, o->name, H5P_DEFAULT);
    if (group < 0) return CAROM_BAD_DATA;
    o->what = h5_text_read(group, "what");
    carom_status status = o->what != NULL ? read_values(group, o, e) : CAROM_BAD_DATA;
    if (status == CAROM_OK) status = read_tables(group, o, complete, e);
    H5Gclose(group);
    return status;
}

carom_status about_read_observables(result_about *about, hid_t file, const uint64_t *complete, size_t count,
                                    const char **fault, error *e)
{
    char **names = NULL;
    size_t named = 0;
    lengths left = {complete, count};
    *fault = LAYOUT_OBSERVABLES;
    hid_t group = H5Gopen2(file, LAYOUT_OBSERVABLES, H5P_DEFAULT);
    if (group < 0) return CAROM_BAD_DATA;
    carom_status status = h5_texts_read(group, "names", &names, &named, e);
    if (status == CAROM_OK) about->observables = NEW_ARRAY(named, reader_observable);
    if (status == CAROM_OK && about->observables == NULL)
        status = error_memory(e, "observables", named * sizeof *about->observables);
    if (status == CAROM_OK) about->observable_count = named;
    for (size_t i = 0; i < named && status == CAROM_OK; i++) {
        about->observables[i].name = take_name(names, i);
        status = read_observable(group, &about->observables[i], &left, e);
    }
    h5_texts_free(names, named);
    H5Gclose(group);
    return status;
}

static hid_t open_table(hid_t file, const reader_observable *o, size_t table)
{
    char *path = memory_format("%s/%s", LAYOUT_OBSERVABLES, o->name);
    hid_t group = path != NULL ? H5Gopen2(file, path, H5P_DEFAULT) : -1;
    const bool within = group >= 0 && table == 0 && H5Aexists(group, "series") > 0;
    hid_t inner = group >= 0 ? H5Gopen2(group, within ? "." : o->tables[table].name, H5P_DEFAULT) : -1;
    if (group >= 0) H5Gclose(group);
    memory_free(path);
    return inner;
}

hid_t about_open_column(hid_t file, const reader_observable *o, size_t table, size_t column)
{
    const reader_table *t = &o->tables[table];
    char *path = layout_column(t->columns[column].name, column, t->series);
    hid_t group = path != NULL ? open_table(file, o, table) : -1;
    hid_t dataset = group >= 0 ? H5Dopen2(group, path, H5P_DEFAULT) : -1;
    if (group >= 0) H5Gclose(group);
    memory_free(path);
    return dataset;
}

static void free_observable(reader_observable *o)
{
    for (size_t i = 0; i < o->value_count; i++) {
        memory_free(o->values[i].name);
        memory_free(o->values[i].quantity);
    }
    for (size_t i = 0; i < o->table_count; i++) {
        reader_table *t = &o->tables[i];
        for (size_t c = 0; c < t->column_count; c++) {
            memory_free(t->columns[c].name);
            memory_free(t->columns[c].quantity);
        }
        memory_free(t->columns);
        memory_free(t->name);
    }
    memory_free(o->values);
    memory_free(o->tables);
    memory_free(o->name);
    memory_free(o->what);
}

void about_free_observables(result_about *about)
{
    for (size_t i = 0; i < about->observable_count; i++) free_observable(&about->observables[i]);
    memory_free(about->observables);
}

/* Adds each row of a column to its digest. */
static carom_status add_column(hid_t file, const reader_observable *o, size_t table, size_t column, uint64_t rows,
                               uint64_t *digests, error *e)
{
    const size_t width = o->tables[table].columns[column].width;
    const h5_row row = layout_numbers(width);
    double *data = memory_new(rows, (width > 0 ? width : 1) * sizeof *data);
    if (data == NULL) return error_memory(e, "a table", rows * width * sizeof *data);
    hid_t dataset = about_open_column(file, o, table, column);
    const bool done = dataset >= 0 && h5_read_rows(dataset, &row, 0, rows, data);
    if (dataset >= 0) H5Dclose(dataset);
    for (uint64_t i = 0; i < rows; i++) digests[i] = series_digest_add(digests[i], data + i * width, width);
    memory_free(data);
    return done ? CAROM_OK : CAROM_BAD_DATA;
}

static bool read_numbers(hid_t group, const char *name, uint64_t rows, uint64_t *numbers)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    const bool done = dataset >= 0 && h5_read_rows(dataset, &number, 0, rows, numbers);
    if (dataset >= 0) H5Dclose(dataset);
    return done;
}

static carom_status compare_digests(hid_t file, const reader_observable *o, size_t table, uint64_t rows,
                                    uint64_t *digests, uint64_t *numbers, size_t *column, error *e)
{
    const reader_table *t = &o->tables[table];
    for (uint64_t i = 0; i < rows; i++) digests[i] = HASH_START;
    for (size_t c = 0; c < t->column_count; c++) {
        *column = c;
        TRY(add_column(file, o, table, c, rows, digests, e));
    }
    *column = SIZE_MAX;
    hid_t group = open_table(file, o, table);
    bool good = group >= 0 && read_numbers(group, "step", rows, numbers);
    for (uint64_t i = 0; good && i < rows; i++) digests[i] = series_digest_end(digests[i], numbers[i]);
    good = good && read_numbers(group, H5_DIGEST, rows, numbers);
    if (group >= 0) H5Gclose(group);
    return good && memcmp(digests, numbers, rows * sizeof *digests) == 0 ? CAROM_OK : CAROM_BAD_DATA;
}

carom_status about_check_series(hid_t file, const reader_observable *o, size_t table, uint64_t rows, size_t *column,
                                error *e)
{
    *column = SIZE_MAX;
    if (rows > o->tables[table].rows) return CAROM_BAD_DATA;
    if (!memory_can_hold(rows * 2 * sizeof(uint64_t))) return CAROM_BAD_DATA;
    uint64_t *digests = NEW_ARRAY(rows, uint64_t), *numbers = NEW_ARRAY(rows, uint64_t);
    const carom_status status = digests != NULL && numbers != NULL
                                    ? compare_digests(file, o, table, rows, digests, numbers, column, e)
                                    : error_memory(e, "a table", rows * 2 * sizeof *digests);
    memory_free(digests);
    memory_free(numbers);
    return status;
}
