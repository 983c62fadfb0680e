/* Results of `carom check` as one JSON object. Keys are those of the summary of a run, with the same meaning. */
#include "sim/guard.h"
#include "sim/json_values.h"
#include "sim/scene_api.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* "" for text that is not valid in JSON. */
static json_t *word(const char *text)
{
    json_t *made = json_string(text);
    return made != NULL ? made : json_string("");
}

static json_t *step_object(const carom_step *step, size_t dimension)
{
    json_t *object = json_object(), *particles = json_array();
    json_object_set_new(object, "kind", word(step->kind));
    json_object_set_new(object, "step", json_number(step->step));
    json_object_set_new(object, "bound", step->bound > 0 ? json_number(step->bound) : json_null());
    json_object_set_new(object, "elements", json_count(step->elements));
    json_object_set_new(object, "element", step->element[0] != '\0' ? word(step->element) : json_null());
    for (int k = 0; k < step->particle_count; k++) json_array_append_new(particles, json_count(step->particles[k]));
    json_object_set_new(object, "particles", particles);
    json_object_set_new(object, "position",
                        isnan(step->position[0]) ? json_null() : json_numbers_of(step->position, dimension));
    json_object_set_new(object, "outliers", json_count(step->outliers));
    if (step->source[0] != '\0') json_object_set_new(object, "source", word(step->source));
    json_object_set_new(object, "excess", json_number(step->excess));
    return object;
}

/* Each line of a text. */
static void put_lines(json_t *list, const char *text)
{
    while (*text != '\0') {
        const char *end = strchr(text, '\n');
        const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        json_array_append_new(list, json_stringn(text, length));
        text += length + (end != NULL);
    }
}

static void put_steps(json_t *to, const carom_scene *loaded)
{
    json_t *steps = json_array(), *warnings = json_array();
    const size_t dimension = (size_t)loaded->estimate.dimension;
    for (size_t n = 0; n < loaded->steps.count; n++) {
        const carom_step *step = &loaded->steps.at[n];
        json_array_append_new(steps, step_object(step, dimension));
        if (step->warning[0] != '\0') json_array_append_new(warnings, word(step->warning));
    }
    put_lines(warnings, error_text(&loaded->forecast));
    json_object_set_new(to, "steps", steps);
    json_object_set_new(to, "warnings", warnings);
}

static json_t *cost_object(const carom_cost *cost)
{
    json_t *object = json_object();
    json_object_set_new(object, "events", cost->events >= 0 ? json_number(cost->events) : json_null());
    json_object_set_new(object, "wall_s", cost->wall_s >= 0 ? json_number(cost->wall_s) : json_null());
    json_object_set_new(object, "events_per_s", json_number(cost->events_per_s));
    json_object_set_new(object, "trial_time", json_number(cost->trial_time));
    json_object_set_new(object, "trial_s", json_number(cost->trial_s));
    json_object_set_new(object, "whole", json_boolean(cost->whole));
    json_object_set_new(object, "fails", json_boolean(cost->fails));
    return object;
}

static json_t *report(const carom_scene *loaded, const carom_cost *cost)
{
    const scene *s = loaded->checked;
    const carom_estimate *e = &loaded->estimate;
    json_t *object = json_object();
    json_object_set_new(object, "carom", json_string(carom_version()));
    json_object_set_new(object, "engine", json_string(engine_of(s)->settings->name));
    json_object_set_new(object, "scene", word(s->source));
    json_object_set_new(object, "title", word(s->title != NULL ? s->title : ""));
    json_object_set_new(object, "seed", json_seed(s->seed));
    json_object_set_new(object, "particles", json_count(e->particles));
    if (e->vertices > 0) json_object_set_new(object, "vertices", json_count(e->vertices));
    json_object_set_new(object, "dimension", json_integer(e->dimension));
    json_object_set_new(object, "box", json_numbers_of(e->box, (size_t)e->dimension));
    json_object_set_new(object, "packing_fraction", json_number(e->packing_fraction));
    json_object_set_new(object, "memory_bytes", json_count(e->memory_bytes));
    json_object_set_new(object, "frame_bytes", json_count(e->frame_bytes));
    json_object_set_new(object, "frames", e->frames > 0 ? json_count(e->frames) : json_null());
    json_put_repairs(object, s);
    put_steps(object, loaded);
    json_object_set_new(object, "cost", cost != NULL ? cost_object(cost) : json_null());
    return object;
}

carom_status carom_scene_report(carom_scene *loaded, const carom_cost *cost, char **json)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, json);
    *json = NULL;
    if (loaded->estimate.dimension == 0)
        return error_set(&loaded->message, CAROM_USAGE, "error: no scene has been checked");
    json_t *object = report(loaded, cost);
    *json = json_written(object);
    json_decref(object);
    return *json != NULL ? CAROM_OK : error_memory(&loaded->message, "the report", 0);
}
