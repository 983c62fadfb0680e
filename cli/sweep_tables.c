/* Tables of a sweep: one row for each run, and statistics for each point. CSV as in RFC 4180. */
#include "sweep.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "json.h"

static void put_cell(FILE *to, const char *text, bool first)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (!first) fputc(',', to);
    if (quoted) fputc('"', to);
    for (; *text != '\0'; text++) fprintf(to, "%s%c", *text == '"' ? "\"" : "", *text);
    if (quoted) fputc('"', to);
}

static void end_line(FILE *to)
{
    fputs("\r\n", to);
}

/* The fewest digits from which reading returns the same number. */
static const char *write_number(char text[32], double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

/* An integer is not changed: it may have more digits than a double. */
static void put_value(FILE *to, const char *value)
{
    char number[32];
    double read;
    if (value == NULL) {
        put_cell(to, "", false);
    } else if (*value == '"') {
        size_t size = json_length(value);
        char *text = malloc(size);
        if (text != NULL) json_text(value, text, size);
        put_cell(to, text != NULL ? text : "", false);
        free(text);
    } else if (json_number(value, &read) && value[strspn(value, "-0123456789")] != '\0') {
        put_cell(to, write_number(number, read), false);
    } else {
        put_cell(to, value, false);
    }
}

/* Default measures that the scene does not have are omitted. */
static bool has_column(const sweep_work *w, size_t measure)
{
    return carom_sweep_measures_chosen(w->sweep) || w->measured[measure];
}

static void put_point(FILE *to, const sweep_work *w, size_t point)
{
    fprintf(to, "%zu", point + 1);
    for (size_t i = 0; i < carom_sweep_parameter_count(w->sweep); i++)
        put_cell(to, carom_sweep_value(w->sweep, point, i), false);
}

static void put_heads(FILE *to, const sweep_work *w)
{
    put_cell(to, "point", true);
    for (size_t i = 0; i < carom_sweep_parameter_count(w->sweep); i++)
        put_cell(to, carom_sweep_parameter(w->sweep, i), false);
}

static void put_runs(FILE *to, const sweep_work *w)
{
    size_t measures = carom_sweep_measure_count(w->sweep);
    put_heads(to, w);
    fputs(",seed,exit,message", to);
    for (size_t i = 0; i < measures; i++)
        if (has_column(w, i)) put_cell(to, carom_sweep_measure(w->sweep, i), false);
    end_line(to);
    for (size_t run = 0; run < w->runs; run++) {
        const sweep_row *row = &w->rows[run];
        if (!row->known) continue;
        put_point(to, w, run / w->seeds);
        fprintf(to, ",%llu,%d", (unsigned long long)carom_sweep_seed(w->sweep, run % w->seeds), row->exit);
        put_cell(to, row->message, false);
        for (size_t i = 0; i < measures; i++)
            if (has_column(w, i)) put_value(to, row->values != NULL ? row->values[i] : NULL);
        end_line(to);
    }
}

/* The numbers of a measure at a point, of the completed runs; returns their count. */
static size_t gather(const sweep_work *w, size_t point, size_t measure, double *numbers)
{
    size_t count = 0;
    for (size_t i = 0; i < w->seeds; i++) {
        const sweep_row *row = &w->rows[point * w->seeds + i];
        bool counts = row->known && row->exit == CAROM_OK && row->values != NULL;
        if (counts && json_number(row->values[measure], &numbers[count])) count++;
    }
    return count;
}

/* The number of them that are converged means: the others average over a transient, or over too few samples. */
static size_t count_settled(const sweep_work *w, size_t point, size_t measure)
{
    size_t count = 0;
    double number;
    for (size_t i = 0; i < w->seeds; i++) {
        const sweep_row *row = &w->rows[point * w->seeds + i];
        const bool counts = row->known && row->exit == CAROM_OK && row->values != NULL;
        count += counts && json_number(row->values[measure], &number) && row->settled[measure];
    }
    return count;
}

static bool is_numeric(const sweep_work *w, size_t measure)
{
    double number;
    for (size_t run = 0; run < w->runs; run++)
        if (w->rows[run].values != NULL && json_number(w->rows[run].values[measure], &number)) return true;
    return false;
}

typedef struct column {
    const char *name;
    double value;
} column;

enum { COLUMNS = 10 };

static void columns_of(const carom_statistics *s, column columns[COLUMNS])
{
    const column all[COLUMNS] = {{"mean", s->mean},     {"sd", s->deviation},    {"error", s->error},
                                 {"min", s->least},     {"q05", s->quantile_05}, {"q25", s->quantile_25},
                                 {"median", s->median}, {"q75", s->quantile_75}, {"q95", s->quantile_95},
                                 {"max", s->greatest}};
    memcpy(columns, all, sizeof all);
}

static void put_table(FILE *to, const sweep_work *w, double *numbers)
{
    column columns[COLUMNS];
    char number[32];
    carom_statistics s = carom_statistics_of(numbers, 0);
    columns_of(&s, columns);
    put_heads(to, w);
    fputs(",measure,runs", to);
    for (size_t k = 0; k < COLUMNS; k++) put_cell(to, columns[k].name, false);
    put_cell(to, "converged", false);
    end_line(to);
    for (size_t point = 0; point < w->points; point++) {
        for (size_t i = 0; i < carom_sweep_measure_count(w->sweep); i++) {
            if (!is_numeric(w, i)) continue;
            s = carom_statistics_of(numbers, gather(w, point, i, numbers));
            put_point(to, w, point);
            put_cell(to, carom_sweep_measure(w->sweep, i), false);
            fprintf(to, ",%zu", s.count);
            columns_of(&s, columns);
            for (size_t k = 0; k < COLUMNS; k++)
                put_cell(to, isnan(columns[k].value) ? "" : write_number(number, columns[k].value), false);
            fputc(',', to);
            if (w->averaged[i]) fprintf(to, "%zu", count_settled(w, point, i));
            end_line(to);
        }
    }
}

static void put_json_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text != '\0'; text++) fprintf(to, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    fputc('"', to);
}

