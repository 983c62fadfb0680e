/* Free surface of a heap, or of the filling of a drum: a straight line, by least squares, through the highest points of
 * the particles in bins along a horizontal axis. The highest point of a particle is a radius above its centre. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pi.h"
#include "base/vec.h"
#include "measure/gauge.h"
#include "measure/sum.h"

typedef struct surface_settings {
    double axis[3], up[3];
    double bin, from, to;
} surface_settings;

static bool has_up(const struct scene *s, const void *from)
{
    const double *up = ((const surface_settings *)from)->up;
    (void)s;
    return up[0] != 0 || up[1] != 0 || up[2] != 0;
}

static bool has_from(const struct scene *s, const void *from)
{
    (void)s;
    return isfinite(((const surface_settings *)from)->from);
}

static bool has_to(const struct scene *s, const void *from)
{
    (void)s;
    return isfinite(((const surface_settings *)from)->to);
}

static const setting entries[] = {
    {.name = "axis",
     .type = SETTING_VECTOR,
     .offset = offsetof(surface_settings, axis),
     .unit = "",
     .fallback = "[1, 0, 0]",
     .help = "direction of the bins; its horizontal part counts, and its length does not"},
    {.name = "up",
     .type = SETTING_VECTOR,
     .offset = offsetof(surface_settings, up),
     .unit = "",
     .fallback = "",
     .written = has_up,
     .help = "the vertical, upwards; without it opposite to gravity"},
    {.name = "bin",
     .type = SETTING_REAL,
     .offset = offsetof(surface_settings, bin),
     .unit = "length",
     .fallback = "0",
     .max = INFINITY,
     .help = "width of the bins; 0: twice the mean diameter"},
    {.name = "from",
     .type = SETTING_REAL,
     .offset = offsetof(surface_settings, from),
     .unit = "length",
     .fallback = "",
     .written = has_from,
     .help = "only particles whose coordinate along the axis is at least this"},
    {.name = "to",
     .type = SETTING_REAL,
     .offset = offsetof(surface_settings, to),
     .unit = "length",
     .fallback = "",
     .written = has_to,
     .help = "only particles whose coordinate along the axis is at most this"},
};

static void begin(struct reader *r, void *filled)
{
    surface_settings *set = filled;
    (void)r;
    set->from = -INFINITY;
    set->to = INFINITY;
}

static const settings_table settings = {
    .name = "free_surface",
    .help = "angle of the free surface of a heap or of a drum, in degrees: of a line through the highest points of "
            "particles "
            "in bins along a horizontal axis; and the root-mean-square deviation from it",
    .size = sizeof(surface_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = begin,
};

static const series_column columns[] = {
    {"angle", "degrees", 1, true}, {"deviation", "length", 1, true}, {"bins", "", 1, false}};

typedef struct point {
    double along, height, bin;
    bool used;
} point;

typedef struct free_surface {
    gauge g; /* first: the functions of gauges cast to it */
    surface_settings set;
    double axis[3], up[3]; /* unit vectors */
    point *points;         /* [room] */
    size_t room;
} free_surface;

static void destroy(void *self)
{
    free_surface *o = self;
    if (o == NULL) return;
    memory_free(o->points);
    gauge_destroy(self);
}

/* ---- directions -------------------------------------------------------------------------------------------------- */

static bool make_unit(double v[3])
{
    const double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    if (!(most > 0)) return false;
    for (int k = 0; k < 3; k++) v[k] /= most;
    const double length = sqrt(dot3(v, v));
    for (int k = 0; k < 3; k++) v[k] /= length;
    return true;
}

static carom_status refuse(error *e, const char *key, const char *text)
{
    e->key = key;
    return error_set(e, CAROM_BAD_DATA, "error: free_surface: %s", text);
}

static carom_status find_directions(free_surface *o, const carom_frame *f, error *e)
{
    const double upright = 1e-9; /* relative length of the horizontal part of a vertical axis */
    for (int k = 0; k < f->dimension; k++) {
        o->axis[k] = o->set.axis[k];
        o->up[k] = has_up(NULL, &o->set) ? o->set.up[k] : -f->gravity[k];
    }
    if (!make_unit(o->up)) return refuse(e, "what", "a scene without gravity has no vertical; give 'up'");
    if (!make_unit(o->axis)) return refuse(e, "axis", "the axis has no direction; give one that is not zero");
    const double vertical = dot3(o->axis, o->up);
    for (int k = 0; k < 3; k++) o->axis[k] -= vertical * o->up[k];
    if (!(dot3(o->axis, o->axis) > upright * upright))
        return refuse(e, "axis", "the axis is vertical; give a horizontal one");
    (void)make_unit(o->axis);
    return CAROM_OK;
}

static carom_status start(free_surface *o, const carom_frame *first, error *e)
{
    TRY(find_directions(o, first, e));
    if (!(o->set.from < o->set.to)) return refuse(e, "to", "'to' must be above 'from'");
    if (o->set.bin > 0) return CAROM_OK;
    frame_need(first, FRAME_RADIUS);
    for (size_t i = 0; i < first->count; i++) o->set.bin += 4 * first->radius[i] / (double)first->count;
    return CAROM_OK;
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    TRY(gauge_create_in(self, sizeof(free_surface), 0, &settings, columns, 3, first, e));
    free_surface *o = *self;
    o->set = *(const surface_settings *)set;
    const carom_status status = start(o, first, e);
    if (status == CAROM_OK) return status;
    destroy(o);
    *self = NULL;
    return status;
}

