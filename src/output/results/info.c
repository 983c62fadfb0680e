#include "output/results/info.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "measure/shape.h"
#include "output/results/info_json.h"

static const char *const boundary_words[] = {"periodic", "wall", "open"};

static void line(text_buffer *t, const char *key, const char *value)
{
    if (value[0] != '\0') text_add(t, "%-14s%s\n", key, value);
}

static void count(text_buffer *t, const char *key, uint64_t value)
{
    text_add(t, "%-14s%" PRIu64 "\n", key, value);
}

static void number(text_buffer *t, const char *key, double value)
{
    text_add(t, "%-14s", key);
    text_add_number(t, value);
    text_add(t, "\n");
}

static void size(text_buffer *t, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    unsigned unit = 0;
    uint64_t whole = bytes;
    for (; whole >= 10000 && unit < 4; unit++) whole /= 1000;
    text_add(t, "%-14s%" PRIu64 " %s\n", "size", whole, units[unit]);
}

static void name_stop(text_buffer *t, const result_about *about)
{
    bool ended = strcmp(about->stop, "none") != 0;
    line(t, "stop",
         ended         ? about->stop
         : about->live ? "none: still running, or killed; continue with --resume"
                       : "none: stopped before its end; continue with --resume");
}

static void add_box(text_buffer *t, const result_about *about, const double box[3])
{
    text_add(t, "%-14s", "box");
    for (int k = 0; k < about->dimension; k++) {
        text_add(t, "%s", k > 0 ? " x " : "");
        text_add_number(t, box[k]);
    }
    for (int k = 0; k < about->dimension; k++)
        text_add(t, "%s%s", k > 0 ? ", " : "  (", boundary_words[about->boundary[k]]);
    text_add(t, ")\n");
}

static void add_events(text_buffer *t, const result_about *about)
{
    text_add(t, "%-14s%" PRIu64, "events", events_total(about->events));
    const char *before = "  (";
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        if (about->events[kind] == 0) continue;
        text_add(t, "%s%s %" PRIu64, before, event_kind_names[kind], about->events[kind]);
        before = ", ";
    }
    text_add(t, "%s\n", before[0] == ',' ? ")" : "");
}

enum { MEAN_DIGITS = 8, ERROR_DIGITS = 2 };

static void add_value(text_buffer *t, const reader_observable *o, const reader_value *v)
{
    text_add(t, "  %s.%s = ", o->name, v->name);
    for (size_t k = 0; k < v->width; k++) {
        text_add(t, "%s", k > 0 ? "  " : "");
        text_add_rounded(t, v->mean[k], MEAN_DIGITS);
        if (v->setting) continue;
        text_add(t, " +- ");
        text_add_rounded(t, v->error[k], ERROR_DIGITS);
    }
    text_add(t, "%s\n",
             v->setting     ? "  (setting)"
             : v->converged ? ""
                            : "  (not converged: a transient, or too few samples)");
}

static void add_observable(text_buffer *t, const reader_observable *o)
{
    for (size_t i = 0; i < o->value_count; i++) add_value(t, o, &o->values[i]);
    for (size_t i = 0; i < o->table_count; i++) {
        const reader_table *table = &o->tables[i];
        text_add(t, "  %s/%s: %" PRIu64 " %s of", o->name, table->name, table->rows,
                 table->series ? "samples" : "rows");
        for (size_t c = 0; c < table->column_count; c++) text_add(t, "%s %s", c > 0 ? "," : "", table->columns[c].name);
        text_add(t, "\n");
    }
}

/* Bodies after `from` that are copies of the same: their names have a number after the same text and a point. */
static size_t count_copies(const result_links *links, size_t from)
{
    size_t k = from;
    const char *name = links->solid[from].name, *point = strrchr(name, '.');
    const size_t length = point != NULL ? (size_t)(point - name) + 1 : 0;
    while (length > 0 && k < links->solids && strncmp(links->solid[k].name, name, length) == 0) k++;
    return length > 0 ? k - from : 1;
}

/* The first of `count` copies stands for all. */
static void add_body(text_buffer *t, const result_solid *s, size_t count)
{
    double inertia[3][3], moment[3], axis[3][3];
    memcpy(inertia, s->inertia, sizeof inertia);
    shape_eigen(3, inertia, moment, axis);
    if (count > 1)
        text_add(t, "  %s to %s, %zu bodies, each: mass ", s[0].name, s[count - 1].name, count);
    else
        text_add(t, "  %s: mass ", s->name);
    text_add_number(t, s->mass);
    text_add(t, ", volume ");
    text_add_number(t, s->volume);
    text_add(t, ", principal moments of inertia");
    for (int k = 0; k < 3; k++) {
        text_add(t, " ");
        text_add_number(t, moment[k]);
    }
    text_add(t, "\n");
}

