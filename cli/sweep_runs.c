/* The runs of a sweep: one process each, up to the number of jobs at a time. */
#define _GNU_SOURCE /* environ */
#include "sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { FIXED_WORDS = 16, SHELL_KILLED = 128, POLL_MPI_MS = 5, POLL_MS = 500 };

typedef struct child {
    pid_t process; /* 0: free */
    size_t run;
    bool resumed;
} child;

static volatile sig_atomic_t stop_wanted;

double sweep_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Names and start of runs ---- */

char *sweep_run_file(const sweep_work *w, size_t run, const char *ending)
{
    return sweep_path(w, "runs/point-%zu-seed-%llu%s", run / w->seeds + 1,
                      (unsigned long long)carom_sweep_seed(w->sweep, run % w->seeds), ending);
}

static bool is_there(const sweep_work *w, size_t run, const char *ending)
{
    char *path = sweep_run_file(w, run, ending);
    bool there = path != NULL && access(path, F_OK) == 0;
    free(path);
    return there;
}

bool sweep_can_resume(const sweep_work *w, size_t run)
{
    return is_there(w, run, ".h5") && is_there(w, run, ".h5.checkpoint");
}

static void remove_run_file(const sweep_work *w, size_t run, const char *ending)
{
    char *path = sweep_run_file(w, run, ending);
    if (path != NULL) unlink(path);
    free(path);
}

static char *joined(const char *a, const char *between, const char *b)
{
    size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
    char *text = malloc(size);
    if (text != NULL) snprintf(text, size, "%s%s%s", a, between, b);
    return text;
}

char **sweep_command(const sweep_work *w, size_t run, bool resume)
{
    size_t parameters = carom_sweep_parameter_count(w->sweep), count = 0, point = run / w->seeds;
    char **words = calloc(FIXED_WORDS + 2 * parameters, sizeof *words), number[32];
    if (words == NULL) return NULL;
    words[count++] = strdup("carom");
    words[count++] = strdup("run");
    words[count++] = strdup(carom_sweep_scene(w->sweep));
    words[count++] = strdup("-o");
    words[count++] = sweep_run_file(w, run, ".h5");
    for (size_t i = 0; i < parameters; i++) {
        words[count++] = strdup("--set");
        words[count++] = joined(carom_sweep_parameter(w->sweep, i), "=", carom_sweep_set(w->sweep, point, i));
    }
    words[count++] = strdup("--seed");
    snprintf(number, sizeof number, "%llu", (unsigned long long)carom_sweep_seed(w->sweep, run % w->seeds));
    words[count++] = strdup(number);
    words[count++] = strdup("--threads");
    snprintf(number, sizeof number, "%d", w->args->threads > 0 ? w->args->threads : 1);
    words[count++] = strdup(number);
    words[count++] = strdup("--json");
    words[count++] = sweep_run_file(w, run, ".json");
    words[count++] = strdup("--quiet");
    words[count++] = strdup("--keep-checkpoint"); /* until the row is written: tidy() */
    words[count++] = strdup(resume ? "--resume" : "--force");
    for (size_t i = 0; i < count; i++) {
        if (words[i] != NULL) continue;
        for (; count > 0; count--) free(words[count - 1]);
        free((void *)words);
        return NULL;
    }
    return words;
}

void sweep_free_command(char **words)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) free(words[i]);
    free((void *)words);
}

/* The run is no rank of the launcher that has started the sweep. */
static void forget_launcher(void)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_SIZE=", "PMI_SIZE=", "MV2_COMM_WORLD_SIZE=", "SLURM_STEP_NUM_TASKS="};
    char **kept = environ;
    for (char **entry = environ; *entry != NULL; entry++) {
        bool known = false;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            known = known || strncmp(*entry, names[k], strlen(names[k])) == 0;
        if (!known) *kept++ = *entry;
    }
    *kept = NULL;
}

/* In the child: only calls that are safe after fork. The parent may have ended already. */
static void become_run(const sweep_work *w, char **words, const char *messages, const sigset_t *mask, pid_t parent)
{
    int null = open("/dev/null", O_RDWR), to = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (null < 0 || to < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(to, 2) < 0) _exit(CAROM_NO_CREATE);
    close(null);
    close(to);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* if the sweep is killed, its runs write checkpoints and stop */
#endif
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (getppid() != parent) _exit(CAROM_EARLY);
    forget_launcher();
    execv(w->program, words);
    _exit(CAROM_INTERNAL);
}

