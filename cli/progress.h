/* Progress of a run on the terminal. */
#ifndef CAROM_CLI_PROGRESS_H
#define CAROM_CLI_PROGRESS_H

#include <stdbool.h>

#include "carom/carom.h"

typedef struct progress_view {
    bool quiet, terminal, colour;
    bool shown;       /* a bar is on the terminal's last line */
    double next_line; /* wall seconds of the next plain line */
} progress_view;

progress_view progress_begin(bool quiet);
void progress_show(progress_view *view, const carom_progress *progress);

/* The same for other work: the fraction `done` (negative: unknown), and the text after `wall_s` seconds. */
void progress_line(progress_view *view, double done, const char *text, double wall_s);

/* Connects progress and warnings of a run with the view and standard error. */
void progress_follow(carom_options *options, progress_view *view);

/* Removes the bar before other text is written. */
void progress_clear(progress_view *view);

#endif
