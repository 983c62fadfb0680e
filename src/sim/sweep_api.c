/* carom_sweep_*: a sweep, and its scene checked at every point. */
#include "base/hash.h"
#include "base/memory.h"
#include "sim/guard.h"
#include "sim/scene_api.h"
#include "sim/sim.h"
#include "sim/summary_paths.h"
#include "sweep/sweep.h"

#include <string.h>

struct carom_sweep {
    guard guard;
    sweep *checked; /* NULL before a successful load */
    char **usual;   /* measures if the sweep lists none */
    size_t usual_count;
    char *record;
    uint64_t *inputs; /* [point_count] */
    bool *possible;   /* [measure_count]: some point can measure it */
    error message;
};

carom_sweep *carom_sweep_new(void)
{
    return NEW_ARRAY(1, carom_sweep);
}

static void unload(carom_sweep *loaded)
{
    for (size_t i = 0; i < loaded->usual_count; i++) memory_free(loaded->usual[i]);
    memory_free(loaded->usual);
    memory_free(loaded->record);
    memory_free(loaded->inputs);
    memory_free(loaded->possible);
    sweep_free(loaded->checked);
    error_clear(&loaded->message);
    *loaded = (carom_sweep){0};
}

void carom_sweep_free(carom_sweep *loaded)
{
    if (loaded == NULL) return;
    unload(loaded);
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

/* The seed is not part of the record: other seeds do not make another sweep. */
static carom_status set_point(carom_scene *at, const sweep *s, size_t point, error *e)
{
    for (size_t i = 0; i < s->parameter_count; i++)
        TRY(set_key(at, s->parameters[i].name, sweep_value_at(s, point, i)->yaml, e));
    return set_key(at, "seed", "0", e);
}

/* If the scene file cannot be read, the message does not name the point. */
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

/* Points differ in their possible measures only if a parameter changes the engine or the observables. */
static bool varies(const sweep *s)
{
    for (size_t i = 0; i < s->parameter_count; i++)
        if (strncmp(s->parameters[i].name, "engine", 6) == 0 || strncmp(s->parameters[i].name, "observe", 7) == 0)
            return true;
    return false;
}

/* Notes the measures that the summary of a run at this point will have. */
static carom_status find_measures(carom_sweep *loaded, const scene *at)
{
    const sweep *s = loaded->checked;
    text_buffer paths = {0};
    bool missing = false;
    if (loaded->possible == NULL) loaded->possible = NEW_ARRAY(s->measure_count, bool);
    if (loaded->possible == NULL) return error_memory(&loaded->message, "measures", s->measure_count);
    for (size_t i = 0; i < s->measure_count; i++) missing = missing || !loaded->possible[i];
    carom_status status = missing ? summary_paths(at, &paths, &loaded->message) : CAROM_OK;
    const bool unknown = status != CAROM_OK && status != CAROM_INTERNAL; /* the run will report the error */
    if (unknown) error_clear(&loaded->message);
    for (size_t i = 0; i < s->measure_count && missing; i++)
        loaded->possible[i] = loaded->possible[i] || unknown || summary_paths_have(&paths, s->measures[i]);
    text_free(&paths);
    return unknown ? CAROM_OK : status;
}

/* The observable of the first part of a measure, if the scene could have it and does not; else NULL. */
static const char *not_observed(const scene *s, const text_buffer *paths, const char *measure)
{
    static const char below[] = "observables.";
    if (strncmp(measure, below, strlen(below)) == 0) measure += strlen(below);
    const size_t length = strcspn(measure, ".");
    for (size_t k = 0; k < s->observe_count; k++)
        if (strlen(s->observe[k].name) == length && strncmp(s->observe[k].name, measure, length) == 0) return NULL;
    for (const char *line = paths->data; line != NULL && *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strcspn(line, ".\t\n") == length && strncmp(line, measure, length) == 0) return NULL;
    for (size_t k = 0; k < observable_count; k++) {
        const char *name = observables[k]->settings->name;
        if (strlen(name) == length && strncmp(name, measure, length) == 0) return name;
    }
    return NULL;
}

/* The measures that exist at no point, with the nearest one of the first point. */
static carom_status refuse_measures(carom_sweep *loaded, const scene *first)
{
    const sweep *s = loaded->checked;
    text_buffer paths = {0};
    carom_status status = summary_paths(first, &paths, &loaded->message);
    for (size_t i = 0; i < s->measure_count && status == CAROM_OK; i++) {
        if (loaded->possible[i]) continue;
        char *near = summary_paths_near(&paths, s->measures[i]);
        const char *absent = not_observed(first, &paths, s->measures[i]);
        if (absent != NULL)
            scene_refuse(s->measures_at[i], &loaded->message,
                         "measure: '%s' belongs to an observable that the scene does not have; add {what: %s} to "
                         "`observe`",
                         s->measures[i], absent);
        else if (near != NULL)
            scene_refuse(s->measures_at[i], &loaded->message,
                         "measure: the summary of a run has no number or word at '%s'; did you mean '%s'?",
                         s->measures[i], near);
        else
            scene_refuse(s->measures_at[i], &loaded->message,
                         "measure: the summary of a run has no number or word at '%s'; docs/formats.md lists its "
                         "contents",
                         s->measures[i]);
        memory_free(near);
    }
    text_free(&paths);
    return status == CAROM_OK ? loaded->message.status : status;
}

static bool all_possible(const carom_sweep *loaded)
{
    for (size_t i = 0; i < loaded->checked->measure_count; i++)
        if (!loaded->possible[i]) return false;
    return true;
}

/* Loads the scene of a point; adds the resolved scene to *hash. */
static carom_status check_point(carom_sweep *loaded, size_t point, uint64_t *hash, char **first_resolved)
{
    const sweep *s = loaded->checked;
    carom_scene *at = carom_scene_new();
    if (at == NULL) return error_memory(&loaded->message, "a scene", sizeof *at);
    carom_status status = set_point(at, s, point, &loaded->message);
    if (status == CAROM_OK) {
        status = carom_scene_load(at, s->scene);
        if (status == CAROM_USAGE) status = CAROM_BAD_DATA; /* the override is in the file of the sweep */
        if (status != CAROM_OK) refuse_point(loaded, at, point, status);
    }
    if (status == CAROM_OK) {
        const char *resolved = carom_scene_resolved(at);
        *hash = hash_bytes(*hash, resolved, strlen(resolved));
        loaded->inputs[point] = inputs_hash(at->checked);
        if (point == 0) {
            *first_resolved = memory_text(resolved);
            status = *first_resolved != NULL ? find_usual(loaded, at->checked)
                                             : error_memory(&loaded->message, "a scene", strlen(resolved));
        }
    }
    const bool last = point + 1 == s->point_count;
    if (status == CAROM_OK && s->measure_count > 0 && (point == 0 || varies(s)))
        status = find_measures(loaded, at->checked);
    if (status == CAROM_OK && s->measure_count > 0 && (last || !varies(s)) && !all_possible(loaded))
        status = refuse_measures(loaded, at->checked);
    carom_scene_free(at);
    return status;
}

carom_status carom_sweep_load(carom_sweep *loaded, const char *path)
{
    char *first = NULL;
    uint64_t hash = HASH_START;
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, path);
    unload(loaded);
    carom_status status = sweep_read_file(&loaded->checked, path, &loaded->message);
    if (status == CAROM_OK) {
        loaded->inputs = NEW_ARRAY(loaded->checked->point_count, uint64_t);
        if (loaded->inputs == NULL) status = error_memory(&loaded->message, "a sweep", loaded->checked->point_count);
    }
    for (size_t i = 0; status == CAROM_OK && i < loaded->checked->point_count; i++)
        status = check_point(loaded, i, &hash, &first);
    if (status == CAROM_OK) {
        loaded->record = sweep_record(loaded->checked, first, hash_finish(hash));
        if (loaded->record == NULL) status = error_memory(&loaded->message, "the record of a sweep", strlen(first));
    }
    memory_free(first);
    return guard_made(&loaded->guard, status);
}

