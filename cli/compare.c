/* carom compare: one scene with several engines, side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "progress.h"

enum { MOST = 8, LABEL = 22, COLUMN = 24, ENGINE_SIZE = 32, SAMPLES = 200 };

/* Result of one engine. */
typedef struct contestant {
    char engine[ENGINE_SIZE];
    carom_scene *scene;
    char *summary; /* JSON; NULL if there was no run */
    carom_status status;
} contestant;

/* ---- Running ---- */

/* Copies the first item with `what` of a resolved list of observables, without its name: the table uses the name of
 * the observable. Returns the number of bytes. */
static size_t copy_item(const char *list, const char *end, const char *what, char *to)
{
    char first[64];
    snprintf(first, sizeof first, "\n  - what: %s\n", what);
    const char *item = strstr(list, first);
    if (item == NULL || item >= end) return 0;
    size_t used = 0;
    do {
        const char *line = item++;
        item += strcspn(item, "\n");
        if (strncmp(line, "\n    name: ", strlen("\n    name: ")) == 0) continue;
        memcpy(to + used, line, (size_t)(item - line));
        used += (size_t)(item - line);
    } while (item < end && strncmp(item, "\n    ", 5) == 0);
    return used;
}

/* An override with the observables of the table only, with the settings of the scene if it has them. Other
 * observables cost time, and not all engines have them. The caller frees it; NULL without memory. */
static char *narrow_observe(const char *resolved)
{
    static const char *const shown[] = {"pressure", "collision_rate"};
    static const char until[] = "\nrun:\n  until:\n    time: ";
    const char *list = strstr(resolved, "\nobserve:"), *end = strstr(resolved, "\noutput:");
    const char *time = strstr(resolved, until);
    if (list == NULL || end == NULL || end < list) return NULL;
    list += strlen("\nobserve:");
    bool none = strncmp(list, " []", 3) == 0;
    size_t size = (size_t)(end - list) + 256;
    char *set = malloc(size);
    if (set == NULL) return NULL;
    size_t used = (size_t)snprintf(set, size, "observe=");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        size_t copied = none ? 0 : copy_item(list, end, shown[i], set + used);
        used += copied;
        if (copied > 0) continue;
        used += (size_t)snprintf(set + used, size - used, "\n  - what: %s", shown[i]);
        /* By time: an engine with many events would sample too often. */
        double duration = time != NULL ? strtod(time + strlen(until), NULL) : 0;
        if (duration > 0) used += (size_t)snprintf(set + used, size - used, "\n    every: %.17g", duration / SAMPLES);
    }
    set[used] = '\0';
    return set;
}

static carom_status override(carom_scene *scene, const char *key, const char *value)
{
    char set[128];
    snprintf(set, sizeof set, "%s=%s", key, value);
    return carom_scene_set(scene, set);
}

/* Loads the scene for one engine; `observe` is a further override, or NULL. Errors are in the message of the scene. */
static carom_status load_for(contestant *c, const arguments *args, const char *observe)
{
    carom_scene_free(c->scene);
    c->scene = carom_scene_new();
    if (c->scene == NULL) return CAROM_INTERNAL;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < args->set_count && status == CAROM_OK; i++)
        status = carom_scene_set(c->scene, args->sets[i]);
    if (status == CAROM_OK && args->seed != NULL) status = override(c->scene, "seed", args->seed);
    if (status == CAROM_OK) status = override(c->scene, "engine", c->engine);
    if (status == CAROM_OK && observe != NULL) status = carom_scene_set(c->scene, observe);
    return status == CAROM_OK ? carom_scene_load(c->scene, args->operand) : status;
}

static carom_status refuse(const contestant *c, carom_status status)
{
    complain_message(c->scene != NULL ? carom_scene_message(c->scene) : "error: out of memory");
    return status;
}

static carom_status make(contestant *c, const arguments *args, const char *observe, const carom_options *options,
                         carom_sim **sim)
{
    carom_sim_free(*sim);
    *sim = NULL;
    carom_status status = load_for(c, args, observe);
    return status == CAROM_OK ? carom_sim_new(sim, c->scene, options) : status;
}

