/* carom export: frames for other programs. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *const formats[] = {"xyz", "vtp", "csv", "obj", "ply", NULL};
/* A VTP export is a series of files with a .pvd that names them; OBJ and PLY are series, too. */
static const char *const endings[] = {".xyz", ".pvd", ".csv", ".obj", ".ply"};

static const char *ending_of(const char *format)
{
    for (size_t i = 0; formats[i] != NULL; i++)
        if (strcmp(formats[i], format) == 0) return endings[i];
    return "";
}

static void tell(const char *format, const char *target)
{
    const char *ending = ending_of(format);
    size_t length = strlen(target), more = strlen(ending);
    if (strcmp(format, "obj") != 0 && strcmp(format, "ply") != 0) {
        fprintf(stderr, "wrote %s\n", target);
        return;
    }
    if (length > more && strcmp(target + length - more, ending) == 0) length -= more;
    fprintf(stderr, "wrote %.*s_000000%s and so on, a file a frame\n", (int)length, target, ending);
}

static int export(const arguments *args)
{
    if (args->format == NULL) {
        complain("'carom export' needs a format: --to xyz, vtp, csv, obj or ply");
        return CAROM_USAGE;
    }
    char *made = args->output == NULL ? name_with_ending(args->operand, ending_of(args->format)) : NULL;
    const char *target = args->output != NULL ? args->output : made;
    carom_file *file = NULL;
    if (target == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    carom_status status = open_result(&file, args->operand);
    if (status == CAROM_OK) {
        status = carom_file_export(file, args->format, target, args->force);
        complain_message(carom_file_message(file));
    }
    if (status == CAROM_OK) tell(args->format, target);
    carom_file_free(file);
    free(made);
    return (int)status;
}

static const option options[] = {
    {"to", 0, OPTION_CHOICE, offsetof(arguments, format), "FORMAT", formats, false,
     "xyz: extended XYZ (OVITO); vtp: VTK PolyData with a .pvd (ParaView); csv: a table; obj, ply: the "
     "meshes, a file a frame"},
    {"output", 'o', OPTION_FILE, offsetof(arguments, output), "TARGET", NULL, false,
     "file to write; default: the result's name with the format's ending, in this folder"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace existing files"},
};

const command command_export = {
    .name = "export",
    .summary = "write the frames of a result for other programs",
    .text = "Writes every frame of FILE in a format that ParaView, OVITO or a spreadsheet opens.",
    .operand = OPERAND_RESULT,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = export,
};
