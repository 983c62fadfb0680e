/* Flow through a plane: mass and number of the particles whose centres cross it, per unit of time.
 *
 * A crossing is a change of side between two samples. On a periodic axis the plane has an image in each box: with c the
 * number of images at or below a particle, image + floor((x - p) / side), the crossings are the change of c, so that a
 * particle that passes several boxes between two samples counts for each. c is an integer and has no rounding, however
 * far the particle is. Two crossings in opposite directions between two samples are not seen; the net flow does not
 * depend on that. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/vec.h"
#include "measure/gauge.h"
#include "measure/species.h"
#include "measure/store.h"
#include "scene/scene.h"

typedef struct flow_settings {
    uint32_t species; /* first: SPECIES_ROW */
    double point[3], normal[3];
    double radius;
} flow_settings;

static const setting entries[] = {
    SPECIES_ROW("particles of this species only"),
    {.name = "point",
     .type = SETTING_VECTOR,
     .offset = offsetof(flow_settings, point),
     .unit = "length",
     .help = "a point of the plane; with `radius` the centre of the opening"},
    {.name = "normal",
     .type = SETTING_VECTOR,
     .offset = offsetof(flow_settings, normal),
     .unit = "",
     .help = "direction of the forward flow; its length does not matter. Across a periodic axis the plane must be "
             "perpendicular to it"},
    {.name = "radius",
     .type = SETTING_REAL,
     .offset = offsetof(flow_settings, radius),
     .unit = "length",
     .fallback = "0",
     .max = INFINITY,
     .help = "only crossings at most this far from `point`; 0: the whole plane"},
};

