/* carom export: frames and series for other programs. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* One entry for each format: name, ending of its targets, and whether these are folders with one file for each
 * frame. (A VTP export is also a folder, with a .pvd file that lists its files.) */
#define FORMATS(each)                                                                                                  \
    each(xyz, ".xyz", false) each(vtp, ".pvd", false) each(csv, ".csv", false) each(h5md, ".h5md", false)              \
        each(obj, ".obj", true) each(ply, ".ply", true)

#define NAME(name, ending, folder) #name,
#define ENDING(name, ending, folder) ending,
#define FOLDER(name, ending, folder) folder,
static const char *const formats[] = {FORMATS(NAME) NULL};
static const char *const endings[] = {FORMATS(ENDING) ""};
static const bool folders[] = {FORMATS(FOLDER) false};

static size_t number_of(const char *format)
{
    size_t i = 0;
    while (formats[i] != NULL && strcmp(formats[i], format) != 0) i++;
    return i;
}

static const char *ending_of(const char *format)
{
    return endings[number_of(format)];
}

static void complain_without_format(void)
{
    char known[256] = "";
    for (size_t i = 0, at = 0; formats[i] != NULL && at < sizeof known; i++) {
        const char *between = i == 0 ? "" : formats[i + 1] != NULL ? ", " : " or ";
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", between, formats[i]);
    }
    complain("'carom export' needs a format: --to %s", known);
}

/* Length of the part of the target that is the folder. */
static size_t folder_length(const char *target, const char *ending)
{
    size_t length = strlen(target);
    const size_t more = strlen(ending);
    if (length > more && strcmp(target + length - more, ending) == 0) length -= more;
    while (length > 1 && target[length - 1] == '/') length--;
    return length;
}

static void tell(const char *format, const char *target)
{
    const size_t length = strlen(target);
    const bool list = strcmp(format, "vtp") == 0, frame = length > 4 && strcmp(target + length - 4, ".vtp") == 0;
    const int folder = (int)folder_length(target, list && frame ? ".vtp" : ending_of(format));
    if (list)
        fprintf(stderr, "wrote %.*s.pvd, and the frames in %.*s/\n", folder, target, folder, target);
    else if (folders[number_of(format)])
        fprintf(stderr, "wrote the frames in %.*s/\n", folder, target);
    else
        fprintf(stderr, "wrote %s\n", target);
}

/* "results/gas.h5" becomes "gas.xyz", or "gas-shape-fit.csv" of the table shape/fit. */
static char *default_target(const arguments *args)
{
    char ending[256] = "";
    if (args->what != NULL) snprintf(ending, sizeof ending - 4, "-%s", args->what);
    for (char *c = ending; *c != '\0'; c++)
        if (*c == '/') *c = '-';
    strcat(ending, ending_of(args->format));
    return name_with_ending(args->operand, ending);
}

static int export(const arguments *args)
{
    if (args->format == NULL) {
        complain_without_format();
        return CAROM_USAGE;
    }
    if (args->what != NULL && strcmp(args->format, "csv") != 0) {
        complain("'--what %s' is a table, which '--to csv' writes; '--to %s' writes frames", args->what, args->format);
        return CAROM_USAGE;
    }
    char *made = args->output == NULL ? default_target(args) : NULL;
    const char *target = args->output != NULL ? args->output : made;
    carom_file *file = NULL;
    if (target == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    carom_status status = open_result(&file, args->operand);
    if (status == CAROM_OK) {
        status = args->what != NULL ? carom_file_export_table(file, args->what, target, args->force)
                                    : carom_file_export(file, args->format, target, args->force);
        complain_message(carom_file_message(file));
    }
    if (status == CAROM_OK) tell(args->format, target);
    carom_file_free(file);
    free(made);
    return (int)status;
}

static const option options[] = {
    {"to", 0, OPTION_CHOICE, offsetof(arguments, format), "FORMAT", formats, false,
     "xyz: extended XYZ (OVITO); vtp: VTK PolyData, a folder and a .pvd (ParaView); csv: a table; "
     "h5md: a trajectory (MDAnalysis); obj, ply: "
     "the meshes, a folder with one file for each frame"},
    {"what", 'w', OPTION_WORD, offsetof(arguments, what), "NAME", NULL, false,
     "with --to csv: the samples of an observable instead of the particles, one row for each; NAME/TABLE: one of its "
     "tables, as listed by carom info; events: the recorded events"},
    {"output", 'o', OPTION_FILE, offsetof(arguments, output), "TARGET", NULL, false,
     "file to write; default: the name of the result with the ending of the format, in the current folder"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace existing files"},
};

const command command_export = {
    .name = "export",
    .summary = "write the frames or the measurements of a result for other programs",
    .text = "Writes all frames of FILE in a format that ParaView, OVITO or a spreadsheet opens, or with --what a table "
            "of measurements.",
    .operand = OPERAND_RESULT,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = export,
};
