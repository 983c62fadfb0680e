/* carom init: a scene to begin with. */
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
    const char *engine = args->operand != NULL ? args->operand : engine_names[0];
    size_t count = 0;
    bool known = false;
    for (; engine_names[count] != NULL; count++) known = known || strcmp(engine_names[count], engine) == 0;
    if (!known) {
        const char *guess = closest(engine, engine_names, count);
        complain("unknown engine '%s'; %s '%s'%s", engine, guess != NULL ? "did you mean" : "there is",
                 guess != NULL ? guess : engine_names[0], guess != NULL ? "?" : "");
        return CAROM_USAGE;
    }
    char *text = NULL;
    carom_status status = carom_starter(engine, &text);
    if (status != CAROM_OK)
        complain("no starter scene for the engine '%s'", engine);
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
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace an existing file"},
};

const command command_init = {
    .name = "init",
    .summary = "print a commented scene to begin with",
    .text = "Prints a small scene for ENGINE (default: hard), with a comment on every line, ready to run.",
    .operand = OPERAND_ENGINE,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = init,
};
