/* carom view: a simulation or a result in a browser. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"

static carom_view *volatile shown;
static carom_sim *volatile running;

static void on_stop(int number)
{
    (void)number;
    signal(SIGINT, SIG_DFL); /* the next Ctrl-C kills */
    if (shown != NULL) carom_view_request_stop(shown);
}

static void on_checkpoint(int number)
{
    (void)number;
    if (running != NULL) carom_sim_request_checkpoint(running);
}

static void handle_signals(carom_view *view, carom_sim *sim)
{
    struct sigaction hangup;
    shown = view;
    running = sim;
    handle_signal(SIGINT, on_stop);
    handle_signal(SIGTERM, on_stop);
    handle_signal(SIGUSR1, on_checkpoint);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) handle_signal(SIGHUP, on_stop);
}

/* The browser inherits neither the terminal nor open files, whose locks would remain. */
static void become_browser(const char *url)
{
    enum { FILES = 1024 };
    int nowhere = open("/dev/null", O_RDWR);
    for (int fd = 0; nowhere >= 0 && fd <= 2; fd++) dup2(nowhere, fd);
    for (int fd = 3; fd < FILES; fd++) close(fd);
    setsid();
    execlp("xdg-open", "xdg-open", url, (char *)NULL);
    _exit(127);
}

/* Opens the page with the program of the system, if there is a screen. A grandchild needs no wait. */
static void open_browser(const char *url)
{
    const char *screen = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if ((screen == NULL || *screen == '\0') && (wayland == NULL || *wayland == '\0')) return;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) become_browser(url);
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static carom_status open_view(carom_view **view, const arguments *args)
{
    const char *port = args->port != NULL ? args->port : "0";
    const carom_view_options options = {.bind = args->bind, .port = strlen(port) < 6 ? atoi(port) : -1};
    if (options.port < 0 || options.port > 65535) {
        complain("option '--port' needs a port from 1 to 65535, or 0 for a free one, not '%s'", port);
        return CAROM_USAGE;
    }
    carom_status status = carom_view_new(view, &options);
    if (status != CAROM_OK) complain_message(carom_view_message(*view));
    return status;
}

static carom_status announce(carom_view *view, const arguments *args)
{
    out("%s\n", carom_view_url(view));
    if (finish_output(CAROM_OK) != CAROM_OK) return CAROM_IO;
    if (!args->quiet) fputs("open this address in a browser; Ctrl-C here stops the server\n", stderr);
    if (!args->no_browser) open_browser(carom_view_url(view));
    return CAROM_OK;
}

static carom_status show_simulation(carom_view *view, carom_sim *sim, const arguments *args)
{
    handle_signals(view, sim);
    carom_status status = announce(view, args);
    if (status == CAROM_OK) status = carom_view_simulate(view, sim);
    running = NULL;
    shown = NULL;
    return status;
}

static carom_status simulate(const carom_scene *scene, carom_view *view, const arguments *args)
{
    progress_view progress = progress_begin(args->quiet);
    carom_options options = {.output = args->output, .force = args->force, .threads = args->threads};
    progress_follow(&options, &progress);
    carom_sim *sim = NULL;
    carom_status status = carom_sim_new(&sim, scene, &options);
    if (status != CAROM_OK) {
        progress_clear(&progress);
        complain_message(sim != NULL ? carom_sim_message(sim) : "error: out of memory");
    } else {
        status = show_simulation(view, sim, args);
        progress_clear(&progress);
        complain_message(carom_view_message(view));
        if (status == CAROM_EARLY && args->output != NULL && !args->quiet) show_way_on(args, args->output);
    }
    carom_sim_free(sim);
    return status;
}

static carom_status view_scene(const arguments *args)
{
    carom_scene *scene = NULL;
    carom_view *view = NULL;
    carom_status status = load_scene(&scene, args);
    if (status == CAROM_OK && args->output != NULL && same_file(args->output, args->operand)) {
        complain("the result '%s' would replace the scene; choose another file with -o", args->output);
        status = CAROM_USAGE;
    }
    if (status == CAROM_OK) status = open_view(&view, args);
    if (status == CAROM_OK) status = simulate(scene, view, args);
    carom_view_free(view);
    carom_scene_free(scene);
    return status;
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), more = strlen(ending);
    return length > more && strcmp(path + length - more, ending) == 0;
}

