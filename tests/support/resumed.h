/* Runs that are continued from checkpoints. */
#ifndef CAROM_TESTS_RESUMED_H
#define CAROM_TESTS_RESUMED_H

#include <unistd.h>

#include "play.h"

/* Runs a scene, which ends at `until`, in three parts, the second one with two threads. The caller closes the last part. */
static inline play resumed_in_parts(const char *text, double until)
{
    enum { PARTS = 3 };
    char path[40], checkpoint[60], set[60];
    play p = {0};
    snprintf(path, sizeof path, "resumed-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    for (int k = 0; k < PARTS; k++) {
        const carom_options options = {.output = path, .force = k == 0, .resume = k > 0, .threads = k == 1 ? 2 : 1};
        play_close(&p);
        snprintf(set, sizeof set, "run.until.time=%.17g", until * (k + 1) / PARTS);
        p = play_try(text, k + 1 < PARTS ? set : NULL, &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        play_run(&p, CAROM_STOP_TIME);
    }
    remove(path);
    remove(checkpoint);
    return p;
}

#endif