static const settings_table settings = {
    .name = "mass_flow",
    .help = "mass and number of the particles that cross a plane per unit of time: net and forward, since the last "
            "row; and their sums since the start",
    .size = sizeof(flow_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = species_begin,
};

static const series_column columns[] = {{"mass_flow", "mass / time", 1, true},
                                        {"number_flow", "1 / time", 1, true},
                                        {"forward_mass_flow", "mass / time", 1, true},
                                        {"forward_number_flow", "1 / time", 1, true},
                                        {"mass", "mass", 1, false},
                                        {"number", "", 1, false},
                                        {"forward_mass", "mass", 1, false},
                                        {"forward_number", "", 1, false}};

enum { MASS, NUMBER, FORWARD_MASS, FORWARD_NUMBER, SUMS };
enum { NEEDED = FRAME_PATH | FRAME_MASS | FRAME_SPECIES | FRAME_ID | FRAME_PRESENT };

typedef struct mass_flow {
    gauge g;          /* first: the functions of gauges cast to it */
    double sum[SUMS]; /* since the start */
    flow_settings set;
    double normal[3]; /* a unit vector */
    int axis;         /* periodic axis along the normal; -1: none */
    size_t count;
    double *
        images; /* [count] by id: number of images of the plane at or below the particle; integers; NAN: absent so far */
    double *place; /* [count][3] by id, unwrapped; NULL without a radius */
} mass_flow;

static void destroy(void *self)
{
    mass_flow *o = self;
    if (o == NULL) return;
    memory_free(o->images);
    memory_free(o->place);
    gauge_destroy(self);
}

/* ---- the plane --------------------------------------------------------------------------------------------------- */

static carom_status refuse(error *e, const char *text)
{
    e->key = "normal";
    return error_set(e, CAROM_BAD_DATA, "error: %s", text);
}

static carom_status place_plane(mass_flow *o, const carom_frame *f, error *e)
{
    double most = 0;
    int across = 0;
    o->axis = -1;
    for (int k = 0; k < f->dimension; k++) most = fmax(most, fabs(o->set.normal[k]));
    if (!(most > 0)) return refuse(e, "mass_flow: the normal has no direction; give one that is not zero");
    for (int k = 0; k < f->dimension; k++) o->normal[k] = o->set.normal[k] / most;
    const double length = sqrt(dot3(o->normal, o->normal));
    for (int k = 0; k < f->dimension; k++) {
        o->normal[k] /= length;
        across += o->normal[k] != 0;
        if (o->normal[k] != 0 && f->boundary[k] == BOUNDARY_PERIODIC) o->axis = k;
    }
    if (o->axis >= 0 && across > 1)
        return refuse(e, "mass_flow: an inclined plane has no images in a periodic box; give a normal along one axis, "
                         "or without a component along periodic axes");
    return CAROM_OK;
}

/* Distance in front of the plane, not of its images. */
static double height_of(const mass_flow *o, const double x[3])
{
    const double from[3] = {x[0] - o->set.point[0], x[1] - o->set.point[1], x[2] - o->set.point[2]};
    return o->axis >= 0 ? from[o->axis] : dot3(from, o->normal);
}

static double images_below(const mass_flow *o, const carom_frame *f, size_t i)
{
    const size_t d = (size_t)f->dimension;
    double x[3] = {0};
    memcpy(x, f->position + i * d, d * sizeof *x);
    const double height = height_of(o, x);
    if (o->axis < 0) return height >= 0 ? 0 : -1;
    return (double)f->image[i * d + (size_t)o->axis] + floor(height / f->box[o->axis]);
}

/* ---- crossings --------------------------------------------------------------------------------------------------- */

/* Whether a straight path from one place to another is within the radius where it crosses image `number`. */
static bool is_inside(const mass_flow *o, const carom_frame *f, double number, const double from[3], const double to[3])
{
    const double level = o->axis >= 0 ? number * f->box[o->axis] : 0;
    const double start = height_of(o, from), end = height_of(o, to);
    const double share = end != start ? fmin(fmax((level - start) / (end - start), 0), 1) : 1;
    double square = 0;
    for (int k = 0; k < f->dimension; k++) {
        double away = from[k] + share * (to[k] - from[k]) - o->set.point[k];
        if (f->boundary[k] == BOUNDARY_PERIODIC) away -= nearest_periods(away, f->box[k]);
        square += away * away;
    }
    return square <= o->set.radius * o->set.radius;
}

/* Number of crossings within the radius, of images after `from` up to `to` or, backwards, from `from` to after `to`. */
static carom_status count_inside(const mass_flow *o, const carom_frame *f, double from, double to, const double *start,
                                 const double *end, double *number, error *e)
{
    const double most = 1e6; /* a sample must end */
    if (!(fabs(to - from) <= most))
        return error_set(
            e, CAROM_BAD_DATA,
            "error: mass_flow: a particle crosses the plane more than a million times between two samples; "
            "sample more often, or leave out 'radius'");
    const double low = fmin(from, to), high = fmax(from, to);
    *number = 0;
    for (double k = low + 1; k <= high; k++) *number += is_inside(o, f, k, start, end);
    return CAROM_OK;
}

static carom_status follow(mass_flow *o, const carom_frame *f, size_t i, error *e)
{
    const size_t id = f->id[i];
    if (!species_has(o->set.species, f, i)) return CAROM_OK;
    const double before = o->images[id], now = images_below(o, f, i);
    double number = isnan(before) ? 0 : fabs(now - before), place[3] = {0};
    for (size_t k = 0; o->place != NULL && k < (size_t)f->dimension; k++) place[k] = frame_unwrapped(f, i, k);
    if (o->place != NULL && number > 0) TRY(count_inside(o, f, before, now, o->place + 3 * id, place, &number, e));
    const bool forward = (now > before) == (o->axis < 0 || o->normal[o->axis] > 0);
    o->sum[MASS] += (forward ? 1 : -1) * number * f->mass[i];
    o->sum[NUMBER] += (forward ? 1 : -1) * number;
    if (forward) {
        o->sum[FORWARD_MASS] += number * f->mass[i];
        o->sum[FORWARD_NUMBER] += number;
    }
    o->images[id] = now;
    if (o->place != NULL) memcpy(o->place + 3 * id, place, sizeof place);
    return CAROM_OK;
}

static carom_status check_ids(const mass_flow *o, const carom_frame *f, error *e)
{
    if (f->count != o->count && f->present == NULL)
        return error_set(e, CAROM_BAD_DATA,
                         "error: mass_flow follows particles, but their number changed from %zu to %zu", o->count,
                         f->count);
    for (size_t i = 0; i < f->count; i++)
        if (f->id[i] >= o->count)
            return error_set(e, CAROM_BAD_DATA, "error: mass_flow follows particles, but id %u is new", f->id[i]);
    return CAROM_OK;
}

static carom_status start(mass_flow *o, const carom_frame *first, error *e)
{
    TRY(place_plane(o, first, e));
    o->count = first->count;
    o->images = NEW_ARRAY(o->count, double);
    if (o->set.radius > 0) o->place = NEW_ARRAY(3 * o->count, double);
    if (o->images == NULL || (o->set.radius > 0 && o->place == NULL))
        return error_memory(e, settings.name, o->count * (o->set.radius > 0 ? 4 : 1) * sizeof(double));
    frame_need(first, NEEDED);
    TRY(check_ids(o, first, e));
    for (size_t i = 0; i < o->count; i++) {
        o->images[first->id[i]] = frame_is_absent(first, i) ? (double)NAN : images_below(o, first, i);
        for (size_t k = 0; o->place != NULL && k < (size_t)first->dimension; k++)
            o->place[3 * first->id[i] + k] = frame_unwrapped(first, i, k);
    }
    return CAROM_OK;
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    TRY(gauge_create_in(self, sizeof(mass_flow), SUMS, &settings, columns, sizeof columns / sizeof *columns, first, e));
    mass_flow *o = *self;
    o->set = *(const flow_settings *)set;
    const carom_status status = start(o, first, e);
    if (status == CAROM_OK) return status;
    destroy(o);
    *self = NULL;
    return status;
}

/* Particles that leave are followed up to here; those that enter, from here on. */
static carom_status renew(void *self, const carom_frame *frame, size_t count, const uint32_t *points, error *e)
{
    frame_need(frame, NEEDED);
    for (size_t n = 0; n < count; n++) TRY(follow(self, frame, points[n], e));
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    mass_flow *o = self;
    const double interval = frame->time - o->g.last_time;
    double row[2 * SUMS], *last = o->g.last; /* sums at the last sample: others change as particles leave */
    if (!(interval > 0)) return CAROM_OK;
    frame_need(frame, NEEDED);
    TRY(check_ids(o, frame, e));
    for (size_t i = 0; i < frame->count; i++) TRY(follow(o, frame, i, e));
    for (int k = 0; k < SUMS; k++) {
        row[k] = (o->sum[k] - last[k]) / interval;
        row[SUMS + k] = last[k] = o->sum[k];
    }
    o->g.last_time = frame->time;
    return series_add(&o->g.rows, frame->time, interval, row, e);
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const mass_flow *o = self;
    TRY(store_put(out, prefix, "images", SNAPSHOT_F64, o->count, o->images, e));
    if (o->place != NULL) TRY(store_put(out, prefix, "place", SNAPSHOT_F64, 3 * o->count, o->place, e));
    return gauge_save(self, prefix, out, e);
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    mass_flow *o = self;
    TRY(store_get(in, prefix, "images", SNAPSHOT_F64, o->count, o->images, e));
    if (o->place != NULL) TRY(store_get(in, prefix, "place", SNAPSHOT_F64, 3 * o->count, o->place, e));
    return gauge_load(self, prefix, in, e);
}

const observable observable_mass_flow = {.settings = &settings,
                                         .tallies = TALLY_IMAGES,
                                         .needs_particles = true,
                                         .follows = true,
                                         .create = create,
                                         .sample = sample,
                                         .renew = renew,
                                         .result = gauge_result,
                                         .drain = gauge_drain,
                                         .save = save,
                                         .load = load,
                                         .destroy = destroy};
