/* carom shape: shapes of clusters. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *const frame_words[] = {"last", "all", NULL};
static const char *const cluster_words[] = {"largest", "all", "together", NULL};

/* The whole number of the option, or the value of its word. */
static int64_t choice_of(const char *text, int64_t otherwise)
{
    if (text == NULL || strcmp(text, "last") == 0 || strcmp(text, "largest") == 0) return otherwise;
    if (strcmp(text, "all") == 0) return CAROM_SHAPE_ALL;
    if (strcmp(text, "together") == 0) return CAROM_SHAPE_TOGETHER;
    unsigned long long number = strtoull(text, NULL, 10);
    return number < INT64_MAX ? (int64_t)number : INT64_MAX;
}

static bool is_standard_output(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static carom_status check_targets(const arguments *args)
{
    if (args->json != NULL && args->csv != NULL && same_file(args->json, args->csv)) {
        complain("'--json' and '--csv' are the same file, '%s'", args->json);
        return CAROM_USAGE;
    }
    for (size_t k = 0; k < args->operand_count; k++) {
        const char *file = args->operands[k];
        bool json = args->json != NULL && same_file(args->json, file);
        if (!json && (args->csv == NULL || !same_file(args->csv, file))) continue;
        complain("'--%s %s' is the result file", json ? "json" : "csv", file);
        return CAROM_USAGE;
    }
    carom_status status = check_text_target(args->json, args->force);
    return status == CAROM_OK ? check_text_target(args->csv, args->force) : status;
}

static carom_status report(carom_shape *shape, const char *format, const char *path)
{
    char *text = NULL;
    carom_status status = carom_shape_report(shape, format, &text);
    if (status == CAROM_OK) {
        size_t length = strlen(text);
        if (length > 0 && text[length - 1] == '\n') text[length - 1] = '\0';
        status = put_text(path, text);
    } else {
        complain_message(carom_shape_message(shape));
    }
    carom_free(text);
    return status;
}

static carom_status study(carom_shape *shape, const arguments *args)
{
    for (size_t k = 0; k < args->operand_count; k++) {
        carom_status status = carom_shape_add(shape, args->operands[k]);
        if (status == CAROM_OK) continue;
        complain_message(carom_shape_message(shape));
        return status;
    }
    carom_status status = CAROM_OK;
    if (!is_standard_output(args->json) && !is_standard_output(args->csv)) status = report(shape, "text", "-");
    if (status == CAROM_OK && args->json != NULL) status = report(shape, "json", args->json);
    if (status == CAROM_OK && args->csv != NULL) status = report(shape, "csv", args->csv);
    return status;
}

/* For the library, 0 is the default. */
static uint64_t least_size(const arguments *args)
{
    if (args->min_size == NULL) return 0;
    unsigned long long size = strtoull(args->min_size, NULL, 10);
    return size > 0 ? size : 1;
}

static int run_shape(const arguments *args)
{
    if (args->gap != NULL && !(strtod(args->gap, NULL) > 0)) {
        complain("'--gap %s': the gap of contacts must be above 0, since rounding separates particles in contact",
                 args->gap);
        return CAROM_USAGE;
    }
    carom_shape_options options = {
        .frame = choice_of(args->frame, CAROM_SHAPE_LAST),
        .cluster = choice_of(args->cluster, CAROM_SHAPE_LARGEST),
        .min_size = least_size(args),
        .gap = args->gap != NULL ? strtod(args->gap, NULL) : 0,
    };
    carom_shape *shape = NULL;
    carom_status status = check_targets(args);
    if (status != CAROM_OK) return (int)status;
    status = carom_shape_new(&shape, &options);
    if (status == CAROM_OK)
        status = study(shape, args);
    else
        complain_message(carom_shape_message(shape));
    carom_shape_free(shape);
    return (int)status;
}

static const option options[] = {
    {"frame", 0, OPTION_COUNT, offsetof(arguments, frame), "FRAME", frame_words, false,
     "which frames: a number, from 0; last (the default); or all"},
    {"cluster", 0, OPTION_COUNT, offsetof(arguments, cluster), "CLUSTER", cluster_words, false,
     "which clusters: the id of one (the smallest id of its particles); largest (the default); all; or together: all "
     "particles as one cluster"},
    {"min-size", 0, OPTION_COUNT, offsetof(arguments, min_size), "N", NULL, false,
     "smallest size of clusters for 'all' and for the fit of radii of gyration; default: 2"},
    {"gap", 0, OPTION_NUMBER, offsetof(arguments, gap), "GAP", NULL, false,
     "particles are in contact at distances up to 1 + GAP contact distances; default: 1e-6"},
    {"json", 0, OPTION_FILE, offsetof(arguments, json), "FILE", NULL, false,
     "write all results as one JSON object; - is standard output, instead of the text"},
    {"csv", 0, OPTION_FILE, offsetof(arguments, csv), "FILE", NULL, false,
     "write a table with one row for each cluster; - is standard output, instead of the text"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace existing files"},
};

const command command_shape = {
    .name = "shape",
    .summary = "measure the shapes of clusters",
    .text = "Measures clusters of particles: gyration tensor, aspect ratio and orientation, contacts, pair counts, "
            "fractal dimensions; and their means and quantiles over the clusters of all FILEs. Clusters are those "
            "stored in a FILE, otherwise particles connected by contacts. docs/shape.md defines all numbers.",
    .operand = OPERAND_RESULT,
    .operand_required = true,
    .operand_many = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_shape,
};
