#define _GNU_SOURCE
#include "output/results/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* Between opening and locking, the holder may have removed the file: the lock would then have no effect. */
static bool still_there(const char *path, int fd)
{
    struct stat open_one, named;
    return fstat(fd, &open_one) == 0 && stat(path, &named) == 0 && open_one.st_ino == named.st_ino &&
           open_one.st_dev == named.st_dev;
}

carom_status lock_take(path_lock *lock, const char *result, error *e)
{
    *lock = (path_lock){.path = memory_format("%s.lock", result), .fd = -1};
    if (lock->path == NULL) return error_memory(e, "a file name", strlen(result));
    for (;;) {
        int fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        int failure = errno;
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
            if (still_there(lock->path, fd)) {
                lock->fd = fd;
                return CAROM_OK;
            }
            close(fd);
            continue;
        }
        if (fd >= 0) {
            failure = errno;
            close(fd);
        }
        memory_free(lock->path);
        lock->path = NULL;
        if (fd >= 0 && failure == EWOULDBLOCK)
            return error_set(e, CAROM_NO_CREATE,
                             "error: another run is writing '%s'; wait for it, or choose another output with -o",
                             result);
        return error_set(e, CAROM_NO_CREATE,
                         "error: cannot create '%s': %s; choose a folder that exists and can be written", result,
                         strerror(failure));
    }
}

void lock_drop(path_lock *lock)
{
    if (lock->path == NULL) return;
    unlink(lock->path);
    close(lock->fd);
    memory_free(lock->path);
    lock->path = NULL;
}

void lock_sweep(const char *result)
{
    path_lock lock;
    error ignored = {0};
    char *path = memory_format("%s.lock", result);
    if (path != NULL && access(path, F_OK) == 0 && lock_take(&lock, result, &ignored) == CAROM_OK) lock_drop(&lock);
    memory_free(path);
    error_clear(&ignored);
}
