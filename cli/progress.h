/* How a run tells a person that it is alive. */
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

/* The same for any work: the part `done` (negative: not known), and what to say after `wall_s` seconds of it. */
void progress_line(progress_view *view, double done, const char *text, double wall_s);

/* Makes a run tell the view how far it is, and put its warnings on standard error. */
void progress_follow(carom_options *options, progress_view *view);

/* Takes the bar away, so that other text can be written. */
void progress_clear(progress_view *view);

#endif
