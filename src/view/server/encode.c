/* The messages to the page, as docs/view.md describes them. All numbers are little-endian. */
#include "view/server/picture.h"

#include "base/memory.h"
#include "view/colours.h"
#include "view/server/websocket.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_FRAME = 1, KIND_THINGS = 2, KIND_HISTORY = 3 };

/* ---- writing --------------------------------------------------------------------------------------------------- */

typedef struct writer {
    uint8_t *start, *at;
} writer;

/* A message with a payload of `size` bytes. */
static writer begin(websocket_opcode opcode, size_t size, size_t *whole)
{
    uint8_t header[WEBSOCKET_HEADER];
    size_t length = websocket_header(opcode, size, header);
    writer w = {.start = NEW_ARRAY(length + size, uint8_t)};
    *whole = length + size;
    if (w.start == NULL) return w;
    memcpy(w.start, header, length);
    w.at = w.start + length;
    return w;
}

static void put16(writer *w, unsigned x)
{
    *w->at++ = (uint8_t)x;
    *w->at++ = (uint8_t)(x >> 8);
}

static void put32(writer *w, uint32_t x)
{
    put16(w, x & 0xffff);
    put16(w, x >> 16);
}

static void put_float(writer *w, double x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put32(w, bits);
}

static void put_double(writer *w, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put32(w, (uint32_t)bits);
    put32(w, (uint32_t)(bits >> 32));
}

/* ---- what there is --------------------------------------------------------------------------------------------- */

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *text(const char *t)
{
    json_t *made = json_string(t != NULL ? t : "");
    return made != NULL ? made : json_string("?"); /* not UTF-8 */
}

static json_t *meshes_of(const view_subject *s, const view_choice *c)
{
    json_t *list = json_array();
    for (size_t m = 0; c->meshes && m < s->mesh_count; m++)
        json_array_append_new(list, json_pack("{s:o, s:I, s:I, s:b}", "name", text(s->meshes[m].name), "vertices",
                                              (json_int_t)s->meshes[m].vertices, "triangles",
                                              (json_int_t)s->meshes[m].triangle_count, "rigid", s->meshes[m].rigid));
    return list;
}

/* Rods and springs require both ends. */
static bool ties(const view_choice *c)
{
    return c->stride == 1;
}

static json_t *hex(colour c)
{
    char written[8];
    snprintf(written, sizeof written, "#%02x%02x%02x", (unsigned)lroundf(255 * c.r) & 255,
             (unsigned)lroundf(255 * c.g) & 255, (unsigned)lroundf(255 * c.b) & 255);
    return json_string(written);
}

static json_t *theme_colours(bool dark)
{
    const theme *t = theme_of(dark);
    json_t *series = json_array(), *many = json_array();
    for (int k = 0; k < COLOUR_HUES; k++) json_array_append_new(series, hex(t->series[k]));
    for (size_t k = 0; k < COLOUR_MANY; k++) json_array_append_new(many, hex(colour_of_many(t, k)));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "paper", hex(t->paper), "ink", hex(t->ink), "plain", hex(t->plain),
                     "series", series, "many", many);
}

/* The page has the same colours as `carom render`. */
static json_t *colours(void)
{
    enum { STEPS = 16 };
    json_t *map = json_array();
    for (int k = 0; k <= STEPS; k++) json_array_append_new(map, hex(colour_map(k / (double)STEPS)));
    return json_pack("{s:o, s:o, s:o}", "light", theme_colours(false), "dark", theme_colours(true), "map", map);
}

static json_t *point(const double x[3])
{
    return json_pack("[f, f, f]", x[0], x[1], x[2]);
}

/* The initial view of the page. */
static json_t *view_of(const view_subject *s)
{
    const camera_options *w = &s->camera;
    const framing seen = view_framing(s);
    json_t *target = w->aimed ? point(w->target) : json_null();
    return json_pack("{s:f, s:f, s:f, s:o, s:i, s:o, s:o, s:b, s:s, s:b}", "azimuth", w->azimuth, "elevation",
                     w->elevation, "zoom", w->zoom, "target", target, "up", camera_upward(w, s->first->gravity), "low",
                     point(seen.low), "high", point(seen.high), "framed", w->framed, "meshes",
                     mesh_style_names[s->style], "whole", s->whole);
}

static void put_place(json_t *list, const double x[3])
{
    for (int k = 0; k < 3; k++) json_array_append_new(list, json_real(x[k]));
}

typedef struct outlined {
    json_t *lines, *facets;
} outlined;

static void add_line(void *to, const double a[3], const double b[3])
{
    json_t *lines = ((outlined *)to)->lines;
    put_place(lines, a);
    put_place(lines, b);
}

static void add_facet(void *to, double (*corners)[3], const double middle[3], const double normal[3])
{
    (void)middle;
    (void)normal;
    for (int k = 0; k < 4; k++) put_place(((outlined *)to)->facets, corners[k]);
}