/* Rejects options that are for scenes only. */
static carom_status refuse_overrides(const arguments *args)
{
    const char *given = args->output != NULL                ? "output"
                        : args->set_count > 0               ? "set"
                        : args->seed != NULL                ? "seed"
                        : args->threads > 0                 ? "threads"
                        : args->force && args->save == NULL ? "force"
                                                            : NULL;
    if (given == NULL) return CAROM_OK;
    complain("option '--%s' is for scenes; '%s' is a result", given, args->operand);
    return CAROM_USAGE;
}

/* ---- a page in a file -------------------------------------------------------------------------------------------- */

/* 0: not given; numbers above the range of int are out of range for the library too. */
static int whole(const char *text)
{
    const unsigned long long number = text != NULL ? strtoull(text, NULL, 10) : 0;
    return number < INT_MAX ? (int)number : INT_MAX;
}

static carom_status write_page(carom_page *page, carom_file *file, const arguments *args)
{
    carom_status status = carom_page_add_file(page, file);
    if (status == CAROM_OK) status = carom_page_write(page, args->save, args->force);
    complain_message(carom_page_message(page));
    if (status != CAROM_OK || args->quiet) return status;
    fprintf(stderr, "wrote %s, %zu of %zu frames\n", args->save, carom_page_frames(page), carom_page_recorded(page));
    return CAROM_OK;
}

/* Options whose value 0 would stand for the default of the library. */
static carom_status check_limits(const arguments *args)
{
    if (args->frames != NULL && whole(args->frames) == 0) {
        complain("option '--frames' needs at least 2, not '%s'", args->frames);
        return CAROM_USAGE;
    }
    if (args->particles != NULL && whole(args->particles) == 0) {
        complain("option '--particles' needs at least 1, not '%s'", args->particles);
        return CAROM_USAGE;
    }
    if (args->megabytes != NULL && !(strtod(args->megabytes, NULL) > 0)) {
        complain("option '--megabytes' needs a number above 0, not '%s'", args->megabytes);
        return CAROM_USAGE;
    }
    if (same_file(args->save, args->operand)) {
        complain("'--save %s' is the result file; name a page x.html", args->save);
        return CAROM_USAGE;
    }
    if (!ends_in(args->save, ".html") && !ends_in(args->save, ".htm")) {
        complain("'%s' has no known ending; name a page x.html", args->save);
        return CAROM_USAGE;
    }
    return check_text_target(args->save, args->force);
}

static carom_status save_result(const arguments *args)
{
    const carom_page_options options = {.frames = whole(args->frames),
                                        .particles = whole(args->particles),
                                        .megabytes = args->megabytes != NULL ? strtod(args->megabytes, NULL) : 0};
    carom_file *file = NULL;
    carom_page *page = NULL;
    carom_status status = check_limits(args);
    if (status == CAROM_OK) status = carom_page_new(&page, &options);
    if (status != CAROM_OK && page != NULL) complain_message(carom_page_message(page));
    if (status == CAROM_OK) status = open_result(&file, args->operand);
    if (status == CAROM_OK) status = write_page(page, file, args);
    carom_page_free(page);
    carom_file_free(file);
    return status;
}