/* Runs with the observables that are possible: no pressure in open boxes, no collision rate if all contacts merge. */
static carom_status prepare(contestant *c, const arguments *args, const carom_options *options, carom_sim **sim)
{
    char *observe = narrow_observe(carom_scene_resolved(c->scene));
    if (observe == NULL) return CAROM_INTERNAL;
    carom_status status = make(c, args, observe, options, sim);
    free(observe);
    return status == CAROM_BAD_DATA ? make(c, args, "observe=[]", options, sim) : status;
}

static void run_one(contestant *c, const arguments *args)
{
    progress_view view = progress_begin(args->quiet);
    carom_options options = {.threads = args->threads};
    carom_sim *sim = NULL;
    progress_follow(&options, &view);
    c->status = prepare(c, args, &options, &sim);
    bool made = c->status == CAROM_OK;
    if (made) c->status = carom_sim_run(sim);
    progress_clear(&view);
    if (sim != NULL)
        complain_message(carom_sim_message(sim));
    else if (c->status != CAROM_OK)
        (void)refuse(c, c->status);
    if (made) c->summary = carom_sim_summary(sim);
    carom_sim_free(sim);
}

/* ---- The table ---- */

static const char *find(const contestant *c, const char *path)
{
    return c->summary != NULL ? json_find(c->summary, path) : NULL;
}

static double number_at(const contestant *c, const char *path)
{
    double number = NAN;
    json_number(find(c, path), &number);
    return number;
}

typedef void cell(const contestant *c, const char *path, char text[COLUMN]);

static void word_cell(const contestant *c, const char *path, char text[COLUMN])
{
    json_text(find(c, path), text, COLUMN);
}

static void put_number(double number, const char *format, char text[COLUMN])
{
    if (!isnan(number)) snprintf(text, COLUMN, format, number);
}

static void number_cell(const contestant *c, const char *path, char text[COLUMN])
{
    put_number(number_at(c, path), "%.8g", text);
}

static void short_cell(const contestant *c, const char *path, char text[COLUMN])
{
    put_number(number_at(c, path), "%.3g", text);
}

static void count_cell(const contestant *c, const char *path, char text[COLUMN])
{
    put_number(number_at(c, path), "%.0f", text);
}

/* Cell of a value that only some engines have. */
static void some_cell(const contestant *c, const char *path, char text[COLUMN])
{
    if (number_at(c, path) > 0) count_cell(c, path, text);
}

/* A mean with its error. */
static void value_cell(const contestant *c, const char *path, char text[COLUMN])
{
    const char *value = find(c, path);
    double mean, error;
    if (value == NULL || !json_number(json_find(value, "mean"), &mean)) return;
    int used = snprintf(text, COLUMN, "%.6g", mean);
    if (json_number(json_find(value, "error"), &error)) snprintf(text + used, COLUMN - (size_t)used, " +- %.1g", error);
}

/* Error of the energy balance. */
static void drift_cell(const contestant *c, const char *path, char text[COLUMN])
{
    double drift = number_at(c, path);
    if (isnan(drift))
        drift = number_at(c, "energy.total") + number_at(c, "energy.dissipated") - number_at(c, "energy.initial");
    put_number(drift, "%.2g", text);
}

static void cost_cell(const contestant *c, const char *path, char text[COLUMN])
{
    double collisions = number_at(c, "events.collision") + number_at(c, "events.wall");
    if (collisions > 0) put_number(1e6 * number_at(c, path) / collisions, "%.3g", text);
}

static void print_table(const contestant *all, size_t count)
{
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
    out("%-*s", LABEL, "");
    for (size_t i = 0; i < count; i++) out(" %*s", COLUMN - 1, all[i].engine);
    out("\n");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char text[MOST][COLUMN];
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            text[i][0] = '\0';
            rows[r].write(&all[i], rows[r].path, text[i]);
            any = any || text[i][0] != '\0';
        }
        if (!any) continue;
        out("%-*s", LABEL, rows[r].label);
        for (size_t i = 0; i < count; i++) out(" %*s", COLUMN - 1, text[i][0] != '\0' ? text[i] : "-");
        out("\n");
    }
}

