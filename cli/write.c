/* Files that are there whole or not at all. */
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

static bool write_all(FILE *file, const char *text, size_t length)
{
    bool open_end = length == 0 || text[length - 1] != '\n';
    bool good = fwrite(text, 1, length, file) == length && (!open_end || fputc('\n', file) != EOF) && fflush(file) == 0;
    int error = errno;
    if (fclose(file) != 0 && good) return false;
    errno = error;
    return good;
}

carom_status write_whole(const char *path, const char *text, size_t length)
{
    struct stat about;
    bool direct = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    char *aside = malloc(strlen(path) + sizeof ".part");
    if (aside == NULL) return CAROM_INTERNAL;
    strcpy(aside, path);
    if (!direct) strcat(aside, ".part");
    FILE *file = fopen(aside, "w");
    bool good = file != NULL && write_all(file, text, length) && (direct || rename(aside, path) == 0);
    int error = errno;
    if (!good && !direct) unlink(aside);
    free(aside);
    if (good) return CAROM_OK;
    if (error != EPIPE) complain("cannot write '%s': %s", path, strerror(error));
    return file == NULL ? CAROM_NO_CREATE : CAROM_IO;
}