static void add_links(text_buffer *t, const result_links *links)
{
    bool repaired = false;
    for (size_t k = 0; k < links->meshes; k++) {
        if (links->mesh[k].repairs == NULL) continue;
        text_add(t, "%s  %s: %s\n", repaired ? "" : "meshes repaired\n", links->mesh[k].name, links->mesh[k].repairs);
        repaired = true;
    }
    if (links->solids > 0) text_add(t, "bodies\n");
    for (size_t k = 0, count; k < links->solids; k += count) {
        count = count_copies(links, k);
        add_body(t, &links->solid[k], count);
    }
    if (links->clumps > 0) text_add(t, "clumps\n");
    for (size_t k = 0; k < links->clumps; k++) {
        const result_clump *c = &links->clump[k];
        text_add(t, "  %s: %zu of %u spheres, mass ", c->name, c->copies, (unsigned)c->motion.count);
        text_add_number(t, c->mass);
        text_add(t, ", volume ");
        text_add_number(t, c->volume);
        text_add(t, "\n");
    }
}

/* Values of the channels that only some results have; for an array, its reduction over all bodies. */
static void add_channels(text_buffer *t, const result_about *about, const carom_frame *last)
{
    static const char *const over_bodies[] = {"", ", sum", ", maximum", ", mean"};
    const frame_row row = frame_row_of(last);
    bool begun = false;
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!about->has[i] || c->required) continue;
        const bool numbers = c->kind == CHANNEL_NUMBERS, reduced = !numbers && c->reduction != REDUCE_NONE;
        text_add(t, "%s  %s%s", begun ? "" : "last frame\n", c->name, reduced ? over_bodies[c->reduction] : "");
        begun = true;
        for (size_t k = 0; numbers && k < channel_width(c, about->dimension); k++) {
            text_add(t, "%s", k > 0 ? "  " : " = ");
            text_add_number(t, channel_value(c, (const char *)&row + c->offset, k));
        }
        if (reduced) text_add(t, " = ");
        if (reduced) text_add_number(t, channel_reduced(c, last));
        text_add(t, "%s\n", numbers || reduced ? "" : ": an array");
    }
}

/* last: NULL if there are no frames. */
static void write_result(text_buffer *t, const reader *r, const result_links *links, const carom_frame *last)
{
    const result_about *about = reader_about(r);
    line(t, "file", reader_path(r));
    line(t, "what", "result of carom");
    line(t, "title", about->title);
    line(t, "engine", about->engine);
    line(t, "carom", about->version);
    line(t, "commit", about->commit);
    count(t, "seed", about->seed);
    count(t, "dimension", (uint64_t)about->dimension);
    count(t, "particles", about_particles(about));
    if (about->vertices > 0) count(t, "mesh vertices", about->vertices);
    if (ABOUT_HAS(about, axis))
        line(t, ABOUT_HAS(about, shape) ? "shapes" : "ellipsoids", "their axes and angular velocities are stored");
    else if (ABOUT_HAS(about, inertia))
        line(t, "rough", "the particles rotate; their angular velocities are stored");
    if (last != NULL) add_box(t, about, last->box);
    count(t, "frames", about->frames);
    number(t, "time", about->time);
    name_stop(t, about);
    add_events(t, about);
    if (about->events_stored) count(t, "recorded", about->event_rows);
    line(t, "state hash", about->state_hash);
    size(t, about->bytes);
    add_links(t, links);
    if (last != NULL) add_channels(t, about, last);
    if (about->observable_count > 0) text_add(t, "observables\n");
    for (size_t i = 0; i < about->observable_count; i++) add_observable(t, &about->observables[i]);
}

static carom_status finish(text_buffer *t, char **out, error *e)
{
    if (t->failed || t->data == NULL) {
        text_free(t);
        return error_memory(e, "a report", t->capacity);
    }
    if (t->length > 0 && t->data[t->length - 1] == '\n') t->data[t->length - 1] = '\0';
    *out = t->data;
    return CAROM_OK;
}

static carom_status write_either(const reader *r, bool json, const carom_frame *last, char **out, error *e)
{
    text_buffer t = {0};
    result_links links;
    TRY(reader_links(r, &links, e));
    carom_status status = CAROM_OK;
    if (json)
        status = info_result_json(r, &links, last, out, e);
    else
        write_result(&t, r, &links, last);
    links_free(&links);
    return json ? status : finish(&t, out, e);
}

carom_status info_result(const reader *r, bool json, char **out, error *e)
{
    const uint64_t frames = reader_about(r)->frames;
    carom_frame last;
    *out = NULL;
    TRY(reader_check(r, NULL, e));
    TRY(reader_frame_create(r, &last, e));
    carom_status status = frames > 0 ? reader_frame(r, frames - 1, &last, e) : CAROM_OK;
    if (status == CAROM_OK) status = write_either(r, json, frames > 0 ? &last : NULL, out, e);
    frame_destroy(&last);
    return status;
}

carom_status info_checkpoint(const checkpoint *c, const char *path, bool json, char **out, error *e)
{
    text_buffer t = {0};
    *out = NULL;
    if (json) return info_checkpoint_json(c, path, out, e);
    line(&t, "file", path);
    line(&t, "what", "checkpoint of carom; continue with --resume and its result");
    line(&t, "title", c->title);
    line(&t, "engine", c->engine);
    line(&t, "carom", c->version);
    line(&t, "commit", c->commit);
    count(&t, "particles", c->particles);
    number(&t, "time", c->time);
    count(&t, "events", c->events);
    count(&t, "collisions", c->collisions);
    if (c->length_count > 0) count(&t, "frames", c->lengths[0]);
    return finish(&t, out, e);
}
