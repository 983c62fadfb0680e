/* carom compare: one scene with several engines, side by side. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "progress.h"

enum { MOST = 8, ENGINE_SIZE = 32 };

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

/* Number of names in the list; MOST + 1: too many. */
static size_t split(const char *list, char names[MOST][ENGINE_SIZE])
{
    size_t count = 0;
    while (count < MOST) {
        const size_t length = strcspn(list, ",");
        snprintf(names[count++], ENGINE_SIZE, "%.*s", (int)length, list);
        if (list[length] == '\0') return count;
        list += length + 1;
    }
    return MOST + 1;
}

/* A failed run does not prevent the others; the status is that of the first one. */
static carom_status run_all(carom_compare *compare, size_t count, progress_view *view, bool quiet)
{
    carom_status first = CAROM_OK;
    for (size_t i = 0; i < count; i++) {
        *view = progress_begin(quiet);
        const carom_status status = carom_compare_run(compare, i);
        progress_clear(view);
        complain_message(carom_compare_message(compare));
        if (first == CAROM_OK) first = status;
    }
    return first;
}

static carom_status report(carom_compare *compare, bool json, const char *path)
{
    char *text = NULL;
    carom_status status = carom_compare_report(compare, json, &text);
    if (status == CAROM_OK)
        status = put_text(path, text);
    else
        complain_message(carom_compare_message(compare));
    carom_free(text);
    return status;
}

static carom_status show(carom_compare *compare, const char *json)
{
    carom_status status = CAROM_OK;
    if (json == NULL || strcmp(json, "-") != 0) status = report(compare, false, "-");
    return status == CAROM_OK && json != NULL ? report(compare, true, json) : status;
}

static carom_status compare_with(const arguments *args, const char *const *sets, size_t set_count)
{
    char names[MOST][ENGINE_SIZE];
    const char *engines[MOST];
    const size_t count = split(args->engines, names);
    if (count > MOST) {
        complain("'--engines' takes %d names at most", MOST);
        return CAROM_USAGE;
    }
    for (size_t i = 0; i < count; i++) engines[i] = names[i];
    progress_view view = progress_begin(args->quiet);
    carom_options run = {0};
    progress_follow(&run, &view);
    const carom_compare_options options = {.scene = args->operand,
                                           .engines = engines,
                                           .engine_count = count,
                                           .sets = sets,
                                           .set_count = set_count,
                                           .threads = args->threads,
                                           .progress = run.progress,
                                           .warning = run.warning,
                                           .user = run.user};
    carom_compare *compare = NULL;
    carom_status status = carom_compare_new(&compare, &options);
    if (status == CAROM_OK) {
        const carom_status ended = run_all(compare, count, &view, args->quiet);
        status = show(compare, args->json);
        if (status == CAROM_OK) status = ended;
    } else {
        complain_message(carom_compare_message(compare));
    }
    carom_compare_free(compare);
    return status;
}

static int compare(const arguments *args)
{
    char seed[64] = "";
    carom_status status = check_arguments(args);
    if (status != CAROM_OK) return (int)status;
    const char **sets = malloc((args->set_count + 1) * sizeof *sets);
    if (sets == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    size_t count = args->set_count;
    for (size_t i = 0; i < count; i++) sets[i] = args->sets[i];
    if (args->seed != NULL) {
        snprintf(seed, sizeof seed, "seed=%s", args->seed);
        sets[count++] = seed;
    }
    status = compare_with(args, sets, count);
    free((void *)sets);
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
