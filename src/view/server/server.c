#define _GNU_SOURCE
#include "view/server/server.h"

#include "base/memory.h"
#include "view/server/connection.h"
#include "view/server/listen.h"
#include "view/server/mailbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 64, COMMANDS = 64, HISTORY = 512, TICK_MS = 250, SEND_BUFFER = 1 << 18 };

/* A pipe by which one thread wakes the other. */
typedef struct wake_pipe {
    int ends[2];
} wake_pipe;

struct view_server {
    int listener;
    http_rules rules;
    char *url;
    char token[TOKEN_SIZE];
    char address[ADDRESS_SIZE];

    view_choice choice;
    mailbox box;
    bool shows, started;
    pthread_t thread;
    wake_pipe server_pipe, engine_pipe;
    atomic_bool stop, visited, wanted;
    _Atomic(char *) new_charts; /* written by the engine, read by the server */

    view_command commands[COMMANDS]; /* a ring buffer: the server writes, the engine reads */
    atomic_size_t put, taken;

    /* The server thread alone uses the fields below. */
    connection connections[CONNECTIONS];
    double deaf_until;       /* connections are not accepted: the system has no descriptors left */
    uint8_t *hello, *things; /* complete messages */
    size_t hello_size, things_size;
    view_moment history[HISTORY];
    size_t history_count, history_every, history_passed;
    bool history_whole;  /* for a file: only frames after its last one are added */
    bool history_passes; /* the next moment replaces the last */
    uint8_t *charts;     /* a complete message; NULL: none yet */
    size_t charts_size;
    uint64_t charts_serial;
    view_message *newest;
    uint64_t serial;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- wake-up pipes --------------------------------------------------------------------------------------------- */

static bool wake_pipe_create(wake_pipe *b)
{
    if (pipe(b->ends) != 0) {
        b->ends[0] = b->ends[1] = -1;
        return false;
    }
    for (int k = 0; k < 2; k++) {
        fcntl(b->ends[k], F_SETFL, O_NONBLOCK);
        fcntl(b->ends[k], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static void wake_pipe_signal(const wake_pipe *b)
{
    int kept = errno;
    ssize_t put = write(b->ends[1], "", 1); /* a full pipe wakes the reader as well */
    (void)put;
    errno = kept;
}

static void wake_pipe_drain(const wake_pipe *b)
{
    char server_created[256];
    while (read(b->ends[0], server_created, sizeof server_created) == (ssize_t)sizeof server_created) continue;
}

static void wake_pipe_close(wake_pipe *b)
{
    for (int k = 0; k < 2; k++)
        if (b->ends[k] >= 0) close(b->ends[k]);
}

/* ---- calls of the engine --------------------------------------------------------------------------------------- */

bool server_visited(const view_server *s)
{
    return atomic_load(&s->visited);
}

bool server_wanted(const view_server *s)
{
    return atomic_load_explicit(&s->wanted, memory_order_relaxed);
}

void server_publish(view_server *s, const carom_frame *f, const view_status *status)
{
    picture *p = mailbox_open(&s->box);
    picture_fill(p, &s->choice, f, status);
    mailbox_post(&s->box, p);
    wake_pipe_signal(&s->server_pipe);
}

void server_charts(view_server *s, char *text)
{
    if (text == NULL) return;
    memory_free(atomic_exchange(&s->new_charts, text));
    wake_pipe_signal(&s->server_pipe);
}

bool server_command(view_server *s, view_command *out)
{
    size_t taken = atomic_load_explicit(&s->taken, memory_order_relaxed);
    if (taken == atomic_load_explicit(&s->put, memory_order_acquire)) return false;
    *out = s->commands[taken % COMMANDS];
    atomic_store_explicit(&s->taken, taken + 1, memory_order_release);
    return true;
}

void server_wait(view_server *s, double seconds)
{
    struct pollfd watched = {.fd = s->engine_pipe.ends[0], .events = POLLIN};
    int ms = seconds > 60 ? 60000 : (int)(seconds * 1000);
    if (poll(&watched, 1, ms) > 0) wake_pipe_drain(&s->engine_pipe);
}

void server_wake(view_server *s)
{
    wake_pipe_signal(&s->engine_pipe);
}

/* ---- calls of the server --------------------------------------------------------------------------------------- */

/* If the queue is full, further commands are lost. */
static void queue_command(const view_command *command, void *user)
{
    view_server *s = user;
    size_t put = atomic_load_explicit(&s->put, memory_order_relaxed);
    if (put - atomic_load_explicit(&s->taken, memory_order_acquire) == COMMANDS) return;
    s->commands[put % COMMANDS] = *command;
    atomic_store_explicit(&s->put, put + 1, memory_order_release);
    wake_pipe_signal(&s->engine_pipe);
}

/* The history: at most HISTORY moments of the run. When it is full, every other moment is removed. The last is always
 * the newest; it stays if it is at a regular interval. */
static void add_to_history(view_server *s, const picture *p)
{
    const view_moment *m = s->history_whole ? &p->status.last : &p->moment;
    if (s->history_whole && !(m->time > s->history[s->history_count - 1].time)) return;
    if (s->history_passes) s->history_count--;
    s->history_passes = s->history_passed++ % s->history_every != 0;
    if (s->history_count == HISTORY) {
        for (size_t k = 0; 2 * k < HISTORY; k++) s->history[k] = s->history[2 * k];
        s->history_count = HISTORY / 2;
        s->history_every *= 2;
    }
    s->history[s->history_count++] = *m;
}

static void fetch_picture(view_server *s)
{
    picture *p = mailbox_take(&s->box);
    if (p == NULL) return;
    size_t size = 0;
    add_to_history(s, p);
    uint8_t *data = encode_frame(p, &size);
    mailbox_return(&s->box, p);
    view_message *made = message_new(data, size, s->serial + 1);
    if (made == NULL) return; /* no memory; the next attempt may succeed */
    s->serial++;
    message_drop(s->newest);
    s->newest = made;
}

static void fetch_charts(view_server *s)
{
    char *text = atomic_exchange(&s->new_charts, NULL);
    size_t size = 0;
    if (text == NULL) return;
    uint8_t *made = encode_text(text, &size);
    memory_free(text);
    if (made == NULL) return;
    memory_free(s->charts);
    s->charts = made;
    s->charts_size = size;
    s->charts_serial++;
}

/* The slot for the next connection. If none is free, the connection with the earliest deadline is closed; viewers
 * stay. */
static connection *find_place(view_server *s)
{
    connection *worst = NULL;
    for (size_t k = 0; k < CONNECTIONS; k++) {
        connection *c = &s->connections[k];
        if (c->state == CONNECTION_FREE) return c;
        if (c->state != CONNECTION_VIEWER && (worst == NULL || c->deadline < worst->deadline)) worst = c;
    }
    connection_close(worst);
    return worst;
}

static void accept_all(view_server *s, double now)
{
    for (int k = 0; k < CONNECTIONS; k++) {
        int fd = accept(s->listener, NULL, NULL), size = SEND_BUFFER;
        if (fd < 0) {
            bool none = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ECONNABORTED;
            if (!none) s->deaf_until = now + 0.1; /* for example, too many open files */
            return;
        }
        fcntl(fd, F_SETFL, O_NONBLOCK);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size); /* a stored picture is outdated by then */
        connection_open(find_place(s), fd, now);
    }
}

static size_t count_viewers(const view_server *s)
{
    size_t viewers = 0;
    for (size_t k = 0; k < CONNECTIONS; k++) viewers += s->connections[k].state == CONNECTION_VIEWER;
    return viewers;
}

static void send_history(text_buffer *out, void *user)
{
    const view_server *s = user;
    size_t size = 0;
    uint8_t *history = encode_history(s->history, s->history_count, &size);
    text_add_bytes(out, (const char *)s->hello, s->hello_size);
    text_add_bytes(out, (const char *)s->things, s->things_size);
    if (history != NULL)
        text_add_bytes(out, (const char *)history, size);
    else
        out->failed = true;
    memory_free(history);
}

static void read_from(view_server *s, connection *c, double now)
{
    connection_host host = {.rules = s->rules,
                            .viewers = count_viewers(s),
                            .send_history = send_history,
                            .command = queue_command,
                            .user = s};
    connection_readable(c, &host, now);
}

static void update_wanted(view_server *s)
{
    bool wanted = false, visited = false;
    for (size_t k = 0; k < CONNECTIONS; k++) {
        visited = visited || s->connections[k].state == CONNECTION_VIEWER;
        wanted = wanted || connection_waits(&s->connections[k], s->newest);
    }
    bool changed = (visited && !atomic_exchange(&s->visited, true));
    changed = (wanted != atomic_exchange(&s->wanted, wanted) && wanted) || changed;
    if (changed) wake_pipe_signal(&s->engine_pipe);
}

static void serve_all(view_server *s, const struct pollfd *polled, const size_t *who, size_t count, double now)
{
    for (size_t k = 0; k < count; k++) {
        connection *c = &s->connections[who[k]];
        if ((polled[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && c->state != CONNECTION_FREE)
            read_from(s, c, now);
    }
    for (size_t k = 0; k < CONNECTIONS; k++) {
        connection *c = &s->connections[k];
        connection_tick(c, now);
        if (s->charts != NULL) connection_tell(c, s->charts, s->charts_size, s->charts_serial);
        connection_offer(c, s->newest);
        if (c->state != CONNECTION_FREE && connection_wants_to_write(c)) connection_writable(c, now);
    }
}

static void *serve(void *user)
{
    view_server *s = user;
    struct pollfd polled[CONNECTIONS + 2];
    size_t who[CONNECTIONS];
    while (!atomic_load(&s->stop)) {
        size_t count = 0;
        double now = now_s();
        for (size_t k = 0; k < CONNECTIONS; k++) {
            const connection *c = &s->connections[k];
            if (c->state == CONNECTION_FREE) continue;
            short events = (short)(POLLIN | (connection_wants_to_write(c) ? POLLOUT : 0));
            polled[count] = (struct pollfd){.fd = c->fd, .events = events};
            who[count++] = k;
        }
        polled[count] = (struct pollfd){.fd = s->server_pipe.ends[0], .events = POLLIN};
        polled[count + 1] = (struct pollfd){.fd = now < s->deaf_until ? -1 : s->listener, .events = POLLIN};
        if (poll(polled, (nfds_t)(count + 2), TICK_MS) < 0 && errno != EINTR) break;
        now = now_s();
        wake_pipe_drain(&s->server_pipe);
        fetch_charts(s);
        fetch_picture(s);
        serve_all(s, polled, who, count, now);
        if ((polled[count + 1].revents & POLLIN) != 0) accept_all(s, now);
        update_wanted(s);
    }
    return NULL;
}

/* ---- creation and end ------------------------------------------------------------------------------------------ */

carom_status server_open(view_server **out, const char *bind, int port, bool framed, error *e)
{
    view_server *s = NEW_ARRAY(1, view_server);
    *out = s;
    if (s == NULL) return error_memory(e, "the page's server", sizeof *s);
    s->listener = -1;
    s->history_every = 1;
    for (size_t k = 0; k < CONNECTIONS; k++) s->connections[k].fd = -1;
    const bool server_created = wake_pipe_create(&s->server_pipe);
    if (!wake_pipe_create(&s->engine_pipe) || !server_created) /* create both, so that both can be freed */
        return error_set(e, CAROM_INTERNAL, "error: cannot make a pipe: %s", strerror(errno));
    TRY(listen_at(bind, port, &s->listener, &s->rules.port, s->address, e));
    s->rules.address = s->address;
    s->rules.framed = framed;
    if (bind != NULL) {
        TRY(make_token(s->token, e));
        s->rules.token = s->token;
    }
    s->url = memory_format("http://%s:%d/%s%s", s->address, s->rules.port, bind != NULL ? "?token=" : "", s->token);
    return s->url != NULL ? CAROM_OK : error_memory(e, "an address", 100);
}

const char *server_url(const view_server *s)
{
    return s->url;
}

/* Signals are delivered to other threads. */
static bool start_thread(view_server *s)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    s->started = pthread_create(&s->thread, NULL, serve, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s->started;
}

carom_status server_show(view_server *s, const view_subject *subject, error *e)
{
    if (s->shows)
        return error_set(e, CAROM_USAGE, "error: this view already shows a simulation or a file; create another view");
    TRY(choice_make(&s->choice, subject, e));
    s->shows = true;
    TRY(mailbox_create(&s->box, subject, &s->choice, e));
    s->hello = encode_hello(subject, &s->choice, &s->hello_size);
    s->things = encode_things(subject, &s->choice, &s->things_size);
    if (s->hello == NULL || s->things == NULL) return error_memory(e, "what the page shows", s->things_size);
    s->history_count = subject->history_count < HISTORY ? subject->history_count : HISTORY;
    s->history_whole = subject->history_count > 0;
    for (size_t k = 0; k < s->history_count; k++) s->history[k] = subject->history[k];
    return start_thread(s) ? CAROM_OK : error_set(e, CAROM_INTERNAL, "error: cannot start a thread for the page");
}

void server_close(view_server *s)
{
    if (s == NULL) return;
    atomic_store(&s->stop, true);
    if (s->started) {
        wake_pipe_signal(&s->server_pipe);
        pthread_join(s->thread, NULL);
    }
    for (size_t k = 0; k < CONNECTIONS; k++) connection_close(&s->connections[k]);
    if (s->listener >= 0) close(s->listener);
    message_drop(s->newest);
    if (s->shows) mailbox_destroy(&s->box);
    choice_free(&s->choice);
    wake_pipe_close(&s->server_pipe);
    wake_pipe_close(&s->engine_pipe);
    memory_free(s->hello);
    memory_free(s->things);
    memory_free(s->charts);
    memory_free(atomic_load(&s->new_charts));
    memory_free(s->url);
    memory_free(s);
}
