/* carom init: a scene as a starting point. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

static carom_status write_file(const char *path, const char *text, bool force)
{
    struct stat about;
    bool device = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    FILE *file = fopen(path, force || device ? "w" : "wx");
    if (file == NULL) {
        if (errno == EEXIST)
            complain("'%s' exists; use --force to replace it", path);
        else
            complain("cannot create '%s': %s", path, strerror(errno));
        return CAROM_NO_CREATE;
    }
    bool good = fputs(text, file) >= 0 && fflush(file) == 0;
    int error = errno;
    if (fclose(file) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good) return CAROM_OK;
    complain("cannot write '%s': %s", path, strerror(error));
    return CAROM_IO;
}

static int init(const arguments *args)
{
    char *text = NULL;
    carom_status status = carom_starter(args->list ? "" : args->operand, &text);
    if (status != CAROM_OK)
        complain_message(text != NULL ? text : "error: out of memory");
    else if (args->output != NULL)
        status = write_file(args->output, text, args->force);
    else
        out("%s", text);
    carom_free(text);
    return (int)status;
}

static const option options[] = {
    {"output", 'o', OPTION_FILE, offsetof(arguments, output), "SCENE", NULL, false,
     "file to write; default: standard output"},
    {"list", 0, OPTION_FLAG, offsetof(arguments, list), NULL, NULL, false, "list the scenes, one on each line"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace an existing file"},
};

const command command_init = {
    .name = "init",
    .summary = "print a commented scene to start from",
    .text =
        "Prints the scene NAME (default: gas), small, commented and ready to run, with its expected results. --list "
        "lists all scenes: one for each engine and common task. The name of an engine prints its first scene.",
    .operand = OPERAND_ENGINE,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = init,
};