/* A number if the value is one, else text. */
static void put_json_value(FILE *to, const sweep_work *w, size_t point, size_t parameter)
{
    const char *text = carom_sweep_value(w->sweep, point, parameter);
    char number[32], *end = NULL;
    bool digits = *text != '\0' && text[strspn(text, "-+.0123456789eE")] == '\0';
    double value = digits ? strtod(text, &end) : NAN;
    if (digits && *end == '\0' && isfinite(value) && strcmp(text, carom_sweep_set(w->sweep, point, parameter)) == 0)
        fputs(write_number(number, value), to);
    else
        put_json_text(to, text);
}

static void put_json_measures(FILE *to, const sweep_work *w, size_t point, double *numbers)
{
    bool first = true;
    for (size_t i = 0; i < carom_sweep_measure_count(w->sweep); i++) {
        column columns[COLUMNS];
        char number[32];
        if (!is_numeric(w, i)) continue;
        carom_statistics s = carom_statistics_of(numbers, gather(w, point, i, numbers));
        columns_of(&s, columns);
        fputs(first ? "\n    " : ",\n    ", to);
        first = false;
        put_json_text(to, carom_sweep_measure(w->sweep, i));
        fprintf(to, ": {\"runs\": %zu", s.count);
        for (size_t k = 0; k < COLUMNS; k++)
            fprintf(to, ", \"%s\": %s", columns[k].name,
                    isnan(columns[k].value) ? "null" : write_number(number, columns[k].value));
        if (w->averaged[i]) fprintf(to, ", \"converged\": %zu", count_settled(w, point, i));
        fputc('}', to);
    }
}

static void put_json(FILE *to, const sweep_work *w, double *numbers)
{
    size_t done = 0, failed = 0;
    for (size_t run = 0; run < w->runs; run++) {
        done += w->rows[run].known;
        failed += w->rows[run].known && w->rows[run].exit != CAROM_OK;
    }
    fprintf(to, "{\n \"carom\": \"%s\",\n \"scene\": ", carom_version());
    put_json_text(to, carom_sweep_scene(w->sweep));
    fprintf(to, ",\n \"runs\": %zu,\n \"ended\": %zu,\n \"failed\": %zu,\n \"points\": [", w->runs, done, failed);
    for (size_t point = 0; point < w->points; point++) {
        fprintf(to, "%s\n  {\"point\": %zu, \"parameters\": {", point > 0 ? "," : "", point + 1);
        for (size_t i = 0; i < carom_sweep_parameter_count(w->sweep); i++) {
            if (i > 0) fputs(", ", to);
            put_json_text(to, carom_sweep_parameter(w->sweep, i));
            fputs(": ", to);
            put_json_value(to, w, point, i);
        }
        fputs("}, \"measures\": {", to);
        put_json_measures(to, w, point, numbers);
        fputs("}}", to);
    }
    fputs("\n ]\n}", to);
}

typedef enum product { RUNS, TABLE, JSON } product;

/* *text is freed by the caller. */
static carom_status make(const sweep_work *w, product what, char **text, size_t *length)
{
    double *numbers = calloc(w->seeds, sizeof *numbers);
    FILE *to = open_memstream(text, length);
    if (to != NULL && numbers != NULL) {
        if (what == RUNS) put_runs(to, w);
        if (what == TABLE) put_table(to, w, numbers);
        if (what == JSON) put_json(to, w, numbers);
    }
    bool good = to != NULL && numbers != NULL && !ferror(to);
    if (to != NULL && fclose(to) != 0) good = false;
    free(numbers);
    if (good) return CAROM_OK;
    complain("out of memory");
    return CAROM_INTERNAL;
}

static carom_status write_one(const sweep_work *w, product what, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    carom_status status = path != NULL ? make(w, what, &text, &length) : CAROM_INTERNAL;
    if (status == CAROM_OK) status = put_text(path, text);
    free(text);
    return status;
}

carom_status sweep_write_tables(sweep_work *w)
{
    char *runs = sweep_path(w, "runs.csv"), *table = sweep_path(w, "table.csv"), *record = sweep_path(w, "record");
    int turn = record != NULL ? open(record, O_RDONLY | O_CLOEXEC) : -1;
    if (turn >= 0) flock(turn, LOCK_EX); /* two shards may end at the same time */
    carom_status status = write_one(w, RUNS, runs);
    if (status == CAROM_OK) status = write_one(w, TABLE, table);
    if (turn >= 0) close(turn);
    free(record);
    free(runs);
    free(table);
    return status;
}

carom_status sweep_write_json(sweep_work *w, const char *path)
{
    return write_one(w, JSON, path);
}
