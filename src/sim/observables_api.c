/* Observables of result files of carom.h. */
#include "sim/file_api.h"

#include <string.h>

#include "base/memory.h"

static void free_data(carom_observable *o)
{
    for (size_t t = 0; t < o->table_count; t++) {
        carom_column *columns = (carom_column *)o->tables[t].columns;
        for (size_t c = 0; c < o->tables[t].column_count; c++) {
            memory_free((double *)columns[c].data);
            columns[c].data = NULL;
        }
    }
}

void contents_free_observables(file_contents *contents)
{
    for (size_t n = 0; n < contents->observable_count; n++) {
        carom_observable *o = &contents->observables[n];
        free_data(o);
        for (size_t t = 0; t < o->table_count; t++) memory_free((carom_column *)o->tables[t].columns);
        memory_free((carom_table *)o->tables);
        memory_free((carom_value *)o->values);
    }
    memory_free(contents->observables);
}

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

static carom_value value_of(const reader_value *from)
{
    carom_value v = {.name = from->name, .unit = from->quantity, .width = from->width, .converged = from->converged};
    memcpy(v.mean, from->mean, sizeof v.mean);
    memcpy(v.error, from->error, sizeof v.error);
    return v;
}

_Static_assert(sizeof((carom_value *)0)->mean == sizeof((reader_value *)0)->mean, "values have the same width");

static carom_status describe_table(carom_table *t, const reader_table *from, error *e)
{
    carom_column *columns = NEW_ARRAY(from->column_count, carom_column);
    if (columns == NULL) return error_memory(e, "a table", from->column_count * sizeof *columns);
    for (size_t c = 0; c < from->column_count; c++)
        columns[c] = (carom_column){
            .name = from->columns[c].name, .unit = from->columns[c].quantity, .width = from->columns[c].width};
    *t = (carom_table){.name = from->name,
                       .series = from->series,
                       .rows = from->rows,
                       .columns = columns,
                       .column_count = from->column_count};
    return CAROM_OK;
}

static carom_status describe(carom_observable *o, const reader_observable *from, error *e)
{
    carom_value *values = NEW_ARRAY(from->value_count, carom_value);
    carom_table *tables = NEW_ARRAY(from->table_count, carom_table);
    *o = (carom_observable){.name = from->name, .what = from->what, .values = values, .tables = tables};
    if (values == NULL || tables == NULL) return error_memory(e, "an observable", from->table_count * sizeof *tables);
    for (; o->value_count < from->value_count; o->value_count++)
        values[o->value_count] = value_of(&from->values[o->value_count]);
    for (; o->table_count < from->table_count; o->table_count++)
        TRY(describe_table(&tables[o->table_count], &from->tables[o->table_count], e));
    return CAROM_OK;
}

static carom_status describe_all(carom_file *file)
{
    const result_about *about = reader_about(file->result);
    file_contents *to = &file->contents;
    if (to->observables != NULL) return CAROM_OK;
    to->observables = NEW_ARRAY(about->observable_count, carom_observable);
    if (to->observables == NULL) return error_memory(&file->message, "observables", about->observable_count);
    carom_status status = CAROM_OK;
    for (size_t n = 0; n < about->observable_count && status == CAROM_OK; n++) {
        to->observable_count++;
        status = describe(&to->observables[n], &about->observables[n], &file->message);
    }
    if (status == CAROM_OK) return CAROM_OK;
    contents_free_observables(to);
    to->observables = NULL;
    to->observable_count = 0;
    return status;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static carom_status read_data(carom_file *file, size_t n)
{
    carom_observable *o = &file->contents.observables[n];
    const reader_observable *from = &reader_about(file->result)->observables[n];
    for (size_t t = 0; t < o->table_count; t++) {
        carom_column *columns = (carom_column *)o->tables[t].columns;
        for (size_t c = 0; c < o->tables[t].column_count; c++) {
            double *data;
            TRY(reader_numbers(file->result, from, t, c, &data, &file->message));
            columns[c].data = data;
        }
    }
    return CAROM_OK;
}

const carom_observable *carom_file_observable(carom_file *file, size_t n, bool data)
{
    if (file_need_result(file, "read") != CAROM_OK || describe_all(file) != CAROM_OK) return NULL;
    if (n >= file->contents.observable_count) return NULL;
    carom_observable *o = &file->contents.observables[n];
    free_data(o);
    if (!data || read_data(file, n) == CAROM_OK) return o;
    free_data(o);
    return NULL;
}
