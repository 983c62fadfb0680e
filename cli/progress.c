#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

enum { LINE_FIRST = 10, LINE_EVERY = 30 }; /* wall seconds between plain lines */

progress_view progress_begin(bool quiet)
{
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    progress_view view = {.quiet = quiet, .next_line = LINE_FIRST};
    view.terminal = isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
    view.colour = view.terminal && (no_colour == NULL || *no_colour == '\0');
    return view;
}

static int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* "t = 45.3 of 100, 1.2 M collisions, 3.4 M events/s, 12 s left" */
static void describe(char *text, size_t size, const carom_progress *p)
{
    char count[QUANTITY_SIZE], rate[QUANTITY_SIZE], left[QUANTITY_SIZE];
    if (p->phase != NULL && strcmp(p->phase, "compress") == 0) {
        snprintf(text, size, "compressing, packing fraction %.4f, %s collisions", p->packing_fraction,
                 format_count(count, (double)p->collisions));
        return;
    }
    if (p->phase != NULL && strcmp(p->phase, "place") == 0) {
        snprintf(text, size, "placing particles");
        return;
    }
    int used = snprintf(text, size, "t = %.4g", p->time);
    if (p->until_time > 0) used += snprintf(text + used, size - (size_t)used, " of %.4g", p->until_time);
    const bool merging = p->merges > 0;
    used += snprintf(text + used, size - (size_t)used, ", %s %s, %s events/s",
                     format_count(count, (double)(merging ? p->merges : p->collisions)),
                     merging ? "merges" : "collisions", format_count(rate, p->events_per_s));
    if (p->left_s >= 0) snprintf(text + used, size - (size_t)used, ", %s left", format_duration(left, p->left_s));
}

/* The bar fills the rest of the line; without enough space there is no bar. */
static void show_bar(progress_view *view, double done, const char *text)
{
    enum { CELLS_MIN = 6, CELLS_MAX = 24, AROUND = 9 };
    char cells[CELLS_MAX + 1] = "", bar[64] = "";
    int width = terminal_width() - 1, count = width - (int)strlen(text) - AROUND;
    if (count > CELLS_MAX) count = CELLS_MAX;
    if (done >= 0 && count >= CELLS_MIN) {
        double fraction = done < 1 ? done : 1;
        memset(cells, '-', (size_t)count);
        memset(cells, '#', (size_t)(fraction * count));
        snprintf(bar, sizeof bar, "[%s] %3d %% ", cells, (int)(100 * fraction));
    }
    fprintf(stderr, "\r\033[K%s%s%s%.*s", view->colour ? "\033[36m" : "", bar, view->colour ? "\033[0m" : "",
            width - (int)strlen(bar), text);
    fflush(stderr);
    view->shown = true;
}

void progress_line(progress_view *view, double done, const char *text, double wall_s)
{
    if (view->quiet) return;
    if (view->terminal) {
        show_bar(view, done, text);
    } else if (wall_s >= view->next_line) {
        if (done >= 0)
            fprintf(stderr, "%3d %%: %s\n", (int)(100 * done), text);
        else
            fprintf(stderr, "%s\n", text);
        view->next_line = wall_s + LINE_EVERY;
    }
}

void progress_show(progress_view *view, const carom_progress *p)
{
    char text[256];
    if (view->quiet) return;
    describe(text, sizeof text, p);
    progress_line(view, p->fraction, text, p->wall_s);
}

void progress_clear(progress_view *view)
{
    if (view->shown) fputs("\r\033[K", stderr);
    view->shown = false;
}

static void on_progress(const carom_progress *progress, void *user)
{
    progress_show(user, progress);
}

static void on_warning(const char *line, void *user)
{
    progress_clear(user);
    fprintf(stderr, "carom: warning: %s\n", line);
}

void progress_follow(carom_options *options, progress_view *view)
{
    options->progress = on_progress;
    options->warning = on_warning;
    options->user = view;
}