static bool start(sweep_work *w, child *c, size_t run, bool resume, const sigset_t *mask)
{
    char **words = sweep_command(w, run, resume), *messages = sweep_run_file(w, run, ".messages");
    pid_t parent = getpid();
    *c = (child){.run = run, .resumed = resume};
    if (!resume) remove_run_file(w, run, ".h5.checkpoint"); /* of another run */
    if (words != NULL && messages != NULL) {
        c->process = fork();
        if (c->process == 0) become_run(w, words, messages, mask, parent);
    }
    if (words == NULL || messages == NULL || c->process < 0) {
        complain("cannot start a run: %s", strerror(words == NULL || messages == NULL ? ENOMEM : errno));
        w->status = CAROM_INTERNAL;
        c->process = 0;
    }
    sweep_free_command(words);
    free(messages);
    return c->process != 0;
}

/* ---- How a run ended ---- */

/* The first line with an error, without the name of the program; for a crash, the signal. */
static char *find_message(const sweep_work *w, const child *c, int how)
{
    char *path = sweep_run_file(w, c->run, ".messages"), *text = NULL, *message = NULL;
    size_t length;
    if (WIFSIGNALED(how)) {
        message = joined("killed by signal: ", "", strsignal(WTERMSIG(how)));
    } else if (path != NULL && sweep_read_text(path, &text, &length) == CAROM_OK) {
        char *fault = strstr(text, "error: "), *line = fault;
        while (line != NULL && line > text && line[-1] != '\n') line--;
        if (line != NULL && strncmp(line, "carom: error: ", 14) == 0) line += 14;
        if (line != NULL) message = strndup(line, strcspn(line, "\n"));
    }
    free(text);
    free(path);
    return message != NULL ? message : strdup("");
}

static void tidy(const sweep_work *w, size_t run, bool finished)
{
    remove_run_file(w, run, ".json");
    remove_run_file(w, run, ".messages");
    if (!finished) return;
    remove_run_file(w, run, ".h5.checkpoint");
    if (!carom_sweep_keeps_results(w->sweep)) remove_run_file(w, run, ".h5");
}

static void record(sweep_work *w, const child *c, int how)
{
    int code = WIFSIGNALED(how) ? SHELL_KILLED + WTERMSIG(how) : WEXITSTATUS(how);
    char *path = sweep_run_file(w, c->run, ".json"), *message = find_message(w, c, how), *summary = NULL;
    size_t length;
    bool finished = code == CAROM_OK || code == CAROM_DYNAMICS;
    if (finished && path != NULL) sweep_read_text(path, &summary, &length);
    if (message == NULL || (code == CAROM_OK && summary == NULL)) {
        complain("the summary of a run does not exist: '%s'", path != NULL ? path : "");
        w->status = CAROM_IO;
    } else {
        carom_status status = sweep_add_row(w, c->run, code, finished && code == CAROM_OK ? "" : message, summary);
        if (status == CAROM_OK)
            tidy(w, c->run, finished);
        else
            w->status = status;
    }
    free(summary);
    free(message);
    free(path);
}

/* If the checkpoint cannot be used (another build, a damaged file), the run starts again. */
static bool must_restart(const child *c, int how)
{
    return c->resumed && WIFEXITED(how) && (WEXITSTATUS(how) == CAROM_BAD_DATA || WEXITSTATUS(how) == CAROM_NO_INPUT);
}

static bool was_stopped(int how)
{
    if (WIFEXITED(how)) return WEXITSTATUS(how) == CAROM_EARLY;
    return stop_wanted && (WTERMSIG(how) == SIGTERM || WTERMSIG(how) == SIGINT);
}

static void take_end(sweep_work *w, child *c, int how, const sigset_t *mask)
{
    child ended = *c;
    c->process = 0;
    if (was_stopped(how)) {
        w->unfinished = true;
        remove_run_file(w, ended.run, ".messages");
    } else if (must_restart(&ended, how) && !stop_wanted) {
        start(w, c, ended.run, false, mask);
    } else {
        record(w, &ended, how);
        w->done++;
    }
}

/* ---- The loop ---- */

