/* carom_compare_*: runs of one scene with several engines. */
#include "sim/compare_api.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/scene_api.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 200 };

/* ---- overrides --------------------------------------------------------------------------------------------------- */

/* Adds the first item with `what` of a resolved list of observables, without its name: the table uses the name of the
 * observable. False if the list has none. */
static bool copy_item(const char *list, const char *end, const char *what, text_buffer *to)
{
    char first[64];
    snprintf(first, sizeof first, "\n  - what: %s\n", what);
    const char *item = strstr(list, first);
    if (item == NULL || item >= end) return false;
    do {
        const char *line = item++;
        item += strcspn(item, "\n");
        if (strncmp(line, "\n    name: ", strlen("\n    name: ")) == 0) continue;
        text_add_bytes(to, line, (size_t)(item - line));
    } while (item < end && strncmp(item, "\n    ", 5) == 0);
    return true;
}

/* An override with the observables of the table only, with the settings of the scene if it has them. Other
 * observables cost time, and not all engines have them. */
static carom_status narrow_observe(const carom_scene *loaded, text_buffer *set, error *e)
{
    static const char *const shown[] = {"pressure", "collision_rate"};
    const char *resolved = carom_scene_resolved(loaded);
    const char *list = strstr(resolved, "\nobserve:"), *end = strstr(resolved, "\noutput:");
    if (list == NULL || end == NULL || end < list)
        return error_set(e, CAROM_INTERNAL, "error: the resolved scene has no observables before its output");
    list += strlen("\nobserve:");
    const bool none = strncmp(list, " []", 3) == 0;
    const double duration = loaded->checked->until.time;
    text_add(set, "observe=");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (!none && copy_item(list, end, shown[i], set)) continue;
        text_add(set, "\n  - what: %s", shown[i]);
        /* By time: an engine with many events would sample too often. */
        if (duration > 0) text_add(set, "\n    every: %.17g", duration / SAMPLES);
    }
    return set->failed ? error_memory(e, "an override", set->capacity) : CAROM_OK;
}

/* Loads the scene for one engine; `observe` is a further override, or NULL. The message is that of the scene. */
static carom_status load_for(carom_compare *c, engine_run *one, const char *observe)
{
    char choice[COMPARE_ENGINE + 8];
    carom_scene_free(one->scene);
    one->scene = carom_scene_new();
    if (one->scene == NULL) return error_memory(&c->message, "a scene", 1);
    snprintf(choice, sizeof choice, "engine=%s", one->engine);
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < c->set_count && status == CAROM_OK; i++) status = carom_scene_set(one->scene, c->sets[i]);
    if (status == CAROM_OK) status = carom_scene_set(one->scene, choice);
    if (status == CAROM_OK && observe != NULL) status = carom_scene_set(one->scene, observe);
    if (status == CAROM_OK)
        status = c->text != NULL ? carom_scene_load_text(one->scene, c->path, c->text, c->length)
                                 : carom_scene_load(one->scene, c->path);
    if (status != CAROM_OK) error_set(&c->message, status, "%s", carom_scene_message(one->scene));
    return status;
}

/* All errors are reported before the first run. An engine may lack observables if another engine has them. */
static carom_status load_all(carom_compare *c)
{
    size_t without = 0;
    for (size_t i = 0; i < c->count; i++) {
        carom_status status = load_for(c, &c->all[i], NULL);
        if (status == CAROM_BAD_DATA) {
            status = load_for(c, &c->all[i], "observe=[]");
            without++;
        }
        TRY(status);
    }
    if (without == c->count) return load_for(c, &c->all[0], NULL);
    error_clear(&c->message);
    return CAROM_OK;
}

/* ---- callbacks of a run ------------------------------------------------------------------------------------------ */

static void pass_request(carom_compare *c)
{
    if (atomic_load(&c->stop_requested)) carom_sim_request_stop(c->sim);
}

static void pass_progress(const carom_progress *progress, void *user)
{
    carom_compare *c = user;
    pass_request(c);
    if (c->progress != NULL) c->progress(progress, c->user);
}

