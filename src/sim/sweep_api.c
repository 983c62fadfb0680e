/* carom_sweep_*: a sweep, and its scene checked at every point. */
#include "base/hash.h"
#include "base/memory.h"
#include "sim/scene_api.h"
#include "sweep/sweep.h"

#include <string.h>

struct carom_sweep {
    sweep *checked; /* NULL before a successful load */
    char **usual;   /* measures where the sweep lists none */
    size_t usual_count;
    char *record;
    error message;
};

carom_sweep *carom_sweep_new(void)
{
    return NEW_ARRAY(1, carom_sweep);
}

static void forget(carom_sweep *loaded)
{
    for (size_t i = 0; i < loaded->usual_count; i++) memory_free(loaded->usual[i]);
    memory_free(loaded->usual);
    memory_free(loaded->record);
    sweep_free(loaded->checked);
    error_clear(&loaded->message);
    *loaded = (carom_sweep){0};
}

void carom_sweep_free(carom_sweep *loaded)
{
    if (loaded == NULL) return;
    forget(loaded);
    memory_free(loaded);
}

/* ---- loading ---- */

static carom_status set_key(carom_scene *at, const char *key, const char *value, error *e)
{
    char *set = memory_format("%s=%s", key, value);
    if (set == NULL) return error_memory(e, "an override", strlen(value));
    carom_status status = carom_scene_set(at, set);
    memory_free(set);
    return status;
}

/* The seed is none of the sweep's: which seeds there are makes no other sweep of it. */
static carom_status set_point(carom_scene *at, const sweep *s, size_t point, error *e)
{
    for (size_t i = 0; i < s->parameter_count; i++)
        TRY(set_key(at, s->parameters[i].name, sweep_value_at(s, point, i)->yaml, e));
    return set_key(at, "seed", "0", e);
}

/* Where the scene cannot be had at all, the point does not matter. */
static void refuse_point(carom_sweep *loaded, const carom_scene *at, size_t point, carom_status status)
{
    const sweep *s = loaded->checked;
    error *e = &loaded->message;
    bool anywhere = s->parameter_count == 0 || status == CAROM_NO_INPUT;
    error_set(e, status, "%s: error: its scene cannot run%s", s->source, anywhere ? "" : " with");
    for (size_t i = 0; !anywhere && i < s->parameter_count; i++)
        error_add(e, status, "    %s: %s", s->parameters[i].name, sweep_value_at(s, point, i)->text);
    error_add(e, status, "%s", carom_scene_message(at));
}

static carom_status find_usual(carom_sweep *loaded, const scene *first)
{
    static const char *const always[] = {"stop", "time", "events.total", "cpu_s"};
    size_t count = sizeof always / sizeof *always;
    loaded->usual = NEW_ARRAY(count + first->observe_count, char *);
    if (loaded->usual == NULL) return error_memory(&loaded->message, "measures", first->observe_count * sizeof(char *));
    for (size_t i = 0; i < count + first->observe_count; i++) {
        char *path =
            i < count ? memory_text(always[i]) : memory_format("observables.%s.mean", first->observe[i - count].name);
        if (path == NULL) return error_memory(&loaded->message, "measures", 64);
        loaded->usual[loaded->usual_count++] = path;
    }
    return CAROM_OK;
}

/* Loads the scene of a point; *hash takes in what it resolves to. */
static carom_status check_point(carom_sweep *loaded, size_t point, uint64_t *hash, char **first_resolved)
{
    const sweep *s = loaded->checked;
    carom_scene *at = carom_scene_new();
    if (at == NULL) return error_memory(&loaded->message, "a scene", sizeof *at);
    carom_status status = set_point(at, s, point, &loaded->message);
    if (status == CAROM_OK) {
        status = carom_scene_load(at, s->scene);
        if (status == CAROM_USAGE) status = CAROM_BAD_DATA; /* the override stands in a file */
        if (status != CAROM_OK) refuse_point(loaded, at, point, status);
    }
    if (status == CAROM_OK) {
        const char *resolved = carom_scene_resolved(at);
        *hash = hash_bytes(*hash, resolved, strlen(resolved));
        if (point == 0) {
            *first_resolved = memory_text(resolved);
            status = *first_resolved != NULL ? find_usual(loaded, at->checked)
                                             : error_memory(&loaded->message, "a scene", strlen(resolved));
        }
    }
    carom_scene_free(at);
    return status;
}

carom_status carom_sweep_load(carom_sweep *loaded, const char *path)
{
    char *first = NULL;
    uint64_t hash = HASH_START;
    forget(loaded);
    carom_status status = sweep_read_file(&loaded->checked, path, &loaded->message);
    for (size_t i = 0; status == CAROM_OK && i < loaded->checked->point_count; i++)
        status = check_point(loaded, i, &hash, &first);
    if (status == CAROM_OK) {
        loaded->record = sweep_record(loaded->checked, first, hash_finish(hash));
        if (loaded->record == NULL) status = error_memory(&loaded->message, "the record of a sweep", strlen(first));
    }
    memory_free(first);
    return status;
}

const char *carom_sweep_message(const carom_sweep *loaded)
{
    return error_text(&loaded->message);
}

/* ---- asking ---- */

const char *carom_sweep_scene(const carom_sweep *loaded)
{
    return loaded->checked->scene;
}

bool carom_sweep_keeps_results(const carom_sweep *loaded)
{
    return loaded->checked->keep == 0;
}

size_t carom_sweep_point_count(const carom_sweep *loaded)
{
    return loaded->checked->point_count;
}

size_t carom_sweep_seed_count(const carom_sweep *loaded)
{
    return loaded->checked->seed_count;
}

uint64_t carom_sweep_seed(const carom_sweep *loaded, size_t index)
{
    return loaded->checked->seeds[index];
}

size_t carom_sweep_parameter_count(const carom_sweep *loaded)
{
    return loaded->checked->parameter_count;
}

const char *carom_sweep_parameter(const carom_sweep *loaded, size_t parameter)
{
    return loaded->checked->parameters[parameter].name;
}

const char *carom_sweep_value(const carom_sweep *loaded, size_t point, size_t parameter)
{
    return sweep_value_at(loaded->checked, point, parameter)->text;
}

const char *carom_sweep_set(const carom_sweep *loaded, size_t point, size_t parameter)
{
    return sweep_value_at(loaded->checked, point, parameter)->yaml;
}

bool carom_sweep_measures_chosen(const carom_sweep *loaded)
{
    return loaded->checked->measure_count > 0;
}

size_t carom_sweep_measure_count(const carom_sweep *loaded)
{
    return carom_sweep_measures_chosen(loaded) ? loaded->checked->measure_count : loaded->usual_count;
}

const char *carom_sweep_measure(const carom_sweep *loaded, size_t index)
{
    return carom_sweep_measures_chosen(loaded) ? loaded->checked->measures[index] : loaded->usual[index];
}

const char *carom_sweep_record(const carom_sweep *loaded)
{
    return loaded->record;
}

carom_status carom_sweep_difference(carom_sweep *loaded, const char *record, char **key)
{
    return scene_text_difference(record, loaded->record, key, &loaded->message);
}
