#include "output/results/info_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A failed allocation makes a value NULL; adding it then fails and sets `failed`. */
typedef struct object {
    json_t *json;
    bool failed;
} object;

static void set(object *o, const char *key, json_t *value)
{
    if (json_object_set_new(o->json, key, value) != 0) o->failed = true;
}

/* JSON has no infinity and no NaN: they become null. */
static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Files may contain bytes that are not UTF-8. */
static json_t *text(const char *value)
{
    json_t *json = json_string(value);
    return json != NULL ? json : json_string("");
}

static void push(json_t *array, json_t *value, bool *failed)
{
    if (json_array_append_new(array, value) != 0) *failed = true;
}

static json_t *numbers(const double *values, size_t count, bool *failed)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) push(array, real(values[i]), failed);
    return array;
}

/* A number for width 1, else an array. */
static json_t *number_or_array(const double *values, size_t width, bool *failed)
{
    return width == 1 ? real(values[0]) : numbers(values, width, failed);
}

static json_t *value_json(const reader_value *v, bool *failed)
{
    object o = {json_object(), false};
    set(&o, "mean", number_or_array(v->mean, v->width, failed));
    set(&o, "error", number_or_array(v->error, v->width, failed));
    set(&o, "converged", json_boolean(v->converged));
    set(&o, "quantity", text(v->quantity));
    if (v->setting) set(&o, "setting", json_true());
    *failed = *failed || o.failed;
    return o.json;
}

static json_t *table_json(const reader_table *t, bool *failed)
{
    object o = {json_object(), false};
    json_t *columns = json_array();
    for (size_t i = 0; i < t->column_count; i++) push(columns, text(t->columns[i].name), failed);
    set(&o, "series", json_boolean(t->series));
    set(&o, "rows", json_integer((json_int_t)t->rows));
    set(&o, "columns", columns);
    *failed = *failed || o.failed;
    return o.json;
}

static json_t *observable_json(const reader_observable *given, bool *failed)
{
    object o = {json_object(), false}, values = {json_object(), false}, tables = {json_object(), false};
    for (size_t i = 0; i < given->value_count; i++)
        set(&values, given->values[i].name, value_json(&given->values[i], failed));
    for (size_t i = 0; i < given->table_count; i++)
        set(&tables, given->tables[i].name, table_json(&given->tables[i], failed));
    set(&o, "what", text(given->what));
    set(&o, "values", values.json);
    set(&o, "tables", tables.json);
    *failed = *failed || o.failed || values.failed || tables.failed;
    return o.json;
}

static json_t *events_json(const uint64_t events[EVENT_KINDS], bool *failed)
{
    object o = {json_object(), false};
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        set(&o, event_kind_names[kind], json_integer((json_int_t)events[kind]));
    set(&o, "total", json_integer((json_int_t)events_total(events)));
    *failed = *failed || o.failed;
    return o.json;
}

static json_t *boundary_json(const result_about *about, bool *failed)
{
    static const char *const words[] = {"periodic", "wall", "open"};
    json_t *array = json_array();
    for (int k = 0; k < about->dimension; k++) push(array, text(words[about->boundary[k]]), failed);
    return array;
}

static carom_status dump(object *o, char **out, error *e)
{
    char *dumped = o->failed ? NULL : json_dumps(o->json, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(o->json);
    *out = dumped != NULL ? memory_text(dumped) : NULL;
    free(dumped);
    return *out != NULL ? CAROM_OK : error_memory(e, "a report", 1 << 16);
}

/* Values of the channels that only some results have; for an array, its reduction over all bodies. */
static json_t *channels_json(const result_about *about, const carom_frame *last, bool *failed)
{
    object o = {json_object(), false};
    const frame_row row = frame_row_of(last);
    double value[CHANNEL_NUMBERS_MOST];
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!about->has[i] || c->required) continue;
        const bool numbers = c->kind == CHANNEL_NUMBERS;
        const size_t width = numbers ? channel_width(c, about->dimension) : 1;
        for (size_t k = 0; numbers && k < width; k++) value[k] = channel_value(c, (const char *)&row + c->offset, k);
        if (!numbers) value[0] = channel_reduced(c, last);
        set(&o, c->name, number_or_array(value, width, failed));
    }
    *failed = *failed || o.failed;
    return o.json;
}