static void pass_warning(const char *line, void *user)
{
    const carom_compare *c = user;
    c->warning(line, c->user);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static carom_status keep_engines(carom_compare *c, const carom_compare_options *o)
{
    if (o->engine_count == 0 || o->engine_count > COMPARE_MOST)
        return error_set(&c->message, CAROM_USAGE, "error: a comparison takes 1 to %d engines, not %zu", COMPARE_MOST,
                         o->engine_count);
    NEED(c, o->engines);
    for (size_t i = 0; i < o->engine_count; i++) {
        NEED(c, o->engines[i]);
        snprintf(c->all[i].engine, COMPARE_ENGINE, "%s", o->engines[i]);
        c->count++;
    }
    return CAROM_OK;
}

static carom_status keep_options(carom_compare *c, const carom_compare_options *o)
{
    if (o == NULL) return error_set(&c->message, CAROM_USAGE, "error: the argument `options` is NULL");
    NEED(c, o->scene);
    if (o->set_count > 0) NEED(c, o->sets);
    TRY(keep_engines(c, o));
    c->run = (carom_options){.threads = o->threads,
                             .progress = pass_progress,
                             .warning = o->warning != NULL ? pass_warning : NULL,
                             .user = c};
    c->progress = o->progress;
    c->warning = o->warning;
    c->user = o->user;
    c->path = memory_text(o->scene);
    c->length = o->length;
    c->text = o->text != NULL ? memory_new(o->length + 1, 1) : NULL;
    c->sets = NEW_ARRAY(o->set_count, char *);
    if (c->path == NULL || (o->text != NULL && c->text == NULL) || c->sets == NULL)
        return error_memory(&c->message, "a comparison", o->length);
    if (c->text != NULL) memcpy(c->text, o->text, o->length);
    for (size_t i = 0; i < o->set_count; i++) {
        NEED(c, o->sets[i]);
        c->sets[i] = memory_text(o->sets[i]);
        if (c->sets[i] == NULL) return error_memory(&c->message, "an override", strlen(o->sets[i]));
        c->set_count++;
    }
    return CAROM_OK;
}

carom_status carom_compare_new(carom_compare **out, const carom_compare_options *options)
{
    if (out == NULL) return CAROM_USAGE;
    carom_compare *c = NEW_ARRAY(1, carom_compare);
    *out = c;
    if (c == NULL) return CAROM_INTERNAL;
    carom_status status = keep_options(c, options);
    if (status == CAROM_OK) status = load_all(c);
    return guard_made(&c->guard, status);
}

void carom_compare_free(carom_compare *c)
{
    if (c == NULL || c->guard.busy) return;
    for (size_t i = 0; i < c->count; i++) {
        json_decref(c->all[i].read);
        memory_free(c->all[i].summary);
        carom_scene_free(c->all[i].scene);
    }
    for (size_t i = 0; i < c->set_count; i++) memory_free(c->sets[i]);
    memory_free(c->sets);
    memory_free(c->path);
    memory_free(c->text);
    error_clear(&c->message);
    memory_free(c);
}

const char *carom_compare_message(const carom_compare *c)
{
    return c != NULL ? error_text(&c->message) : "error: out of memory";
}

/* The thread of the run passes the request on: a simulation may be freed at any moment by that thread. */
void carom_compare_request_stop(carom_compare *c)
{
    if (c != NULL) atomic_store(&c->stop_requested, 1);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static carom_status make(carom_compare *c, engine_run *one, const char *observe)
{
    carom_sim_free(c->sim);
    c->sim = NULL;
    TRY(load_for(c, one, observe));
    const carom_status status = carom_sim_new(&c->sim, one->scene, &c->run);
    return status == CAROM_OK ? status : error_set(&c->message, status, "%s", carom_sim_message(c->sim));
}

/* With the observables that are possible: no pressure in open boxes, no collision rate if all contacts merge. */
static carom_status prepare(carom_compare *c, engine_run *one)
{
    text_buffer observe = {0};
    carom_status status = narrow_observe(one->scene, &observe, &c->message);
    if (status == CAROM_OK) status = make(c, one, observe.data);
    text_free(&observe);
    return status == CAROM_BAD_DATA ? make(c, one, "observe=[]") : status;
}

static carom_status keep_summary(carom_compare *c, engine_run *one)
{
    memory_free(one->summary);
    json_decref(one->read);
    one->summary = carom_sim_summary(c->sim);
    one->read = one->summary != NULL ? json_loads(one->summary, 0, NULL) : NULL;
    return one->read != NULL ? CAROM_OK : error_memory(&c->message, "a summary", 1 << 14);
}

static carom_status run(carom_compare *c)
{
    pass_request(c);
    error_clear(&c->message);
    const carom_status status = carom_sim_run(c->sim);
    if (carom_sim_message(c->sim)[0] != '\0') error_set(&c->message, status, "%s", carom_sim_message(c->sim));
    return status;
}

carom_status carom_compare_run(carom_compare *c, size_t index)
{
    ENTER(c, "there is no comparison");
    error_clear(&c->message);
    if (index >= c->count)
        return error_set(&c->message, CAROM_USAGE, "error: there is no engine number %zu: there are %zu", index,
                         c->count);
    c->guard.busy = true; /* callbacks */
    carom_status status = prepare(c, &c->all[index]), kept = CAROM_OK;
    if (status == CAROM_OK) {
        status = run(c);
        kept = keep_summary(c, &c->all[index]);
    }
    atomic_store(&c->stop_requested, 0);
    carom_sim_free(c->sim);
    c->sim = NULL;
    c->guard.busy = false;
    return status == CAROM_OK ? kept : status;
}

const char *carom_compare_summary(const carom_compare *c, size_t index)
{
    return USABLE(c) && index < c->count ? c->all[index].summary : NULL;
}

/* {"runs": [summary, ...]}, in the order of the engines. */
static carom_status compare_json(const carom_compare *c, char **out, error *e)
{
    text_buffer text = {0};
    text_add(&text, "{\"runs\": [");
    for (size_t i = 0; i < c->count; i++) {
        const char *summary = c->all[i].summary != NULL ? c->all[i].summary : "null";
        text_add(&text, "%s\n", i > 0 ? "," : "");
        text_add_bytes(&text, summary, strlen(summary));
    }
    text_add(&text, "\n]}");
    *out = text.data;
    if (!text.failed) return CAROM_OK;
    text_free(&text);
    *out = NULL;
    return error_memory(e, "a report", text.capacity);
}

carom_status carom_compare_report(carom_compare *c, bool json, char **out)
{
    if (out != NULL) *out = NULL;
    ENTER(c, "there is no comparison");
    NEED(c, out);
    error_clear(&c->message);
    return json ? compare_json(c, out, &c->message) : compare_table(c, out, &c->message);
}
