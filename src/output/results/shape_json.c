#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "output/results/json_text.h"
#include "output/results/shape_report.h"

static void word(json_text *j, const char *key, const char *value)
{
    json_key(j, key);
    json_word(j, value);
}

static void numbers(json_text *j, const char *key, const double *values, size_t n)
{
    json_key(j, key);
    json_numbers(j, values, n);
}

static void matrix(json_text *j, const char *key, const double values[3][3], size_t dimension)
{
    json_key(j, key);
    json_open(j, '[');
    for (size_t k = 0; k < dimension; k++) json_numbers(j, values[k], dimension);
    json_close(j, ']');
}

/* ---- the question ------------------------------------------------------------------------------------------------ */

static void choice(json_text *j, const char *key, int64_t value)
{
    static const char *const words[] = {"last", "all", "largest", "together"};
    if (value >= 0)
        json_count_entry(j, key, (uint64_t)value);
    else
        word(j, key, words[-1 - value]);
}

static void put_question(json_text *j, const shape_report *r)
{
    const shape_options *o = &r->study->options;
    word(j, "carom", carom_version());
    json_key(j, "files");
    json_open(j, '[');
    for (size_t k = 0; k < r->file_count; k++) json_word(j, r->files[k]);
    json_close(j, ']');
    json_count_entry(j, "dimension", (uint64_t)r->study->dimension);
    choice(j, "frame", r->frame);
    choice(j, "cluster", o->cluster);
    json_count_entry(j, "min_size", o->min_size);
    json_number_entry(j, "gap", o->gap);
}

static void put_frame(json_text *j, const shape_report *r, const shape_frame *f)
{
    json_open(j, '{');
    word(j, "file", r->files[f->file]);
    json_count_entry(j, "frame", f->number);
    json_number_entry(j, "time", f->time);
    json_count_entry(j, "particles", f->particles);
    word(j, "clusters_from", shape_source_names[f->source]);
    json_count_entry(j, "clusters", f->clusters);
    json_count_entry(j, "largest", f->largest);
    json_count_entry(j, "singles", f->singles);
    json_count_entry(j, "percolating", f->percolating);
    json_number_entry(j, "mean_size", f->mean_size);
    json_number_entry(j, "weight_mean_size", f->weight_mean_size);
    json_close(j, '}');
}

/* ---- a cluster --------------------------------------------------------------------------------------------------- */

static void put_gyration(json_text *j, const shape_gyration *g, int dimension)
{
    size_t d = (size_t)dimension;
    numbers(j, "centre", g->centre, d);
    matrix(j, "gyration_tensor", g->tensor, d);
    numbers(j, "eigenvalues", g->value, d);
    matrix(j, "eigenvectors", g->vector, d);
    if (dimension == 2) json_number_entry(j, "orientation", g->orientation);
}

static void put_window(json_text *j, const shape_fit *fit)
{
    json_count_entry(j, "points", (uint64_t)fit->points);
    json_number_entry(j, "from", fit->from);
    json_number_entry(j, "to", fit->to);
}

static double local_slope(double x0, double y0, double x1, double y1)
{
    return y0 > 0 && y1 > 0 ? log(y1 / y0) / log(x1 / x0) : (double)NAN;
}

static void put_levels(json_text *j, const shape_curves *c)
{
    double side[SHAPE_LEVELS], boxes[SHAPE_LEVELS], slope[SHAPE_LEVELS];
    size_t n = c->levels > 0 ? (size_t)c->levels : 0;
    for (size_t m = 0; m < n; m++) {
        side[m] = ldexp(c->side, -(int)m);
        boxes[m] = (double)c->boxes[m];
        slope[m] = m > 0 ? -local_slope(side[m - 1], boxes[m - 1], side[m], boxes[m]) : (double)NAN;
    }
    numbers(j, "side", side, n);
    numbers(j, "number", boxes, n);
    numbers(j, "local", slope, n);
}