/* Exact surfaces at their initial positions; frames contain their displacements. */
static json_t *outlines_of(const view_subject *s)
{
    const view_exact *exact = &s->outlined;
    const framing seen = view_framing(s);
    json_t *list = json_array();
    for (size_t n = 0; n < exact->count; n++) {
        outlined one = {json_array(), json_array()};
        outline to = {s->first->dimension, {0}, {0}, add_line, add_facet, &one};
        memcpy(to.low, seen.low, sizeof to.low);
        memcpy(to.high, seen.high, sizeof to.high);
        exact->draw(exact->world, exact->first + n, 0, &to);
        json_array_append_new(list, json_pack("{s:o, s:o}", "lines", one.lines, "facets", one.facets));
    }
    return list;
}

static json_t *hello_of(const view_subject *s, const view_choice *c)
{
    static const char *const boundaries[] = {"periodic", "wall", "open"};
    const carom_frame *f = s->first;
    const size_t many = frame_particles(f) > 0 ? frame_particles(f) : f->vertices;
    json_t *box = json_array(), *boundary = json_array(), *species = json_array(), *stops = json_array();
    for (int k = 0; k < f->dimension; k++) {
        json_array_append_new(box, number(f->box[k]));
        json_array_append_new(boundary, json_string(boundaries[f->boundary[k]]));
    }
    for (size_t k = 0; k < s->species_count; k++) json_array_append_new(species, text(s->species[k]));
    for (int k = CAROM_STOP_NONE; k <= CAROM_STOP_REST; k++)
        json_array_append_new(stops, json_string(carom_stop_name((carom_stop)k)));
    json_t *hello =
        json_pack("{s:s, s:s, s:o, s:o, s:i, s:I, s:I, s:I, s:I}", "kind", "hello", "version", carom_version(), "title",
                  text(s->title), "engine", text(s->engine), "dimension", f->dimension, "particles", (json_int_t)many,
                  "points", (json_int_t)c->points, "grains", (json_int_t)c->grains, "stride", (json_int_t)c->stride);
    if (hello == NULL) return NULL;
    json_object_set_new(hello, "step", text(s->step));
    json_object_set_new(hello, "colours", colours());
    json_object_set_new(hello, "box", box);
    json_object_set_new(hello, "boundary", boundary);
    json_object_set_new(hello, "species", species);
    json_object_set_new(hello, "stops", stops);
    json_object_set_new(hello, "meshes", meshes_of(s, c));
    json_object_set_new(hello, "segments", json_integer(ties(c) ? (json_int_t)s->segment_count : 0));
    json_object_set_new(hello, "springs", json_integer(ties(c) ? (json_int_t)s->spring_count : 0));
    json_object_set_new(hello, "planes", json_integer((json_int_t)s->plane_count));
    json_object_set_new(hello, "cylinders", json_integer((json_int_t)s->cylinder_count));
    if (s->outlined.count > 0) json_object_set_new(hello, "outlines", outlines_of(s));
    json_object_set_new(hello, "clusters", json_boolean(f->cluster != NULL));
    json_object_set_new(hello, "layers", json_boolean(f->layers != NULL));
    json_object_set_new(hello, "flows", json_boolean(f->present != NULL));
    json_object_set_new(hello, "ellipsoids", json_boolean(f->axis != NULL));
    json_object_set_new(hello, "view", view_of(s));
    json_object_set_new(hello, "frames", json_integer((json_int_t)s->frames));
    json_object_set_new(hello, "begin", number(s->begin));
    json_object_set_new(hello, "end", number(s->end));
    json_object_set_new(hello, "speed", number(s->speed));
    return hello;
}

uint8_t *encode_text(const char *text, size_t *size)
{
    const size_t length = strlen(text);
    writer w = begin(WEBSOCKET_TEXT, length, size);
    if (w.start != NULL) memcpy(w.at, text, length);
    return w.start;
}

