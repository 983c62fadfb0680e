/* The table of a comparison: one column for each engine. */
#include "sim/compare_api.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 22, COLUMN = 24 };

/* The value at a dotted path in a summary; NULL if it does not exist. */
static const json_t *find(const engine_run *one, const char *path)
{
    const json_t *at = one->read;
    while (at != NULL && *path != '\0') {
        char step[64];
        const size_t length = strcspn(path, ".");
        snprintf(step, sizeof step, "%.*s", (int)length, path);
        at = json_is_array(at) ? json_array_get(at, strtoul(step, NULL, 10)) : json_object_get(at, step);
        path += length + (path[length] == '.');
    }
    return at;
}

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double number_at(const engine_run *one, const char *path)
{
    return number_of(find(one, path));
}

typedef void cell(const engine_run *one, const char *path, char text[COLUMN]);

static void word_cell(const engine_run *one, const char *path, char text[COLUMN])
{
    const char *word = json_string_value(find(one, path));
    if (word != NULL) snprintf(text, COLUMN, "%s", word);
}

static void put_number(double number, int digits, char text[COLUMN])
{
    if (!isnan(number)) snprintf(text, COLUMN, "%.*g", digits, number);
}

static void number_cell(const engine_run *one, const char *path, char text[COLUMN])
{
    put_number(number_at(one, path), 8, text);
}

static void short_cell(const engine_run *one, const char *path, char text[COLUMN])
{
    put_number(number_at(one, path), 3, text);
}

static void count_cell(const engine_run *one, const char *path, char text[COLUMN])
{
    const double count = number_at(one, path);
    if (!isnan(count)) snprintf(text, COLUMN, "%.0f", count);
}

/* Cell of a value that only some engines have. */
static void some_cell(const engine_run *one, const char *path, char text[COLUMN])
{
    if (number_at(one, path) > 0) count_cell(one, path, text);
}

/* A mean with its error. */
static void value_cell(const engine_run *one, const char *path, char text[COLUMN])
{
    const json_t *value = find(one, path);
    const double mean = number_of(json_object_get(value, "mean"));
    const double deviation = number_of(json_object_get(value, "error"));
    if (isnan(mean)) return;
    const int used = snprintf(text, COLUMN, "%.6g", mean);
    if (!isnan(deviation)) snprintf(text + used, COLUMN - (size_t)used, " +- %.1g", deviation);
}

/* Error of the energy balance. */
static void drift_cell(const engine_run *one, const char *path, char text[COLUMN])
{
    double drift = number_at(one, path);
    if (isnan(drift))
        drift = number_at(one, "energy.total") + number_at(one, "energy.dissipated") - number_at(one, "energy.initial");
    put_number(drift, 2, text);
}

static void cost_cell(const engine_run *one, const char *path, char text[COLUMN])
{
    const double collisions = number_at(one, "events.collision") + number_at(one, "events.wall");
    if (collisions > 0) put_number(1e6 * number_at(one, path) / collisions, 3, text);
}

static const struct {
    const char *label, *path;
    cell *write;
} rows[] = {
    {"stopped by", "stop", word_cell},
    {"time", "time", number_cell},
    {"energy at the start", "energy.initial", number_cell},
    {"energy at the end", "energy.total", number_cell},
    {"  dissipated", "energy.dissipated", number_cell},
    {"  drift", "energy.drift", drift_cell},
    {"momentum x", "momentum.0", number_cell},
    {"momentum y", "momentum.1", number_cell},
    {"momentum z", "momentum.2", number_cell},
    {"pressure", "observables.pressure", value_cell},
    {"collision rate", "observables.collision_rate", value_cell},
    {"collisions", "events.collision", count_cell},
    {"wall hits", "events.wall", count_cell},
    {"merges", "events.merge", some_cell},
    {"events", "events.total", count_cell},
    {"CPU time, s", "cpu_s", short_cell},
    {"us per collision", "cpu_s", cost_cell},
};

static void add_row(const carom_compare *c, size_t row, text_buffer *to)
{
    char text[COMPARE_MOST][COLUMN];
    bool any = false;
    for (size_t i = 0; i < c->count; i++) {
        text[i][0] = '\0';
        rows[row].write(&c->all[i], rows[row].path, text[i]);
        any = any || text[i][0] != '\0';
    }
    if (!any) return;
    text_add(to, "\n%-*s", LABEL, rows[row].label);
    for (size_t i = 0; i < c->count; i++) text_add(to, " %*s", COLUMN - 1, text[i][0] != '\0' ? text[i] : "-");
}

carom_status compare_table(const carom_compare *c, char **out, error *e)
{
    text_buffer text = {0};
    text_add(&text, "%-*s", LABEL, "");
    for (size_t i = 0; i < c->count; i++) text_add(&text, " %*s", COLUMN - 1, c->all[i].engine);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) add_row(c, row, &text);
    *out = text.data;
    if (!text.failed) return CAROM_OK;
    text_free(&text);
    *out = NULL;
    return error_memory(e, "a table", text.capacity);
}
