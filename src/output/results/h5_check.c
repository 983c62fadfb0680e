#define _GNU_SOURCE
#include "output/results/h5_check.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEEPEST = 32 };

typedef struct walk {
    char *where; /* [H5_WHERE]: path of the object under test */
    int depth;
    bool reading;  /* including texts of variable length */
    bool variable; /* whether such texts exist */
} walk;

static herr_t look_at_attribute(hid_t object, const char *name, const H5A_info_t *info, void *data)
{
    (void)info;
    walk *w = data;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t space = type >= 0 ? H5Aget_space(attribute) : -1;
    const htri_t variable = type >= 0 ? H5Tdetect_class(type, H5T_VLEN) : -1;
    const bool text = type >= 0 && H5Tis_variable_str(type) > 0;
    bool good = space >= 0 && variable >= 0;
    if (variable > 0 || text) w->variable = true;
    if (good && text && w->reading) {
        char **texts;
        size_t count;
        error ignored = {0};
        good = h5_texts_read(object, name, &texts, &count, &ignored) == CAROM_OK;
        h5_texts_free(texts, count);
        error_clear(&ignored);
    }
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    return good ? 0 : -1;
}

static bool look_at(hid_t object, walk *w);

static herr_t look_at_link(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
    walk *w = data;
    if (info->type != H5L_TYPE_HARD) return 0;
    const size_t length = strlen(w->where);
    snprintf(w->where + length, H5_WHERE - length, "%s%s", length > 0 ? "/" : "", name);
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    const bool good = object >= 0 && look_at(object, w);
    if (object >= 0) H5Oclose(object);
    if (good) w->where[length] = '\0';
    return good ? 0 : -1;
}

static bool look_at(hid_t object, walk *w)
{
    if (w->depth == DEEPEST || H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at_attribute, w) < 0)
        return false;
    if (H5Iget_type(object) != H5I_GROUP) return true;
    w->depth++;
    const bool good = H5Literate(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at_link, w) >= 0;
    w->depth--;
    return good;
}

static bool look_at_file(hid_t file, walk *w)
{
    hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
    const bool good = root >= 0 && look_at(root, w);
    if (root >= 0) H5Gclose(root);
    return good;
}

/* In the child: reads data that may crash it; the exit status is the result. */
static void read_texts(const char *path)
{
    enum { SECONDS = 60 };
    char where[H5_WHERE] = "";
    bool live;
    const struct rlimit no_core = {0, 0};
    walk w = {.where = where, .reading = true};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(SECONDS);
    const hid_t file = h5_open_read(path, &live);
    _exit(file >= 0 && look_at_file(file, &w) ? 0 : 1);
}

static bool child_reads(const char *path)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) read_texts(path);
    if (child < 0) return true;
    pid_t ended;
    do ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0); /* a program that ignores SIGCHLD gets none */
}

bool h5_check(hid_t file, const char *path, char where[H5_WHERE])
{
    walk w = {.where = where};
    where[0] = '\0';
    if (!look_at_file(file, &w)) return false;
    if (!w.variable || child_reads(path)) return true;
    snprintf(where, H5_WHERE, "texts");
    return false;
}
