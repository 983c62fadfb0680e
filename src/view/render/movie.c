/* Movies: a separate process, ffmpeg, receives the pictures. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "view/render/render.h"

struct movie {
    char *target, *aside; /* temporary file, renamed when it is complete */
    int width, height;
    int to; /* standard input of ffmpeg */
    FILE *said;
    pid_t child;
    uint8_t *bytes;
};

static void free_movie(movie *m)
{
    if (m->to >= 0) close(m->to);
    if (m->said != NULL) fclose(m->said);
    memory_free(m->target);
    memory_free(m->aside);
    memory_free(m->bytes);
    memory_free(m);
}

static carom_status check_target(const char *target, bool force, error *e)
{
    struct stat there;
    if (stat(target, &there) != 0) return CAROM_OK;
    if (S_ISDIR(there.st_mode))
        return error_set(e, CAROM_NO_CREATE, "error: cannot create '%s': it is a folder; name a file in it", target);
    if (force) return CAROM_OK;
    return error_set(e, CAROM_NO_CREATE, "error: '%s' exists; name another target, or give --force to replace it",
                     target);
}

/* Checks that the file can be created, since the message of ffmpeg would be less clear. */
static carom_status check_creatable(const movie *m, error *e)
{
    const int fd = open(m->aside, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0) close(fd);
    if (fd >= 0) return CAROM_OK;
    return error_set(e, CAROM_NO_CREATE,
                     "error: cannot create '%s': %s; choose a folder that exists and can be written", m->target,
                     strerror(errno));
}

static int spawn(movie *m, int from, double rate)
{
    char size[32], frames[32];
    snprintf(size, sizeof size, "%dx%d", m->width, m->height);
    snprintf(frames, sizeof frames, "%.6g", rate);
    const char *const words[] = {"ffmpeg",    "-nostdin",   "-loglevel", "error", "-y",       "-f",
                                 "rawvideo",  "-pix_fmt",   "rgb24",     "-s",    size,       "-r",
                                 frames,      "-i",         "pipe:0",    "-an",   "-pix_fmt", "yuv420p",
                                 "-movflags", "+faststart", "-f",        "mp4",   m->aside,   NULL};
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawn_file_actions_adddup2(&actions, from, 0);
    if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, fileno(m->said), 2);
    if (failure == 0) failure = posix_spawnp(&m->child, "ffmpeg", &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static carom_status begin(movie *m, double rate, error *e)
{
    int ends[2];
    m->said = tmpfile();
    if (m->said == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(e, CAROM_INTERNAL, "error: cannot begin a movie: %s", strerror(errno));
    fcntl(fileno(m->said), F_SETFD, FD_CLOEXEC);
    const int failure = spawn(m, ends[0], rate);
    close(ends[0]);
    m->to = ends[1];
    if (failure == 0) return CAROM_OK;
    unlink(m->aside);
    if (failure == ENOENT)
        return error_set(e, CAROM_NO_CREATE,
                         "error: cannot create '%s': ffmpeg makes movies, and is not installed (Debian: ffmpeg); "
                         "frames-%%d.png makes one picture per frame without it",
                         m->target);
    return error_set(e, CAROM_NO_CREATE, "error: cannot create '%s': ffmpeg does not start: %s", m->target,
                     strerror(failure));
}

carom_status movie_open(movie **out, const char *target, int width, int height, double rate, bool force, error *e)
{
    *out = NULL;
    TRY(check_target(target, force, e));
    movie *m = NEW_ARRAY(1, movie);
    if (m == NULL) return error_memory(e, "a movie", sizeof *m);
    *m = (movie){.width = width, .height = height, .to = -1};
    m->target = memory_text(target);
    m->aside = memory_format("%s.part", target);
    m->bytes = NEW_ARRAY((size_t)width * (size_t)height * 3, uint8_t);
    carom_status status = CAROM_OK;
    if (m->target == NULL || m->aside == NULL || m->bytes == NULL)
        status = error_memory(e, "a movie", (size_t)width * (size_t)height * 3);
    if (status == CAROM_OK) status = check_creatable(m, e);
    if (status == CAROM_OK) status = begin(m, rate, e);
    if (status != CAROM_OK) {
        free_movie(m);
        return status;
    }
    *out = m;
    return CAROM_OK;
}

carom_status movie_frame(movie *m, const uint32_t *pixels, error *e)
{
    const size_t count = (size_t)m->width * (size_t)m->height;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) m->bytes[3 * i + (size_t)k] = (uint8_t)(pixels[i] >> (16 - 8 * k));
    for (size_t sent = 0; sent < 3 * count;) {
        const ssize_t some = send(m->to, m->bytes + sent, 3 * count - sent, MSG_NOSIGNAL);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) return error_set(e, CAROM_IO, "error: cannot write '%s': ffmpeg stopped early", m->target);
        sent += (size_t)some;
    }
    return CAROM_OK;
}

/* The last line of the output of ffmpeg. */
static void last_line(FILE *said, char *line, size_t size)
{
    char next[256];
    line[0] = '\0';
    rewind(said);
    while (fgets(next, sizeof next, said) != NULL) {
        next[strcspn(next, "\r\n")] = '\0';
        if (next[0] != '\0') snprintf(line, size, "%s", next);
    }
}

carom_status movie_close(movie *m, carom_status status, error *e)
{
    char line[256];
    int end = 0;
    close(m->to);
    m->to = -1;
    while (waitpid(m->child, &end, 0) < 0 && errno == EINTR) continue;
    const bool good = WIFEXITED(end) && WEXITSTATUS(end) == 0;
    last_line(m->said, line, sizeof line);
    if (!good && (status == CAROM_OK || status == CAROM_IO))
        status = error_set(e, CAROM_IO, "error: cannot write '%s': ffmpeg failed: %s", m->target,
                           line[0] != '\0' ? line : "it was killed");
    if (status == CAROM_OK && rename(m->aside, m->target) != 0)
        status = error_set(e, CAROM_IO, "error: cannot write '%s': %s", m->target, strerror(errno));
    if (status != CAROM_OK) unlink(m->aside);
    free_movie(m);
    return status;
}
