#include "base/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

static const size_t largest_file = (size_t)1 << 30;

static carom_status read_stream(FILE *stream, const char *path, const char *what, const char *remedy, char **text,
                                size_t *length, error *e)
{
    struct stat about;
    size_t capacity = (size_t)1 << 16, taken;
    bool sized = fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode);
    if (sized && about.st_size > 0 && (size_t)about.st_size <= largest_file) capacity = (size_t)about.st_size + 1;
    *text = memory_new(capacity, 1);
    *length = 0;
    while (*text != NULL && (taken = fread(*text + *length, 1, capacity - *length, stream)) > 0) {
        *length += taken;
        if (*length > largest_file)
            return error_set_at(e, CAROM_BAD_DATA, path, 0, "a %s of more than 1 GB; %s", what, remedy);
        if (*length < capacity) continue;
        char *bigger = memory_resize(*text, capacity, capacity * 2, 1);
        if (bigger == NULL) return error_memory(e, "the text of a file", capacity * 2);
        *text = bigger;
        capacity *= 2;
    }
    if (*text == NULL) return error_memory(e, "the text of a file", capacity);
    if (ferror(stream)) return error_set_at(e, CAROM_NO_INPUT, path, 0, "cannot be read: %s", strerror(errno));
    return CAROM_OK;
}

carom_status text_file_read(const char *path, const char *what, const char *remedy, char **text, size_t *length,
                            error *e)
{
    struct stat about;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return error_set_at(e, CAROM_NO_INPUT, path, 0, "the %s cannot be opened: %s", what, strerror(errno));
    carom_status status;
    if (fstat(fileno(stream), &about) == 0 && S_ISDIR(about.st_mode))
        status = error_set_at(e, CAROM_NO_INPUT, path, 0, "this is a folder, not a %s", what);
    else
        status = read_stream(stream, path, what, remedy, text, length, e);
    fclose(stream);
    return status;
}

char *text_file_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = memory_new(length + 1, 1);
    if (folder != NULL) memcpy(folder, path, length);
    return folder;
}