static void put_boxes(json_text *j, const shape_cluster *c, const shape_curves *curves)
{
    json_key(j, "boxes");
    json_open(j, '{');
    json_number_entry(j, "dimension", -c->boxes.slope);
    json_number_entry(j, "error", c->boxes.error);
    json_number_entry(j, "log_prefactor", c->boxes.intercept);
    put_window(j, &c->boxes);
    if (curves != NULL) put_levels(j, curves);
    json_close(j, '}');
}

static void put_pairs(json_text *j, const shape_cluster *c, const shape_curves *curves)
{
    double r[SHAPE_RADII], with_self[SHAPE_RADII], local[SHAPE_RADII];
    json_key(j, "pairs");
    json_open(j, '{');
    json_number_entry(j, "exponent", c->pairs.slope);
    json_number_entry(j, "error", c->pairs.error);
    json_number_entry(j, "exponent_self", c->pairs_self.slope);
    json_number_entry(j, "error_self", c->pairs_self.error);
    put_window(j, &c->pairs);
    for (int k = 0; curves != NULL && k < SHAPE_RADII; k++) {
        r[k] = 0.5 * c->radius * (SHAPE_FIRST + k);
        with_self[k] = curves->pairs[k] + 1;
        local[k] = k > 0 ? local_slope(r[k - 1], curves->pairs[k - 1], r[k], curves->pairs[k]) : (double)NAN;
    }
    if (curves != NULL) {
        numbers(j, "r", r, SHAPE_RADII);
        numbers(j, "number", curves->pairs, SHAPE_RADII);
        numbers(j, "number_self", with_self, SHAPE_RADII);
        numbers(j, "local", local, SHAPE_RADII);
    }
    json_close(j, '}');
}

static void put_cluster(json_text *j, const shape_report *r, size_t k)
{
    const shape_study *s = r->study;
    const shape_cluster *c = &s->clusters[k];
    const shape_curves *curves = k < s->curve_count ? &s->curves[k] : NULL;
    const shape_frame *f = &s->frames[c->frame];
    json_open(j, '{');
    word(j, "file", r->files[f->file]);
    json_count_entry(j, "frame", f->number);
    json_number_entry(j, "time", f->time);
    json_count_entry(j, "cluster", c->id);
    word(j, "state", shape_state_names[c->state]);
    json_number_entry(j, "radius", c->radius);
    for (size_t q = 0; q < shape_quantity_count; q++)
        if (shape_quantities[q].dimension == 0 || shape_quantities[q].dimension == s->dimension)
            json_number_entry(j, shape_quantities[q].name, shape_quantities[q].value(c));
    put_gyration(j, &c->gyration, s->dimension);
    put_boxes(j, c, curves);
    put_pairs(j, c, curves);
    json_close(j, '}');
}

/* ---- many clusters ----------------------------------------------------------------------------------------------- */

static void put_statistics(json_text *j, const char *key, const carom_statistics *s)
{
    json_key(j, key);
    json_open(j, '{');
    json_count_entry(j, "known", s->count);
    json_number_entry(j, "mean", s->mean);
    json_number_entry(j, "std", s->deviation);
    json_number_entry(j, "median", s->median);
    json_number_entry(j, "q05", s->quantile_05);
    json_number_entry(j, "q25", s->quantile_25);
    json_number_entry(j, "q75", s->quantile_75);
    json_number_entry(j, "q95", s->quantile_95);
    json_number_entry(j, "min", s->least);
    json_number_entry(j, "max", s->greatest);
    json_close(j, '}');
}

static void put_points(json_text *j, const shape_point *points, size_t n)
{
    double known[SHAPE_RADII], mean[SHAPE_RADII], deviation[SHAPE_RADII];
    for (size_t k = 0; k < n; k++) {
        known[k] = (double)points[k].count;
        mean[k] = points[k].count > 0 ? points[k].mean : (double)NAN;
        deviation[k] = points[k].count > 1 ? sqrt(points[k].squares / (known[k] - 1)) : (double)NAN;
    }
    numbers(j, "known", known, n);
    numbers(j, "mean", mean, n);
    numbers(j, "std", deviation, n);
}

