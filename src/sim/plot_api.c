/* Plots of carom.h. */
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/results/checkpoint.h"
#include "output/results/sink.h"
#include "scene/language/suggest.h"
#include "sim/guard.h"
#include "view/plot/plot.h"

struct carom_plot {
    guard guard;
    plot_sheet plot;
    error message;
};

static const char *const log_words[] = {"", "none", "x", "y", "xy"};

static carom_status add_sweep(carom_plot *plot, const char *folder)
{
    char *table = text_ends_in(folder, ".csv") ? memory_text(folder) : memory_format("%s/table.csv", folder);
    if (table == NULL) return error_memory(&plot->message, "a file name", strlen(folder));
    struct stat about;
    plot_begin_file(&plot->plot, folder);
    if (plot->plot.title == NULL && plot->plot.file_count > 0) plot->plot.title = memory_text(plot->plot.files[0]);
    if (!text_ends_in(folder, ".csv") && stat(table, &about) != 0) {
        memory_free(table);
        return error_set(&plot->message, CAROM_NO_INPUT,
                         "error: the folder '%s' contains no table.csv; only the folder of a sweep can be plotted",
                         folder);
    }
    carom_status status = plot_add_sweep(&plot->plot, table, &plot->message);
    memory_free(table);
    return status;
}

static carom_status add_file(carom_plot *plot, const char *path)
{
    struct stat about;
    reader *r = NULL;
    if (text_ends_in(path, ".csv") || (stat(path, &about) == 0 && S_ISDIR(about.st_mode))) return add_sweep(plot, path);
    if (checkpoint_is(path))
        return error_set(&plot->message, CAROM_BAD_DATA,
                         "error: '%s' is a checkpoint and contains no measurements; use the result file", path);
    TRY(reader_open(&r, path, &plot->message));
    carom_status status = plot_add_result(&plot->plot, r, &plot->message);
    reader_close(r);
    return status;
}

/* Message for an unknown panel, with a suggestion or the list of panels. */
static carom_status refuse(carom_plot *plot, const char *unknown)
{
    text_buffer list = {0};
    suggest near = suggest_begin(unknown, strlen(unknown));
    for (size_t k = 0; k < plot->plot.count; k++) {
        suggest_try(&near, plot->plot.panels[k].name);
        suggest_try(&near, plot->plot.panels[k].what);
        text_add(&list, "%s%s", k > 0 ? ", " : "", plot->plot.panels[k].name);
    }
    if (near.best != NULL)
        error_set(&plot->message, CAROM_USAGE, "error: there is no panel or observable '%s'; did you mean '%s'?",
                  unknown, near.best);
    else
        error_set(&plot->message, CAROM_USAGE, "error: there is no panel or observable '%s'; there are %s", unknown,
                  list.data != NULL ? list.data : "none");
    text_free(&list);
    return CAROM_USAGE;
}

static carom_status choose(carom_plot *plot, const carom_plot_options *options)
{
    const char *unknown = NULL;
    plot_drop_empty(&plot->plot);
    if (plot->plot.count == 0)
        return error_set(&plot->message, CAROM_BAD_DATA,
                         "error: there is nothing to plot: no observable has samples; add observables to `observe` in "
                         "the scene ('carom help observables' lists them)");
    if (plot_choose(&plot->plot, options->what, options->what_count, &unknown) != CAROM_OK)
        return refuse(plot, unknown);
    if (plot->plot.split) plot_compare(&plot->plot, options->what_count > 0);
    return plot->plot.failed ? error_memory(&plot->message, "a plot", 1 << 20) : CAROM_OK;
}

carom_status carom_plot_new(carom_plot **out, const char *const *files, size_t count, const carom_plot_options *options)
{
    static const carom_plot_options none = {0};
    enum { LOGS = sizeof log_words / sizeof *log_words };
    if (out == NULL) return CAROM_USAGE;
    carom_plot *plot = NEW_ARRAY(1, carom_plot);
    *out = plot;
    if (plot == NULL) return CAROM_INTERNAL;
    if (options == NULL) options = &none;
    plot->plot.split = count > 1;
    plot->plot.dark = options->dark;
    int log = 0;
    while (options->log != NULL && log < LOGS && strcmp(log_words[log], options->log) != 0) log++;
    if (log == LOGS)
        return error_set(&plot->message, CAROM_USAGE, "error: logarithmic axes: expected none, x, y or xy, found '%s'",
                         options->log);
    plot->plot.log = (plot_log)log;
    if (count > 0) NEED(plot, files);
    if (options->what_count > 0) NEED(plot, options->what);
    for (size_t k = 0; k < count; k++) {
        NEED(plot, files[k]);
        TRY(add_file(plot, files[k]));
    }
    for (size_t k = 0; k < options->what_count; k++) NEED(plot, options->what[k]);
    return guard_made(&plot->guard, choose(plot, options));
}

void carom_plot_free(carom_plot *plot)
{
    if (plot == NULL) return;
    plot_free(&plot->plot);
    error_clear(&plot->message);
    memory_free(plot);
}

const char *carom_plot_message(const carom_plot *plot)
{
    return plot != NULL ? error_text(&plot->message) : "error: out of memory";
}

carom_status carom_plot_write(carom_plot *plot, const char *target, bool force, char **json)
{
    canvas_kind kind;
    text_buffer bytes = {0};
    sink s;
    if (json != NULL) *json = NULL;
    ENTER(plot, "there is no plot");
    NEED(plot, target);
    error_clear(&plot->message);
    TRY(canvas_kind_of(target, &kind, &plot->message));
    carom_status status = plot_draw(&plot->plot, kind, &bytes, &plot->message);
    if (status == CAROM_OK) status = sink_open(&s, target, force, &plot->message);
    if (status == CAROM_OK) {
        text_add_bytes(&s.text, bytes.data, bytes.length);
        status = sink_close(&s, CAROM_OK, &plot->message);
    }
    text_free(&bytes);
    return status == CAROM_OK && json != NULL ? plot_json(&plot->plot, target, json, &plot->message) : status;
}