uint8_t *encode_hello(const view_subject *s, const view_choice *c, size_t *size)
{
    json_t *hello = hello_of(s, c);
    char *written = hello != NULL ? json_dumps(hello, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(hello);
    if (written == NULL) return NULL;
    uint8_t *made = encode_text(written, size);
    free(written);
    return made;
}

static void put_ties(writer *w, const view_subject *s, const uint32_t *rank)
{
    for (size_t k = 0; k < s->segment_count; k++) {
        put32(w, rank[s->segment[0][k]]);
        put32(w, rank[s->segment[1][k]]);
        put_float(w, s->segment_radius[k]);
    }
    for (size_t k = 0; k < s->spring_count; k++) {
        put32(w, rank[s->spring[0][k]]);
        put32(w, rank[s->spring[1][k]]);
    }
}

static void put_triangles(writer *w, const view_subject *s, const view_choice *c)
{
    uint32_t base = (uint32_t)c->grains;
    for (size_t m = 0; m < s->mesh_count; m++) {
        for (size_t t = 0; t < s->meshes[m].triangle_count; t++)
            for (int k = 0; k < 3; k++) put32(w, base + s->meshes[m].triangles[t][k]);
        base += s->meshes[m].vertices;
    }
}

static void put_rest(writer *w, const view_subject *s, const view_choice *c)
{
    for (size_t n = c->grains; n < c->points; n++) {
        double place[3] = {0};
        choice_place(c, n, s->first, place);
        for (int k = 0; k < 3; k++) put_float(w, place[k]);
    }
}

/* For bodies that are not spheres: encoded as multiples of the length. */
static double width_of(const carom_frame *f, size_t i)
{
    return f->semi_axes[3 * i + 1] / f->semi_axes[3 * i];
}

uint8_t *encode_things(const view_subject *s, const view_choice *c, size_t *size)
{
    const bool tied = ties(c);
    size_t triangles = 0;
    for (size_t m = 0; c->meshes && m < s->mesh_count; m++) triangles += s->meshes[m].triangle_count;
    size_t bytes = 4 + 6 * c->points + 2 * (c->points % 2) + 12 * triangles + 12 * (c->points - c->grains);
    if (tied) bytes += 12 * s->segment_count + 8 * s->spring_count;
    if (s->first->axis != NULL) bytes += 4 * c->points;
    uint32_t *rank = NEW_ARRAY(s->first->count, uint32_t);
    writer w = begin(WEBSOCKET_BINARY, bytes, size);
    if (rank == NULL || w.start == NULL) {
        memory_free(rank);
        memory_free(w.start);
        return NULL;
    }
    put32(&w, KIND_THINGS);
    for (size_t n = 0; n < c->points; n++) {
        rank[c->particle[n]] = (uint32_t)n;
        put_float(&w, s->first->radius[c->particle[n]]);
    }
    for (size_t n = 0; n < c->points; n++) put16(&w, s->first->species[c->particle[n]] & 0xffff);
    if (c->points % 2 == 1) put16(&w, 0);
    if (c->meshes) put_triangles(&w, s, c);
    put_rest(&w, s, c);
    if (tied) put_ties(&w, s, rank);
    for (size_t n = 0; s->first->axis != NULL && n < c->points; n++) put_float(&w, width_of(s->first, c->particle[n]));
    memory_free(rank);
    return w.start;
}

/* ---- frames and charts ------------------------------------------------------------------------------------------- */

static void put_moment(writer *w, const view_moment *m)
{
    put_double(w, m->time);
    put_double(w, m->kinetic);
    put_double(w, m->potential);
    put_double(w, m->stored);
    put_double(w, m->total);
    put_double(w, m->events);
    put_double(w, m->clusters);
}

uint8_t *encode_history(const view_moment *moments, size_t count, size_t *size)
{
    writer w = begin(WEBSOCKET_BINARY, 8 + 56 * count, size);
    if (w.start == NULL) return NULL;
    put32(&w, KIND_HISTORY);
    put32(&w, (uint32_t)count);
    for (size_t k = 0; k < count; k++) put_moment(&w, &moments[k]);
    return w.start;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of a sample. */
static double middle(const picture *p, int axis)
{
    enum { SAMPLES = 255 };
    double sample[SAMPLES] = {0};
    size_t count = 0, every = p->points / SAMPLES + 1;
    for (size_t n = 0; n < p->points && count < SAMPLES; n += every) {
        double x = p->position[3 * n + (size_t)axis];
        if (isfinite(x)) sample[count++] = x;
    }
    qsort(sample, count, sizeof *sample, by_size);
    return count > 0 ? sample[count / 2] : 0;
}

/* Widens a range to multiples of a power of two, by 1/8 at most: it is then the same in successive frames, and positions
 * at rest have the same numbers (recording.c). */
static void round_range(double *low, double *high)
{
    int exponent = 0;
    if (!(*high > *low)) return;
    (void)frexp(*high - *low, &exponent);
    const double step = ldexp(1, exponent - 5);
    if (!(step > 0)) return;
    *low = floor(*low / step) * step;
    *high = ceil(*high / step) * step;
}

/* The range of the 16-bit numbers: that of the data, without a few distant outliers, which would reduce the
 * resolution. */
static void find_range(const picture *p, int axis, double *low, double *high)
{
    const double far = 32 * fmax(p->box[0], fmax(p->box[1], p->dimension == 3 ? p->box[2] : 0));
    const double centre = middle(p, axis);
    double least = centre, most = centre;
    for (size_t n = 0; n < p->points; n++) {
        double x = p->position[3 * n + (size_t)axis];
        if (!isfinite(x)) continue;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    *low = fmax(least, centre - far);
    *high = fmin(most, centre + far);
    round_range(low, high);
}

static unsigned quantised(double x, double low, double scale)
{
    double q = (x - low) * scale + 0.5;
    return q > 0 ? q < 65535 ? (unsigned)q : 65535 : 0; /* NaN: 0 */
}

static double scale_of(double low, double high)
{
    return high > low ? 65535 / (high - low) : 0;
}

static void put_positions(writer *w, const picture *p, const double low[3], const double high[3])
{
    double scale[3];
    for (int k = 0; k < p->dimension; k++) scale[k] = scale_of(low[k], high[k]);
    for (size_t n = 0; n < p->points; n++)
        for (int k = 0; k < p->dimension; k++) put16(w, quantised(p->position[3 * n + (size_t)k], low[k], scale[k]));
    if (p->points * (size_t)p->dimension % 2 == 1) put16(w, 0);
}

static void put_head(writer *w, const picture *p, const double low[3], const double high[3], double fastest)
{
    put32(w, KIND_FRAME);
    put16(w, p->status.state);
    put16(w, p->status.stop);
    put32(w, (uint32_t)p->points);
    put32(w, (uint32_t)p->status.index);
    put_moment(w, &p->moment);
    put_double(w, p->status.rate);
    put_double(w, p->status.speed);
    for (int k = 0; k < 3; k++) put_double(w, low[k]);
    for (int k = 0; k < 3; k++) put_double(w, high[k]);
    put_double(w, fastest);
    put32(w, (uint32_t)p->status.frames);
    put32(w, p->status.unfinished);
    put_moment(w, &p->status.last);
    for (size_t k = 0; k < p->plane_count; k++) {
        for (int c = 0; c < 3; c++) put_float(w, p->planes[k].point[c]);
        for (int c = 0; c < 3; c++) put_float(w, p->planes[k].normal[c]);
    }
    for (size_t k = 0; k < p->cylinder_count; k++) {
        for (int c = 0; c < 3; c++) put_float(w, p->cylinders[k].through[c]);
        for (int c = 0; c < 3; c++) put_float(w, p->cylinders[k].axis[c]);
        put_float(w, p->cylinders[k].radius);
        put_float(w, p->cylinders[k].inside ? 1 : 0);
    }
    for (size_t k = 0; k < p->outline_count; k++)
        for (int c = 0; c < 3; c++) put_float(w, p->moved[k][c]);
}

/* Signed. */
static void put_axes(writer *w, const picture *p)
{
    for (size_t n = 0; n < p->points; n++)
        for (int k = 0; k < 3; k++) put16(w, (unsigned)lroundf(32767 * p->axis[n][k]) & 0xffff);
    if (p->points % 2 == 1) put16(w, 0);
}

uint8_t *encode_frame(const picture *p, size_t *size)
{
    double low[3] = {0}, high[3] = {0}, slowest = 0, fastest = 0;
    for (int k = 0; k < p->dimension; k++) find_range(p, k, &low[k], &high[k]);
    for (size_t n = 0; n < p->points; n++) fastest = fmax(fastest, isfinite(p->speed[n]) ? p->speed[n] : 0);
    round_range(&slowest, &fastest);
    size_t halves = p->points * (size_t)p->dimension;
    size_t bytes = 208 + 24 * p->plane_count + 32 * p->cylinder_count + 12 * p->outline_count +
                   2 * (halves + halves % 2) + 2 * (p->points + p->points % 2);
    if (p->cluster != NULL) bytes += 4 * p->points;
    if (p->layers != NULL) bytes += 2 * (p->points + p->points % 2);
    if (p->absent != NULL) bytes += 2 * (p->points + p->points % 2);
    if (p->axis != NULL) bytes += 6 * p->points + 2 * (p->points % 2);
    writer w = begin(WEBSOCKET_BINARY, bytes, size);
    if (w.start == NULL) return NULL;
    put_head(&w, p, low, high, fastest);
    put_positions(&w, p, low, high);
    const double scale = scale_of(0, fastest);
    for (size_t n = 0; n < p->points; n++) put16(&w, quantised(p->speed[n], 0, scale));
    if (p->points % 2 == 1) put16(&w, 0);
    for (size_t n = 0; p->cluster != NULL && n < p->points; n++) put32(&w, p->cluster[n]);
    for (size_t n = 0; p->layers != NULL && n < p->points; n++) put16(&w, p->layers[n]);
    if (p->layers != NULL && p->points % 2 == 1) put16(&w, 0);
    for (size_t n = 0; p->absent != NULL && n < p->points; n++) put16(&w, p->absent[n]);
    if (p->absent != NULL && p->points % 2 == 1) put16(&w, 0);
    if (p->axis != NULL) put_axes(&w, p);
    return w.start;
}