long sweep_next(sweep_work *w)
{
    if (stop_wanted || w->status != CAROM_OK) return -1;
    for (; w->next < w->runs; w->next++) {
        bool mine = w->mpi || (int)(w->next % (size_t)w->members) + 1 == w->member;
        if (!mine || sweep_is_finished(&w->rows[w->next])) continue;
        w->taken++;
        return (long)w->next++;
    }
    return -1;
}

static void on_signal(int number)
{
    if (number == SIGCHLD) return; /* it only interrupts the wait of the loop */
    stop_wanted = 1;
    signal(SIGINT, SIG_DFL); /* the next Ctrl-C kills */
}

static void handle_signals(sigset_t *before)
{
    static const int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    struct sigaction hangup;
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action = {.sa_handler = on_signal};
        sigemptyset(&action.sa_mask);
        bool ignored = numbers[i] == SIGHUP && sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler == SIG_IGN;
        if (!ignored) sigaction(numbers[i], &action, NULL); /* nohup */
        sigaddset(&blocked, numbers[i]);
    }
    sigprocmask(SIG_BLOCK, &blocked, before); /* they come while the loop waits */
}

static void show_progress(sweep_work *w, size_t at_work)
{
    char text[128], left[QUANTITY_SIZE];
    double wall = sweep_clock() - w->began;
    size_t steps = w->mpi ? w->taken : w->done;
    double done = w->mine > 0 ? (double)steps / (double)w->mine : 1;
    if (w->mpi)
        snprintf(text, sizeof text, "%zu of %zu runs distributed", steps, w->mine);
    else if (steps == 0)
        snprintf(text, sizeof text, "%zu of %zu runs done, %zu running", steps, w->mine, at_work);
    else
        snprintf(text, sizeof text, "%zu of %zu runs done, %zu running, %s left", steps, w->mine, at_work,
                 format_duration(left, wall / done - wall));
    progress_line(&w->view, done, text, wall);
}

static size_t reap(sweep_work *w, child *children, int jobs, const sigset_t *mask)
{
    size_t at_work = 0;
    for (int i = 0; i < jobs; i++) {
        int how;
        child *c = &children[i];
        if (c->process != 0 && waitpid(c->process, &how, WNOHANG) == c->process) take_end(w, c, how, mask);
        at_work += c->process != 0;
    }
    return at_work;
}

static void stop_children(const child *children, int jobs)
{
    for (int i = 0; i < jobs; i++)
        if (children[i].process != 0) kill(children[i].process, SIGTERM);
}

/* Starts runs up to the number of jobs; *more is false when no run is left. */
static size_t fill(sweep_work *w, child *children, int jobs, bool *more, const sigset_t *mask)
{
    size_t at_work = 0;
    for (int i = 0; i < jobs; i++) {
        child *c = &children[i];
        if (c->process == 0 && *more) {
            long run = w->mpi && w->member > 1 ? team_ask() : sweep_next(w);
            *more = run >= 0 && start(w, c, (size_t)run, sweep_can_resume(w, (size_t)run), mask);
        }
        at_work += c->process != 0;
    }
    return at_work;
}

static void loop(sweep_work *w, child *children, int jobs, const sigset_t *mask)
{
    bool more = true, told = false;
    for (;;) {
        size_t at_work = reap(w, children, jobs, mask);
        if (stop_wanted || w->status != CAROM_OK) more = false;
        if (!more && !told && (stop_wanted || w->status != CAROM_OK)) {
            stop_children(children, jobs);
            told = true;
        }
        if (more) at_work = fill(w, children, jobs, &more, mask);
        if (w->member == 1) team_answer(w);
        if (at_work == 0 && !more && (!w->mpi || team_gathered())) return;
        if (w->member == 1 || !w->mpi) show_progress(w, at_work);
        struct timespec wait = {.tv_nsec = (w->mpi ? POLL_MPI_MS : POLL_MS) * 1000000L};
        pselect(0, NULL, NULL, NULL, &wait, mask);
    }
}

void sweep_work_through(sweep_work *w)
{
    sigset_t before;
    int jobs = w->args->jobs;
    child *children = calloc((size_t)jobs, sizeof *children);
    if (children == NULL) {
        complain("out of memory");
        w->status = CAROM_INTERNAL;
        team_abort(w->status);
        return;
    }
    handle_signals(&before);
    w->began = sweep_clock();
    loop(w, children, jobs, &before);
    progress_clear(&w->view);
    if (stop_wanted) w->unfinished = true;
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(children);
}