static void describe(object *o, const result_about *about, const carom_frame *last)
{
    static const double no_box[3];
    bool failed = false;
    set(o, "title", text(about->title));
    set(o, "engine", text(about->engine));
    set(o, "carom", text(about->version));
    set(o, "commit", text(about->commit));
    set(o, "scene", text(about->scene));
    set(o, "flags", text(about->flags));
    set(o, "seed", json_integer((json_int_t)about->seed));
    set(o, "threads", json_integer(about->threads));
    set(o, "dimension", json_integer(about->dimension));
    set(o, "particles", json_integer((json_int_t)about_particles(about)));
    if (about->vertices > 0) set(o, "vertices", json_integer((json_int_t)about->vertices));
    if (ABOUT_HAS(about, axis)) set(o, ABOUT_HAS(about, shape) ? "shapes" : "ellipsoids", json_true());
    if (ABOUT_HAS(about, inertia) && !ABOUT_HAS(about, axis)) set(o, "rough", json_true());
    set(o, "box", numbers(last != NULL ? last->box : no_box, (size_t)about->dimension, &failed));
    set(o, "boundary", boundary_json(about, &failed));
    set(o, "frames", json_integer((json_int_t)about->frames));
    set(o, "time", real(about->time));
    set(o, "stop", text(about->stop));
    set(o, "being_written", json_boolean(about->live));
    set(o, "events", events_json(about->events, &failed));
    if (about->events_stored) set(o, "recorded_events", json_integer((json_int_t)about->event_rows));
    set(o, "state_hash", text(about->state_hash));
    set(o, "bytes", json_integer((json_int_t)about->bytes));
    json_t *channels = last != NULL ? channels_json(about, last, &failed) : NULL;
    if (json_object_size(channels) > 0) set(o, "last_frame", json_incref(channels));
    json_decref(channels);
    o->failed = o->failed || failed;
}

static json_t *body_json(const result_solid *s, bool *failed)
{
    object o = {json_object(), false};
    json_t *inertia = json_array();
    for (int p = 0; p < 3; p++) push(inertia, numbers(s->inertia + 3 * p, 3, failed), failed);
    set(&o, "mass", real(s->mass));
    set(&o, "volume", real(s->volume));
    set(&o, "centre", numbers(s->centre, 3, failed));
    set(&o, "inertia", inertia);
    *failed = *failed || o.failed;
    return o.json;
}

static json_t *clump_json(const result_clump *c, bool *failed)
{
    object o = {json_object(), false};
    set(&o, "count", json_integer((json_int_t)c->copies));
    set(&o, "spheres", json_integer((json_int_t)c->motion.count));
    set(&o, "mass", real(c->mass));
    set(&o, "volume", real(c->volume));
    *failed = *failed || o.failed;
    return o.json;
}

/* Repaired meshes, bodies made of meshes, and clumps. */
static void describe_links(object *to, const result_links *links, bool *failed)
{
    object repairs = {json_object(), false}, bodies = {json_object(), false}, clumps = {json_object(), false};
    for (size_t k = 0; k < links->meshes; k++)
        if (links->mesh[k].repairs != NULL) set(&repairs, links->mesh[k].name, text(links->mesh[k].repairs));
    for (size_t k = 0; k < links->solids; k++) set(&bodies, links->solid[k].name, body_json(&links->solid[k], failed));
    for (size_t k = 0; k < links->clumps; k++) set(&clumps, links->clump[k].name, clump_json(&links->clump[k], failed));
    if (json_object_size(repairs.json) > 0) set(to, "repairs", json_incref(repairs.json));
    if (json_object_size(bodies.json) > 0) set(to, "bodies", json_incref(bodies.json));
    if (json_object_size(clumps.json) > 0) set(to, "clumps", json_incref(clumps.json));
    json_decref(clumps.json);
    json_decref(repairs.json);
    json_decref(bodies.json);
    *failed = *failed || repairs.failed || bodies.failed || clumps.failed;
}

carom_status info_result_json(const reader *r, const result_links *links, const carom_frame *last, char **out, error *e)
{
    const result_about *about = reader_about(r);
    object o = {json_object(), false}, observables_object = {json_object(), false};
    bool failed = false;
    set(&o, "file", text(reader_path(r)));
    set(&o, "what", text("result"));
    describe(&o, about, last);
    describe_links(&o, links, &failed);
    for (size_t i = 0; i < about->observable_count; i++)
        set(&observables_object, about->observables[i].name, observable_json(&about->observables[i], &failed));
    set(&o, "observables", observables_object.json);
    if (about->summary[0] != '\0') {
        json_t *summary = json_loads(about->summary, 0, NULL);
        set(&o, "summary", summary != NULL ? summary : text(about->summary));
    }
    o.failed = o.failed || failed || observables_object.failed;
    return dump(&o, out, e);
}

carom_status info_checkpoint_json(const checkpoint *c, const char *path, char **out, error *e)
{
    object o = {json_object(), false};
    set(&o, "file", text(path));
    set(&o, "what", text("checkpoint"));
    set(&o, "title", text(c->title));
    set(&o, "engine", text(c->engine));
    set(&o, "carom", text(c->version));
    set(&o, "commit", text(c->commit));
    set(&o, "scene", text(c->scene));
    set(&o, "particles", json_integer((json_int_t)c->particles));
    set(&o, "time", real(c->time));
    set(&o, "events", json_integer((json_int_t)c->events));
    set(&o, "collisions", json_integer((json_int_t)c->collisions));
    set(&o, "frames", json_integer(c->length_count > 0 ? (json_int_t)c->lengths[0] : 0));
    return dump(&o, out, e);
}
