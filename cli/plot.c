/* carom plot: the measurements of results as a picture. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *const log_words[] = {"none", "x", "y", "xy", NULL};

/* Rejects duplicate files. */
static carom_status check_operands(const arguments *args)
{
    for (size_t k = 1; k < args->operand_count; k++)
        for (size_t i = 0; i < k; i++) {
            if (!same_file(args->operands[i], args->operands[k])) continue;
            complain("'%s' and '%s' are the same file; give each file once", args->operands[i], args->operands[k]);
            return CAROM_USAGE;
        }
    return CAROM_OK;
}

/* The picture must not replace a result. */
static carom_status check_targets(const arguments *args, const char *target)
{
    for (size_t k = 0; k < args->operand_count; k++) {
        const bool json = args->json != NULL && same_file(args->json, args->operands[k]);
        if (!json && !same_file(target, args->operands[k])) continue;
        complain("'%s %s' is the result file", json ? "--json" : "-o", args->operands[k]);
        return CAROM_USAGE;
    }
    if (args->json != NULL && same_file(args->json, target)) {
        complain("'--json' and '-o' are the same file, '%s'", target);
        return CAROM_USAGE;
    }
    return CAROM_OK;
}

static carom_status draw(const arguments *args, const char *target)
{
    const carom_plot_options options = {
        .what = args->words, .what_count = args->word_count, .log = args->log, .dark = args->dark};
    carom_plot *plot = NULL;
    char *json = NULL;
    carom_status status = carom_plot_new(&plot, args->operands, args->operand_count, &options);
    complain_message(carom_plot_message(plot));
    if (status == CAROM_OK) status = check_text_target(args->json, args->force);
    if (status == CAROM_OK) status = check_text_target(target, args->force);
    const bool begun = status == CAROM_OK;
    if (begun) status = carom_plot_write(plot, target, args->force, args->json != NULL ? &json : NULL);
    if (begun) complain_message(carom_plot_message(plot));
    if (status == CAROM_OK) fprintf(stderr, "wrote %s\n", target);
    if (status == CAROM_OK && json != NULL) status = put_text(args->json, json);
    carom_free(json);
    carom_plot_free(plot);
    return status;
}

/* "results/gas.h5", and "sweeps/friction/" of a sweep, give "gas.svg" and "friction.svg". */
static char *default_target(const char *operand)
{
    size_t length = strlen(operand);
    while (length > 1 && operand[length - 1] == '/') length--;
    char *path = strndup(operand, length);
    char *made = path != NULL ? name_with_ending(path, ".svg") : NULL;
    free(path);
    return made;
}

static int run_plot(const arguments *args)
{
    char *made = args->output == NULL ? default_target(args->operands[0]) : NULL;
    const char *target = args->output != NULL ? args->output : made;
    if (target == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    carom_status status = check_operands(args);
    if (status == CAROM_OK) status = check_targets(args, target);
    if (status == CAROM_OK) status = draw(args, target);
    free(made);
    return (int)status;
}

static const option options[] = {
    {"output", 'o', OPTION_FILE, offsetof(arguments, output), "PICTURE", NULL, false,
     "file to write, with the ending .svg, .pdf or .png; default: the name of the first FILE with .svg, in the current "
     "folder"},
    {"what", 'w', OPTION_WORDS, offsetof(arguments, words), "NAME", NULL, false,
     "what to plot: an observable, or one of its panels; may be repeated; default: all"},
    {"log", 0, OPTION_CHOICE, offsetof(arguments, log), "AXES", log_words, false,
     "which axes are logarithmic; default: chosen for each panel"},
    {"dark", 0, OPTION_FLAG, offsetof(arguments, dark), NULL, NULL, false, "light on dark"},
    {"json", 0, OPTION_FILE, offsetof(arguments, json), "FILE", NULL, false,
     "write a description of the plot as one JSON object; - is standard output"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace existing files"},
};

const command command_plot = {
    .name = "plot",
    .summary = "plot the measurements of results",
    .text = "Plots the contents of FILE, one panel for each quantity: energies, pressure, distributions, clusters and "
            "their shapes, and the other observables of the scene. Each panel compares all FILEs. A FILE may also be "
            "the folder of a sweep: its measures are then plotted over the parameter with the most values.",
    .operand = OPERAND_RESULT,
    .operand_required = true,
    .operand_many = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_plot,
};
