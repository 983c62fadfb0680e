/* Writes JSON and CSV to a file chosen by the user. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

carom_status check_text_target(const char *path, bool force)
{
    struct stat about;
    if (path == NULL || strcmp(path, "-") == 0) return CAROM_OK;
    if (stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode)) {
            complain("cannot create '%s': it is a folder; name a file in it", path);
            return CAROM_NO_CREATE;
        }
        if (S_ISREG(about.st_mode) && !force) {
            complain("'%s' exists; use --force to replace it", path);
            return CAROM_NO_CREATE;
        }
        return CAROM_OK;
    }
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    if (folder == NULL) return CAROM_INTERNAL;
    int failed = access(folder, W_OK | X_OK);
    free(folder);
    if (failed == 0) return CAROM_OK;
    complain("cannot create '%s': %s; choose a folder that exists and can be written", path, strerror(errno));
    return CAROM_NO_CREATE;
}

static bool write_out(FILE *file, const char *text)
{
    size_t length = strlen(text);
    bool open_end = length == 0 || text[length - 1] != '\n';
    bool good = fputs(text, file) >= 0 && (!open_end || fputc('\n', file) != EOF) && fflush(file) == 0;
    int error = errno;
    if (fclose(file) != 0 && good) return false;
    errno = error;
    return good;
}

/* Written to a temporary file and renamed, so that readers never see a part of it; devices and pipes are written
 * directly. */
static carom_status write_file(const char *path, const char *text)
{
    struct stat about;
    bool direct = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    char *aside = malloc(strlen(path) + sizeof ".part");
    if (aside == NULL) return CAROM_INTERNAL;
    strcpy(aside, path);
    if (!direct) strcat(aside, ".part");
    FILE *file = fopen(aside, "w");
    bool good = file != NULL && write_out(file, text) && (direct || rename(aside, path) == 0);
    int error = errno;
    if (!good && !direct) unlink(aside);
    free(aside);
    if (good) return CAROM_OK;
    if (error != EPIPE) complain("cannot write '%s': %s", path, strerror(error));
    return file == NULL ? CAROM_NO_CREATE : CAROM_IO;
}

carom_status put_text(const char *path, const char *text)
{
    if (path == NULL) return CAROM_OK;
    if (strcmp(path, "-") != 0) return write_file(path, text);
    out("%s\n", text);
    return CAROM_OK;
}
