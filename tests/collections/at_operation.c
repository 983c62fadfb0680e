/* Loaded ahead of the C library (LD_PRELOAD): raises signals at chosen file operations of a process, so that a kill comes
 * at the same byte each time. AT_OPERATION is a list of pairs: the number of an operation, counted from 1, and the signal
 * raised before it. AT_OPERATION_COUNT names a file for the number of operations there were. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { MOST = 16 };
static struct {
    long at;
    int signal;
} plan[MOST];
static int planned;
static atomic_long done;

__attribute__((constructor)) static void read_plan(void)
{
    const char *text = getenv("AT_OPERATION");
    char *end;
    while (text != NULL && planned < MOST) {
        const long at = strtol(text, &end, 10);
        if (end == text) break;
        text = end;
        plan[planned].at = at;
        plan[planned++].signal = (int)strtol(text, &end, 10);
        text = end;
    }
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("AT_OPERATION_COUNT");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL) return;
    fprintf(file, "%ld\n", atomic_load(&done));
    fclose(file);
}

static void operation(void)
{
    const long now = atomic_fetch_add(&done, 1) + 1;
    for (int k = 0; k < planned; k++)
        if (plan[k].at == now) raise(plan[k].signal);
}

/* The function of that name that would have been called. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define INSTEAD __attribute__((visibility("default")))

/* What goes to a terminal or pipe is no file. */
INSTEAD ssize_t write(int fd, const void *data, size_t size)
{
    if (fd > 2) operation();
    return NEXT(write)(fd, data, size);
}

INSTEAD ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    operation();
    return NEXT(pwrite)(fd, data, size, at);
}

INSTEAD ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    operation();
    return NEXT(pwrite64)(fd, data, size, at);
}

INSTEAD int fsync(int fd)
{
    operation();
    return NEXT(fsync)(fd);
}

INSTEAD int fdatasync(int fd)
{
    operation();
    return NEXT(fdatasync)(fd);
}

INSTEAD int ftruncate(int fd, off_t size)
{
    operation();
    return NEXT(ftruncate)(fd, size);
}

INSTEAD int rename(const char *from, const char *to)
{
    operation();
    return NEXT(rename)(from, to);
}

INSTEAD int unlink(const char *path)
{
    operation();
    return NEXT(unlink)(path);
}
