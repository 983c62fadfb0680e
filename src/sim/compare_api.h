/* Comparisons of carom.h: one scene with several engines. */
#ifndef CAROM_SIM_COMPARE_API_H
#define CAROM_SIM_COMPARE_API_H

#include <jansson.h>
#include <stdatomic.h>

#include "sim/guard.h"

enum { COMPARE_MOST = 8, COMPARE_ENGINE = 32 };

/* Result of one engine. */
typedef struct engine_run {
    char engine[COMPARE_ENGINE];
    carom_scene *scene;
    char *summary; /* JSON; NULL: it has not run */
    json_t *read;  /* the same */
} engine_run;

struct carom_compare {
    guard guard;
    char *path, *text; /* of the scene; text NULL: it is in the file */
    size_t length;
    char **sets;
    size_t set_count;
    carom_options run; /* of each run; its callbacks pass on: */
    carom_progress_callback progress;
    void (*warning)(const char *line, void *user);
    void *user;
    engine_run all[COMPARE_MOST];
    size_t count;
    error message;
    carom_sim *sim; /* NULL: none is running */
    atomic_int stop_requested;
};

/* ---- compare_table.c ---- */

/* One line for each quantity that one of the engines has. */
carom_status compare_table(const carom_compare *c, char **out, error *e);

#endif