static void put_curves(json_text *j, const shape_study *s)
{
    double r[SHAPE_RADII], side[SHAPE_LEVELS];
    size_t levels = 0;
    for (size_t k = 0; k < SHAPE_RADII; k++) r[k] = 0.5 * (double)(SHAPE_FIRST + k);
    for (size_t m = 0; m < SHAPE_LEVELS && s->boxes[m].count > 0; m++) side[levels++] = ldexp(1, -(int)m);
    json_key(j, "pairs");
    json_open(j, '{');
    numbers(j, "r_over_radius", r, SHAPE_RADII);
    put_points(j, s->pairs, SHAPE_RADII);
    json_close(j, '}');
    json_key(j, "boxes");
    json_open(j, '{');
    numbers(j, "side_over_box", side, levels);
    put_points(j, s->boxes, levels);
    json_close(j, '}');
}

static void put_ensemble(json_text *j, const shape_study *s, double *space)
{
    json_key(j, "ensemble");
    json_open(j, '{');
    json_count_entry(j, "clusters", s->cluster_count);
    for (size_t q = 0; q < shape_quantity_count; q++) {
        const shape_quantity *what = &shape_quantities[q];
        if (what->dimension != 0 && what->dimension != s->dimension) continue;
        carom_statistics found = shape_study_statistics(s, what, space);
        put_statistics(j, what->name, &found);
    }
    if (s->dimension == 2) {
        double mean, order;
        for (size_t k = 0; k < s->cluster_count; k++) space[k] = s->clusters[k].gyration.orientation;
        shape_mean_axis(space, s->cluster_count, &mean, &order);
        json_key(j, "orientation");
        json_open(j, '{');
        json_number_entry(j, "mean", mean);
        json_number_entry(j, "order", order);
        json_close(j, '}');
    }
    put_curves(j, s);
    json_close(j, '}');
}

static void put_distribution(json_text *j, const shape_study *s)
{
    const shape_distribution *d = &s->distribution;
    json_key(j, "distribution");
    json_open(j, '{');
    json_key(j, "size");
    json_open(j, '[');
    for (size_t k = 0; k < d->count; k++) json_count_put(j, d->sizes[k].size);
    json_close(j, ']');
    json_key(j, "clusters");
    json_open(j, '[');
    for (size_t k = 0; k < d->count; k++) json_count_put(j, d->sizes[k].clusters);
    json_close(j, ']');
    json_key(j, "mass");
    json_open(j, '[');
    for (size_t k = 0; k < d->count; k++) json_number_put(j, d->sizes[k].mass);
    json_close(j, ']');
    json_close(j, '}');
}

static void put_growth(json_text *j, const shape_study *s)
{
    double dimension, deviation;
    shape_growth_dimension(&s->growth, &dimension, &deviation);
    json_key(j, "gyration_radius_of_mass");
    json_open(j, '{');
    json_number_entry(j, "dimension", dimension);
    json_number_entry(j, "error", deviation);
    json_count_entry(j, "clusters", s->growth.count);
    json_count_entry(j, "min_size", s->options.min_size);
    json_close(j, '}');
}

carom_status shape_report_json(const shape_report *r, char **out, error *e)
{
    const shape_study *s = r->study;
    json_text j = {0};
    double *space = NEW_ARRAY(s->cluster_count, double);
    *out = NULL;
    if (space == NULL) return error_memory(e, "a report", s->cluster_count * sizeof *space);
    json_open(&j, '{');
    put_question(&j, r);
    json_key(&j, "frames");
    json_open(&j, '[');
    for (size_t k = 0; k < s->frame_count; k++) put_frame(&j, r, &s->frames[k]);
    json_close(&j, ']');
    put_distribution(&j, s);
    put_growth(&j, s);
    put_ensemble(&j, s, space);
    json_key(&j, "clusters");
    json_open(&j, '[');
    for (size_t k = 0; k < s->cluster_count; k++) put_cluster(&j, r, k);
    json_close(&j, ']');
    json_close(&j, '}');
    memory_free(space);
    if (j.text.failed) {
        text_free(&j.text);
        return error_memory(e, "a report", j.text.capacity);
    }
    *out = j.text.data;
    return CAROM_OK;
}