const char *carom_sweep_message(const carom_sweep *loaded)
{
    return loaded != NULL ? error_text(&loaded->message) : "error: out of memory";
}

/* ---- asking ---- */

const char *carom_sweep_scene(const carom_sweep *loaded)
{
    return USABLE(loaded) ? loaded->checked->scene : NULL;
}

bool carom_sweep_keeps_results(const carom_sweep *loaded)
{
    return USABLE(loaded) && loaded->checked->keep == 0;
}

size_t carom_sweep_point_count(const carom_sweep *loaded)
{
    return USABLE(loaded) ? loaded->checked->point_count : 0;
}

size_t carom_sweep_seed_count(const carom_sweep *loaded)
{
    return USABLE(loaded) ? loaded->checked->seed_count : 0;
}

uint64_t carom_sweep_seed(const carom_sweep *loaded, size_t index)
{
    return index < carom_sweep_seed_count(loaded) ? loaded->checked->seeds[index] : 0;
}

size_t carom_sweep_parameter_count(const carom_sweep *loaded)
{
    return USABLE(loaded) ? loaded->checked->parameter_count : 0;
}

const char *carom_sweep_parameter(const carom_sweep *loaded, size_t parameter)
{
    return parameter < carom_sweep_parameter_count(loaded) ? loaded->checked->parameters[parameter].name : NULL;
}

/* NULL if there is no such point or parameter. */
static const sweep_value *value_at(const carom_sweep *loaded, size_t point, size_t parameter)
{
    if (point >= carom_sweep_point_count(loaded) || parameter >= carom_sweep_parameter_count(loaded)) return NULL;
    return sweep_value_at(loaded->checked, point, parameter);
}

const char *carom_sweep_value(const carom_sweep *loaded, size_t point, size_t parameter)
{
    const sweep_value *v = value_at(loaded, point, parameter);
    return v != NULL ? v->text : NULL;
}

const char *carom_sweep_set(const carom_sweep *loaded, size_t point, size_t parameter)
{
    const sweep_value *v = value_at(loaded, point, parameter);
    return v != NULL ? v->yaml : NULL;
}

uint64_t carom_sweep_inputs(const carom_sweep *loaded, size_t point)
{
    return point < carom_sweep_point_count(loaded) ? loaded->inputs[point] : 0;
}

bool carom_sweep_measures_chosen(const carom_sweep *loaded)
{
    return USABLE(loaded) && loaded->checked->measure_count > 0;
}

size_t carom_sweep_measure_count(const carom_sweep *loaded)
{
    if (!USABLE(loaded)) return 0;
    return carom_sweep_measures_chosen(loaded) ? loaded->checked->measure_count : loaded->usual_count;
}

const char *carom_sweep_measure(const carom_sweep *loaded, size_t index)
{
    if (index >= carom_sweep_measure_count(loaded)) return NULL;
    return carom_sweep_measures_chosen(loaded) ? loaded->checked->measures[index] : loaded->usual[index];
}

const char *carom_sweep_record(const carom_sweep *loaded)
{
    return USABLE(loaded) ? loaded->record : NULL;
}

carom_status carom_sweep_difference(carom_sweep *loaded, const char *record, char **key)
{
    ENTER(loaded, "no sweep has been loaded");
    NEED(loaded, record);
    NEED(loaded, key);
    return scene_text_difference(record, loaded->record, key, &loaded->message);
}