/* Rejects options that are for the server, or for the file, only. */
static carom_status refuse_others(const arguments *args)
{
    const char *server = args->bind != NULL ? "bind" : args->port != NULL ? "port" : NULL;
    const char *page = args->frames != NULL      ? "frames"
                       : args->particles != NULL ? "particles"
                       : args->megabytes != NULL ? "megabytes"
                                                 : NULL;
    if (args->save != NULL && server != NULL)
        complain("option '--%s' is for the server; '--save' writes a file and starts none", server);
    else if (args->save == NULL && page != NULL)
        complain("option '--%s' is for '--save'", page);
    else
        return CAROM_OK;
    return CAROM_USAGE;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static carom_status view_result(const arguments *args)
{
    carom_file *file = NULL;
    carom_view *view = NULL;
    carom_status status = refuse_overrides(args);
    if (status == CAROM_OK && args->save != NULL) return save_result(args);
    if (status == CAROM_OK) status = open_result(&file, args->operand);
    if (status == CAROM_OK) status = open_view(&view, args);
    if (status == CAROM_OK) {
        handle_signals(view, NULL);
        status = announce(view, args);
        if (status == CAROM_OK) status = carom_view_replay(view, file);
        shown = NULL;
        complain_message(carom_view_message(view));
    }
    carom_view_free(view);
    carom_file_free(file);
    return status;
}

/* Results and checkpoints are binary, scenes are text. A file that is absent or empty is classified by its name. */
static bool is_result(const char *path)
{
    char head[256];
    const bool named = ends_in(path, ".h5");
    FILE *file = strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL;
    if (file == NULL) return named;
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    return got == 0 ? named : memchr(head, '\0', got) != NULL;
}

static int view_it(const arguments *args)
{
    const carom_status status = refuse_others(args);
    if (status != CAROM_OK) return (int)status;
    const bool absent = args->save != NULL && access(args->operand, F_OK) != 0;
    if (absent || is_result(args->operand)) return (int)view_result(args);
    if (args->save == NULL) return (int)view_scene(args);
    complain("'--save' needs a result, and '%s' is a scene: run it first, then give its result", args->operand);
    return CAROM_USAGE;
}

static const option options[] = {
    {"bind", 0, OPTION_WORD, offsetof(arguments, bind), "ADDRESS", NULL, false,
     "listen at this address of the machine (0.0.0.0: all its addresses) instead of 127.0.0.1; a browser needs the "
     "token in the URL that is printed"},
    {"port", 0, OPTION_COUNT, offsetof(arguments, port), "N", NULL, false, "the port; default: a free one"},
    {"no-browser", 0, OPTION_FLAG, offsetof(arguments, no_browser), NULL, NULL, false,
     "only print the address; default: the page is opened if there is a screen"},
    {"save", 0, OPTION_FILE, offsetof(arguments, save), "PAGE.html", NULL, false,
     "for a result: write the page with its frames into one file, which a browser opens without a server or a network"},
    {"frames", 0, OPTION_COUNT, offsetof(arguments, frames), "N", NULL, false,
     "with --save: largest number of frames; of more, every second, third, ... is kept; default: 300"},
    {"particles", 0, OPTION_COUNT, offsetof(arguments, particles), "N", NULL, false,
     "with --save: largest number of particles that are shown; default: 150000"},
    {"megabytes", 0, OPTION_NUMBER, offsetof(arguments, megabytes), "X", NULL, false,
     "with --save: largest size of the file; frames are thinned out until it is smaller; default: 20"},
    {"output", 'o', OPTION_FILE, offsetof(arguments, output), "OUT.h5", NULL, false,
     "for a scene: write a result, as `carom run` does; default: none"},
    {"set", 0, OPTION_SETS, 0, "KEY=VALUE", NULL, false, "override a key of the scene; may be repeated"},
    {"seed", 0, OPTION_COUNT, offsetof(arguments, seed), "N", NULL, false, "override the scene's seed"},
    {"threads", 0, OPTION_THREADS, offsetof(arguments, threads), "N", NULL, false, "number of threads; default: 1"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace an existing result or page"},
    {"quiet", 'q', OPTION_FLAG, offsetof(arguments, quiet), NULL, NULL, false, "print the address only"},
};

const command command_view = {
    .name = "view",
    .summary = "show a simulation or a result in a browser",
    .text = "Serves one page, on this machine only, and prints its address. For a scene the page shows the running "
            "simulation, which starts when the page is first opened; for a result it shows the frames. The page has "
            "controls to pause, to step and to set the speed. It does not change the bits of a run. Ctrl-C ends the "
            "server and, as with `carom run`, the run. With --save the page of a result becomes a file.",
    .operand = OPERAND_SHOWN,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = view_it,
};
