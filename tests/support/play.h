/* Scenes as text, run through the public interface. */
#ifndef CAROM_TESTS_PLAY_H
#define CAROM_TESTS_PLAY_H

#include <check.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "frame/frame.h"

/* ck_assert notes every success in a file: too slow for millions. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) ck_abort_msg("%s", #condition);                                                              \
    } while (0)

/* ---- text ------------------------------------------------------------------------------------------------------ */

enum { PLAY_TEXT = 1 << 16 };

typedef struct play_text {
    char text[PLAY_TEXT];
    size_t length;
} play_text;

__attribute__((format(printf, 2, 3))) static inline void play_add(play_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int wrote = vsnprintf(t->text + t->length, PLAY_TEXT - t->length, format, args);
    va_end(args);
    REQUIRE(wrote >= 0 && (size_t)wrote < PLAY_TEXT - t->length);
    t->length += (size_t)wrote;
}

/* ---- a scene and its simulation -------------------------------------------------------------------------------- */

typedef struct play {
    carom_scene *scene;
    carom_sim *sim;
    carom_status created;
} play;

static inline void play_close(play *p)
{
    carom_sim_free(p->sim);
    carom_scene_free(p->scene);
    *p = (play){0};
}

/* Like play_open; the simulation need not come to be. `set` may be NULL. */
static inline play play_try(const char *text, const char *set, const carom_options *options)
{
    play p = {.scene = carom_scene_new()};
    REQUIRE(p.scene != NULL);
    if (set != NULL) REQUIRE(carom_scene_set(p.scene, set) == CAROM_OK);
    if (carom_scene_load_text(p.scene, "test.yaml", text, strlen(text)) != CAROM_OK)
        ck_abort_msg("%s\n%s", carom_scene_message(p.scene), text);
    p.created = carom_sim_new(&p.sim, p.scene, options);
    return p;
}

static inline play play_open(const char *text, const char *set)
{
    play p = play_try(text, set, NULL);
    if (p.created != CAROM_OK) ck_abort_msg("%s\n%s", carom_sim_message(p.sim), text);
    return p;
}

static inline void play_run(play *p, carom_stop stop)
{
    carom_status status = carom_sim_run(p->sim);
    if (carom_sim_stop(p->sim) != stop)
        ck_abort_msg("stopped by %s, expected %s; status %d: %s", carom_stop_name(carom_sim_stop(p->sim)),
                     carom_stop_name(stop), (int)status, carom_sim_message(p->sim));
}

static inline void play_advance(play *p, double time)
{
    carom_status status = carom_sim_advance(p->sim, time);
    if (status != CAROM_OK) ck_abort_msg("status %d: %s", (int)status, carom_sim_message(p->sim));
}

static inline uint64_t play_hash(play *p)
{
    return carom_sim_frame(p->sim)->state_hash;
}

/* ---- the summary ----------------------------------------------------------------------------------------------- */

static inline json_t *play_summary(play *p)
{
    char *text = carom_sim_summary(p->sim);
    REQUIRE(text != NULL);
    json_t *object = json_loads(text, 0, NULL);
    REQUIRE(object != NULL);
    carom_free(text);
    return object;
}

/* A number by its path, as in "observables.pressure.mean". */
static inline double play_number(const json_t *object, const char *path)
{
    char copy[200];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *key = strtok(copy, "."); key != NULL; key = strtok(NULL, ".")) object = json_object_get(object, key);
    if (!json_is_number(object)) ck_abort_msg("no number %s in the summary", path);
    return json_number_value(object);
}

#endif
