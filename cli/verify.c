/* carom verify: an independent check of a result. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"

static volatile sig_atomic_t bar_shown;

/* There is no state to save: after removal of the bar the signal ends the program. */
static void on_stop(int number)
{
    static const char clear[] = "\r\033[K";
    if (bar_shown && write(STDERR_FILENO, clear, sizeof clear - 1) < 0) bar_shown = 0;
    signal(number, SIG_DFL);
    raise(number);
}

static void on_progress(const carom_progress *p, void *user)
{
    char text[80], left[QUANTITY_SIZE];
    progress_view *view = user;
    int used = snprintf(text, sizeof text, "frame at t = %.4g", p->time);
    if (p->left_s >= 0)
        snprintf(text + used, sizeof text - (size_t)used, ", %s left", format_duration(left, p->left_s));
    bar_shown = 1;
    progress_line(view, p->fraction, text, p->wall_s);
}

static int verify(const arguments *args)
{
    carom_file *file = NULL;
    char *report = NULL;
    carom_status status = open_result(&file, args->operand);
    if (status != CAROM_OK) return (int)status;
    progress_view view = progress_begin(false);
    if (view.terminal) {
        carom_file_follow(file, on_progress, &view);
        handle_signal(SIGINT, on_stop);
        handle_signal(SIGTERM, on_stop);
    }
    status = carom_file_verify(file, args->json_text, &report);
    progress_clear(&view);
    bar_shown = 0;
    if (report != NULL)
        out("%s\n", report);
    else
        complain_message(carom_file_message(file));
    carom_free(report);
    carom_file_free(file);
    return (int)status;
}

static const option options[] = {
    {"json", 0, OPTION_FLAG, offsetof(arguments, json_text), NULL, NULL, false, "as one JSON object"},
};

const command command_verify = {
    .name = "verify",
    .summary = "check the physics of a result",
    .text = "Checks each frame of FILE for overlaps beyond rounding and particles outside the box, each pair of "
            "successive frames for passages of bodies through each other, and the balance of energy and momentum; if "
            "particles merge, also that the clusters agree with the merges and move and rotate as rigid bodies. Exits "
            "with 77 and names the particles concerned if a check fails.",
    .operand = OPERAND_RESULT,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = verify,
};