/* {"runs": [summary, ...]}, in the order of the engines. */
static carom_status write_json(const contestant *all, size_t count, const char *path)
{
    size_t size = 32;
    if (path == NULL) return CAROM_OK;
    for (size_t i = 0; i < count; i++) size += (all[i].summary != NULL ? strlen(all[i].summary) : 4) + 2;
    char *text = malloc(size);
    if (text == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    size_t used = (size_t)snprintf(text, size, "{\"runs\": [");
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ",\n" : "\n",
                                 all[i].summary != NULL ? all[i].summary : "null");
    snprintf(text + used, size - used, "\n]}");
    carom_status status = put_text(path, text);
    free(text);
    return status;
}

/* ---- The command ---- */

static size_t split(const char *engines, contestant *all)
{
    size_t count = 0;
    while (count < MOST) {
        size_t length = strcspn(engines, ",");
        snprintf(all[count++].engine, ENGINE_SIZE, "%.*s", (int)length, engines);
        if (engines[length] == '\0') return count;
        engines += length + 1;
    }
    return MOST + 1;
}

static carom_status check_arguments(const arguments *args)
{
    if (args->engines == NULL) {
        complain("'carom compare' needs --engines, as in --engines hard,variational");
        return CAROM_USAGE;
    }
    if (strcmp(args->operand, "-") == 0) {
        complain("'carom compare' reads the scene once for each engine: it needs a file, not standard input");
        return CAROM_USAGE;
    }
    if (args->json != NULL && strcmp(args->json, "-") != 0 && same_file(args->json, args->operand)) {
        complain("'--json %s' is the scene file", args->json);
        return CAROM_USAGE;
    }
    return check_text_target(args->json, args->force);
}

/* All errors are reported before the first run. An engine may lack observables if another engine has them. */
static carom_status load_all(contestant *all, size_t count, const arguments *args)
{
    size_t without = 0;
    for (size_t i = 0; i < count; i++) {
        carom_status status = load_for(&all[i], args, NULL);
        if (status == CAROM_BAD_DATA) {
            status = load_for(&all[i], args, "observe=[]");
            without++;
        }
        if (status != CAROM_OK) return refuse(&all[i], status);
    }
    return without < count ? CAROM_OK : refuse(&all[0], load_for(&all[0], args, NULL));
}

static int compare(const arguments *args)
{
    contestant all[MOST] = {{{0}, NULL, NULL, CAROM_OK}};
    carom_status status = check_arguments(args);
    size_t count = status == CAROM_OK ? split(args->engines, all) : 0;
    if (count > MOST) {
        complain("'--engines' takes %d names at most", MOST);
        return CAROM_USAGE;
    }
    if (status == CAROM_OK) status = load_all(all, count, args);
    for (size_t i = 0; i < count && status == CAROM_OK; i++) run_one(&all[i], args);
    if (status == CAROM_OK) {
        if (args->json == NULL || strcmp(args->json, "-") != 0) print_table(all, count);
        status = write_json(all, count, args->json);
    }
    for (size_t i = 0; i < count; i++) {
        if (status == CAROM_OK) status = all[i].status;
        carom_free(all[i].summary);
        carom_scene_free(all[i].scene);
    }
    return (int)status;
}

static const option options[] = {
    {"engines", 0, OPTION_LIST, offsetof(arguments, engines), "ENGINE,ENGINE", engine_names, false,
     "the engines, separated by commas"},
    {"set", 0, OPTION_SETS, 0, "KEY=VALUE", NULL, false, "override a key of the scene; may be repeated"},
    {"seed", 0, OPTION_COUNT, offsetof(arguments, seed), "N", NULL, false, "override the scene's seed"},
    {"threads", 0, OPTION_THREADS, offsetof(arguments, threads), "N", NULL, false, "number of threads; default: 1"},
    {"quiet", 'q', OPTION_FLAG, offsetof(arguments, quiet), NULL, NULL, false, "no progress"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace the file of --json"},
    {"json", 0, OPTION_FILE, offsetof(arguments, json), "FILE", NULL, false,
     "write the summaries of the runs as one JSON object; - is standard output, instead of the table"},
};

const command command_compare = {
    .name = "compare",
    .summary = "run a scene with several engines, side by side",
    .text = "Runs SCENE with each engine in turn, from the same initial state, and prints a table: why the run ended, "
            "energy, momentum, pressure, collision rate, and cost. Pressure and collision rate are always measured; "
            "other observables of the scene are not. No result file is written.",
    .operand = OPERAND_SCENE,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = compare,
};
