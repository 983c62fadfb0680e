/* Tables of observables: one row for each sample or bin. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/results/export.h"
#include "output/results/export_events.h"
#include "output/results/sink.h"

/* The table of recorded events; an observable of that name has precedence. */
#define EVENTS "events"

/* Whether `what` is the name of table t of o: "NAME/TABLE", or "NAME" for the first one. */
static bool is_named(const reader_observable *o, size_t t, const char *what)
{
    const size_t length = strlen(o->name);
    if (strncmp(what, o->name, length) != 0) return false;
    return what[length] == '/' ? strcmp(what + length + 1, o->tables[t].name) == 0 : what[length] == '\0' && t == 0;
}

static carom_status refuse(const result_about *about, const char *what, error *e)
{
    text_buffer list = {0};
    for (size_t i = 0; i < about->observable_count; i++) {
        const reader_observable *o = &about->observables[i];
        for (size_t t = 0; t < o->table_count; t++)
            text_add(&list, "%s%s%s%s", list.length > 0 ? ", " : "", o->name, t > 0 ? "/" : "",
                     t > 0 ? o->tables[t].name : "");
    }
    if (about->events_stored) text_add(&list, "%s" EVENTS, list.length > 0 ? ", " : "");
    if (strcmp(what, EVENTS) == 0)
        error_set(e, CAROM_USAGE,
                  "error: the result has no recorded events: set `output: {events: true}` in its scene, and run it "
                  "again");
    else
        error_set(e, CAROM_USAGE, "error: there is no table '%s'; %s%s", what,
                  list.length > 0 ? "the result has " : "`observe` of the scene lists the observables",
                  list.length > 0 && !list.failed ? list.data : "");
    text_free(&list);
    return CAROM_USAGE;
}

static void write_header(text_buffer *to, const reader_table *t)
{
    for (size_t c = 0; c < t->column_count; c++)
        for (size_t k = 0; k < t->columns[c].width; k++) {
            text_add(to, "%s%s", c + k > 0 ? "," : "", t->columns[c].name);
            if (t->columns[c].width > 1) text_add(to, "_%zu", k);
        }
    text_add(to, "\n");
}

static carom_status write_table(const reader *r, const reader_observable *o, size_t table, sink *s, error *e)
{
    const reader_table *t = &o->tables[table];
    double **data = NEW_ARRAY(t->column_count, double *);
    if (data == NULL) return error_memory(e, "an export", t->column_count * sizeof *data);
    carom_status status = CAROM_OK;
    for (size_t c = 0; c < t->column_count && status == CAROM_OK; c++)
        status = reader_numbers(r, o, table, c, &data[c], e);
    if (status == CAROM_OK) write_header(&s->text, t);
    for (uint64_t i = 0; i < t->rows && status == CAROM_OK && s->failure == 0; i++) {
        for (size_t c = 0; c < t->column_count; c++)
            for (size_t k = 0; k < t->columns[c].width; k++) {
                text_add(&s->text, "%s", c + k > 0 ? "," : "");
                text_add_number(&s->text, data[c][i * t->columns[c].width + k]);
            }
        text_add(&s->text, "\n");
        sink_pass(s);
    }
    for (size_t c = 0; c < t->column_count; c++) memory_free(data[c]);
    memory_free(data);
    return status;
}

carom_status export_table(const reader *r, const char *what, const char *target, bool force, error *e)
{
    const result_about *about = reader_about(r);
    for (size_t i = 0; i < about->observable_count; i++) {
        const reader_observable *o = &about->observables[i];
        for (size_t t = 0; t < o->table_count; t++) {
            sink s;
            if (!is_named(o, t, what)) continue;
            TRY(sink_open(&s, target, force, e));
            return sink_close(&s, write_table(r, o, t, &s, e), e);
        }
    }
    if (!about->events_stored || strcmp(what, EVENTS) != 0) return refuse(about, what, e);
    sink s;
    TRY(sink_open(&s, target, force, e));
    return sink_close(&s, export_events(r, &s, e), e);
}