/* ---- the highest points ------------------------------------------------------------------------------------------ */

static point point_of(const free_surface *o, const carom_frame *f, size_t i)
{
    double x[3] = {0};
    memcpy(x, f->position + i * (size_t)f->dimension, (size_t)f->dimension * sizeof *x);
    const double along = dot3(x, o->axis);
    return (point){along, dot3(x, o->up) + f->radius[i], floor(along / o->set.bin),
                   along >= o->set.from && along <= o->set.to};
}

static carom_status reserve(free_surface *o, size_t bins, error *e)
{
    if (bins <= o->room) return CAROM_OK;
    memory_free(o->points);
    o->room = 0;
    o->points = NEW_ARRAY(bins, point);
    if (o->points == NULL) return error_memory(e, settings.name, bins * sizeof *o->points);
    o->room = bins;
    return CAROM_OK;
}

static bool is_above(const point *p, const point *q)
{
    return p->height > q->height || (p->height == q->height && p->along < q->along);
}

/* The highest points, by bin: of two that are equally high the first along the axis. */
static void fill_bins(free_surface *o, const carom_frame *f, double low)
{
    for (size_t i = 0; i < f->count; i++) {
        const point p = point_of(o, f, i);
        if (!p.used) continue;
        point *top = &o->points[(size_t)(p.bin - low)];
        if (!top->used || is_above(&p, top)) *top = p;
    }
}

static int by_bin(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->bin != q->bin) return p->bin < q->bin ? -1 : 1;
    return is_above(p, q) ? -1 : is_above(q, p);
}

/* The same for few particles far apart. */
static void sort_bins(free_surface *o, const carom_frame *f)
{
    for (size_t i = 0; i < f->count; i++) o->points[i] = point_of(o, f, i);
    qsort(o->points, f->count, sizeof *o->points, by_bin);
    double last = (double)NAN;
    for (size_t i = 0; i < f->count; i++) {
        point *p = &o->points[i];
        if (!p->used) continue;
        p->used = p->bin != last;
        last = p->bin;
    }
}

/* Bins begin at multiples of their width. In an open box a particle may be anywhere. */
static carom_status find_points(free_surface *o, const carom_frame *f, size_t *bins, error *e)
{
    const double most = 1e6;
    double low = INFINITY, high = -INFINITY;
    *bins = 0;
    for (size_t i = 0; i < f->count; i++) {
        const point p = point_of(o, f, i);
        if (!p.used) continue;
        low = fmin(low, p.bin);
        high = fmax(high, p.bin);
    }
    if (!(low <= high)) return CAROM_OK;
    const bool dense = high - low < most;
    *bins = dense ? (size_t)(high - low) + 1 : f->count;
    TRY(reserve(o, *bins, e));
    memset(o->points, 0, *bins * sizeof *o->points);
    if (dense)
        fill_bins(o, f, low);
    else
        sort_bins(o, f);
    return CAROM_OK;
}

typedef struct line {
    double slope, deviation;
    size_t points;
} line;

static line fit_line(const point *points, size_t bins)
{
    line fit = {.points = 0};
    sum along = {0}, height = {0}, square = {0}, product = {0}, rest = {0};
    for (size_t k = 0; k < bins; k++) {
        if (!points[k].used) continue;
        fit.points++;
        sum_add(&along, points[k].along);
        sum_add(&height, points[k].height);
    }
    const double n = (double)fit.points, x = sum_total(&along) / n, y = sum_total(&height) / n;
    for (size_t k = 0; k < bins; k++) {
        if (!points[k].used) continue;
        sum_add(&square, (points[k].along - x) * (points[k].along - x));
        sum_add(&product, (points[k].along - x) * (points[k].height - y));
    }
    fit.slope = sum_total(&product) / sum_total(&square);
    for (size_t k = 0; k < bins; k++)
        if (points[k].used) sum_add(&rest, pow(points[k].height - y - fit.slope * (points[k].along - x), 2));
    fit.deviation = sqrt(sum_total(&rest) / n);
    return fit;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    free_surface *o = self;
    size_t bins;
    frame_need(frame, FRAME_POSITION | FRAME_RADIUS);
    TRY(find_points(o, frame, &bins, e));
    const line fit = fit_line(o->points, bins);
    if (fit.points < 2 || !isfinite(fit.slope)) return CAROM_OK; /* no line */
    const double row[] = {atan(fit.slope) * (180 / PI), fit.deviation, (double)fit.points};
    return series_add(&o->g.rows, frame->time, 1, row, e);
}

const observable observable_free_surface = {.settings = &settings,
                                            .needs_particles = true,
                                            .create = create,
                                            .sample = sample,
                                            .result = gauge_result,
                                            .drain = gauge_drain,
                                            .save = gauge_save,
                                            .load = gauge_load,
                                            .destroy = destroy};
