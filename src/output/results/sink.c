#define _GNU_SOURCE
#include "output/results/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { MUCH = 1 << 20 };

static carom_status cannot_make(const char *path, int failure, error *e)
{
    struct stat there;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return error_set(e, CAROM_NO_CREATE, "error: cannot create '%s': it is a folder; name a file in it", path);
    if (failure == EEXIST)
        return error_set(e, CAROM_NO_CREATE, "error: '%s' exists; name another target, or give --force to replace it",
                         path);
    return error_set(e, CAROM_NO_CREATE,
                     "error: cannot create '%s': %s; choose a folder that exists and can be written", path,
                     strerror(failure));
}

/* Creates the missing folders of a path. */
static void make_folders(const char *path)
{
    char *folder = memory_text(path);
    for (char *slash = folder != NULL ? strchr(folder + 1, '/') : NULL; slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(folder, 0777); /* opening the file reports errors */
        *slash = '/';
    }
    memory_free(folder);
}

carom_status sink_open(sink *s, const char *path, bool force, error *e)
{
    struct stat there;
    if (strchr(path, '/') != NULL) make_folders(path);
    *s = (sink){.fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL), 0666)};
    if (s->fd < 0) return cannot_make(path, errno, e);
    s->made = fstat(s->fd, &there) == 0 && S_ISREG(there.st_mode);
    s->path = memory_text(path);
    if (s->path != NULL) return CAROM_OK;
    close(s->fd);
    if (s->made) unlink(path);
    return error_memory(e, "a file name", strlen(path));
}

static void write_out(sink *s)
{
    const char *data = s->text.data;
    size_t left = s->text.length;
    while (left > 0 && s->failure == 0) {
        ssize_t some = write(s->fd, data, left);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) s->failure = errno;
        if (some < 0) break;
        data += some;
        left -= (size_t)some;
    }
    s->text.length = 0;
}

void sink_pass(sink *s)
{
    if (s->text.length >= MUCH) write_out(s);
}

carom_status sink_close(sink *s, carom_status status, error *e)
{
    write_out(s);
    if (close(s->fd) != 0 && s->failure == 0) s->failure = errno;
    if (status == CAROM_OK && s->failure != 0)
        status = error_set(e, CAROM_IO, "error: cannot write '%s': %s; free disk space or choose another folder",
                           s->path, strerror(s->failure));
    if (status == CAROM_OK && s->text.failed) status = error_memory(e, "a text", s->text.capacity);
    if (status != CAROM_OK && s->made) unlink(s->path);
    text_free(&s->text);
    memory_free(s->path);
    return status;
}
