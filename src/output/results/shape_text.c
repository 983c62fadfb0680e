/* The text and the CSV of a study. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/results/shape_report.h"

const char *const shape_state_names[] = {"whole", "percolates", "apart"};
const char *const shape_source_names[] = {"contacts", "file", "together"};

static carom_status hand_out(text_buffer *t, char **out, error *e)
{
    *out = NULL;
    if (t->failed) {
        text_free(t);
        return error_memory(e, "a report", t->capacity);
    }
    *out = t->data;
    return CAROM_OK;
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void csv_number(text_buffer *t, double value)
{
    text_add(t, ",");
    if (isfinite(value)) text_add_number(t, value);
}

static void csv_text(text_buffer *t, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        text_add(t, "%s", text);
        return;
    }
    text_add(t, "\"");
    for (; *text != '\0'; text++) text_add(t, *text == '"' ? "\"\"" : "%c", *text);
    text_add(t, "\"");
}

static void csv_head(text_buffer *t, int dimension)
{
    static const char axes[] = "xyz";
    text_add(t, "file,frame,time,cluster,state,radius");
    for (size_t q = 0; q < shape_quantity_count; q++)
        if (shape_quantities[q].dimension == 0 || shape_quantities[q].dimension == dimension)
            text_add(t, ",%s", shape_quantities[q].name);
    if (dimension == 2) text_add(t, ",orientation");
    for (int a = 0; a < dimension; a++) text_add(t, ",centre_%c", axes[a]);
    for (int a = 0; a < dimension; a++)
        for (int b = a; b < dimension; b++) text_add(t, ",gyration_%c%c", axes[a], axes[b]);
    for (int k = 0; k < dimension; k++) text_add(t, ",eigenvalue_%d", k + 1);
    for (int k = 0; k < dimension; k++)
        for (int a = 0; a < dimension; a++) text_add(t, ",eigenvector_%d_%c", k + 1, axes[a]);
    text_add(t, ",box_error,box_from,box_to,box_points,pair_error,pair_error_self,pair_from,pair_to,pair_points\n");
}

static void csv_row(text_buffer *t, const shape_report *r, const shape_cluster *c)
{
    const shape_study *s = r->study;
    const shape_frame *f = &s->frames[c->frame];
    const shape_gyration *g = &c->gyration;
    csv_text(t, r->files[f->file]);
    text_add(t, ",%" PRIu64, f->number);
    csv_number(t, f->time);
    text_add(t, ",%" PRIu32 ",%s", c->id, shape_state_names[c->state]);
    csv_number(t, c->radius);
    for (size_t q = 0; q < shape_quantity_count; q++)
        if (shape_quantities[q].dimension == 0 || shape_quantities[q].dimension == s->dimension)
            csv_number(t, shape_quantities[q].value(c));
    if (s->dimension == 2) csv_number(t, g->orientation);
    for (int a = 0; a < s->dimension; a++) csv_number(t, g->centre[a]);
    for (int a = 0; a < s->dimension; a++)
        for (int b = a; b < s->dimension; b++) csv_number(t, g->tensor[a][b]);
    for (int k = 0; k < s->dimension; k++) csv_number(t, g->value[k]);
    for (int k = 0; k < s->dimension; k++)
        for (int a = 0; a < s->dimension; a++) csv_number(t, g->vector[k][a]);
    csv_number(t, c->boxes.error);
    csv_number(t, c->boxes.from);
    csv_number(t, c->boxes.to);
    text_add(t, ",%d", c->boxes.points);
    csv_number(t, c->pairs.error);
    csv_number(t, c->pairs_self.error);
    csv_number(t, c->pairs.from);
    csv_number(t, c->pairs.to);
    text_add(t, ",%d\n", c->pairs.points);
}

carom_status shape_report_csv(const shape_report *r, char **out, error *e)
{
    text_buffer t = {0};
    csv_head(&t, r->study->dimension);
    for (size_t k = 0; k < r->study->cluster_count; k++) csv_row(&t, r, &r->study->clusters[k]);
    return hand_out(&t, out, e);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static const char *short_number(char text[32], double value)
{
    if (isfinite(value))
        snprintf(text, 32, "%.5g", value);
    else
        snprintf(text, 32, "-");
    return text;
}

static void add_short(text_buffer *t, const char *words, double value)
{
    char text[32];
    text_add(t, "%s%s", words, short_number(text, value));
}

static void add_frame(text_buffer *t, const shape_report *r, const shape_frame *f)
{
    static const char *const said[] = {"by contacts", "as the file says", "taken together"};
    text_add(t, "%s: frame %" PRIu64, r->files[f->file], f->number);
    add_short(t, ", time ", f->time);
    text_add(t, ": %zu particles in %zu cluster%s (%s)", f->particles, f->clusters, f->clusters == 1 ? "" : "s",
             said[f->source]);
    text_add(t, "; largest %zu", f->largest);
    add_short(t, ", mean ", f->mean_size);
    add_short(t, " by number, ", f->weight_mean_size);
    text_add(t, " by weight\n");
}

static void add_vector(text_buffer *t, const char *words, const double *values, int count)
{
    text_add(t, "  %-28s", words);
    for (int k = 0; k < count; k++) add_short(t, k > 0 ? "  " : "", values[k]);
    text_add(t, "\n");
}

static void add_fit(text_buffer *t, const char *words, double value, const shape_fit *fit)
{
    text_add(t, "  %-28s", words);
    add_short(t, "", value);
    if (isfinite(fit->error)) add_short(t, " +- ", fit->error);
    if (fit->points > 0) {
        text_add(t, " (%d points", fit->points);
        add_short(t, " from ", fit->from);
        add_short(t, " to ", fit->to);
        text_add(t, ")");
    }
    text_add(t, "\n");
}

static void add_state(text_buffer *t, shape_state state)
{
    if (state == SHAPE_PERCOLATES)
        text_add(t, "  it percolates: its contacts connect it to its periodic images, so that its gyration tensor is "
                    "undefined\n");
    if (state == SHAPE_APART)
        text_add(t, "  its contacts do not connect all its particles, so that it cannot be unwrapped and its gyration "
                    "tensor is undefined\n");
}

static void add_levels(text_buffer *t, const shape_curves *c)
{
    text_add(t, "  %12s %10s %8s\n", "box side", "boxes", "slope");
    for (int m = 0; m < c->levels; m++) {
        char side[32], slope[32];
        bool fitted = m >= c->fit_from && m <= c->fit_to;
        double local = m > 0 ? log2((double)c->boxes[m] / (double)c->boxes[m - 1]) : (double)NAN;
        text_add(t, "  %12s %10" PRIu64 " %8s%s\n", short_number(side, ldexp(c->side, -m)), c->boxes[m],
                 short_number(slope, local), fitted ? "  fit" : "");
    }
}

/* Every multiple of 2 R. */
static void add_pairs(text_buffer *t, const shape_cluster *c, const shape_curves *curves)
{
    text_add(t, "  %12s %10s %8s\n", "r / R", "P(r)", "with self");
    for (int k = 8 - SHAPE_FIRST; k < SHAPE_RADII; k += 4) {
        char number[32], with_self[32];
        bool fitted = 0.5 * c->radius * (SHAPE_FIRST + k) <= c->pairs.to;
        text_add(t, "  %12g %10s %8s%s\n", 0.5 * (SHAPE_FIRST + k), short_number(number, curves->pairs[k]),
                 short_number(with_self, curves->pairs[k] + 1), fitted ? "  fit" : "");
    }
}

static void add_cluster(text_buffer *t, const shape_report *r, size_t number)
{
    const shape_study *s = r->study;
    const shape_cluster *c = &s->clusters[number];
    const shape_gyration *g = &c->gyration;
    text_add(t, "\ncluster %" PRIu32 ": %zu particles", c->id, c->size);
    add_short(t, ", mass ", c->mass);
    text_add(t, "\n");
    add_state(t, c->state);
    add_vector(t, "radius of gyration", &g->radius, 1);
    add_vector(t, "gyration eigenvalues", g->value, s->dimension);
    add_vector(t, "aspect ratio", &g->aspect, 1);
    if (s->dimension == 2) add_vector(t, "orientation, degrees", &g->orientation, 1);
    if (s->dimension == 3) add_vector(t, "orientation", g->vector[0], 3);
    if (s->dimension == 3) add_vector(t, "asphericity", &g->asphericity, 1);
    if (s->dimension == 3) add_vector(t, "acylindricity", &g->acylindricity, 1);
    add_vector(t, "shape anisotropy", &g->anisotropy, 1);
    add_vector(t, "contacts, without self", &c->contacts, 1);
    add_vector(t, "contacts, with self", &c->contacts_self, 1);
    add_fit(t, "box-counting dimension", -c->boxes.slope, &c->boxes);
    add_fit(t, "pair exponent, without self", c->pairs.slope, &c->pairs);
    add_fit(t, "pair exponent, with self", c->pairs_self.slope, &c->pairs_self);
    add_levels(t, &s->curves[number]);
    add_pairs(t, c, &s->curves[number]);
}

static void add_ensemble(text_buffer *t, const shape_study *s, double *space)
{
    text_add(t, "\n%zu clusters\n  %-28s%8s%12s%12s%12s%12s%12s%12s%12s\n", s->cluster_count, "", "known", "mean",
             "std", "median", "5 %", "25 %", "75 %", "95 %");
    for (size_t q = 0; q < shape_quantity_count; q++) {
        const shape_quantity *what = &shape_quantities[q];
        char text[32];
        if (what->dimension != 0 && what->dimension != s->dimension) continue;
        carom_statistics found = shape_study_statistics(s, what, space);
        text_add(t, "  %-28s%8zu%12s", what->label, found.count, short_number(text, found.mean));
        text_add(t, "%12s", short_number(text, found.deviation));
        text_add(t, "%12s", short_number(text, found.median));
        const double quantiles[4] = {found.quantile_05, found.quantile_25, found.quantile_75, found.quantile_95};
        for (int k = 0; k < 4; k++) text_add(t, "%12s", short_number(text, quantiles[k]));
        text_add(t, "\n");
    }
    if (s->dimension == 2) {
        double mean, order;
        for (size_t k = 0; k < s->cluster_count; k++) space[k] = s->clusters[k].gyration.orientation;
        shape_mean_axis(space, s->cluster_count, &mean, &order);
        add_short(t, "  orientation: mean axis at ", mean);
        add_short(t, " degrees, order ", order);
        text_add(t, "\n");
    }
}

static void add_growth(text_buffer *t, const shape_study *s)
{
    double dimension, deviation;
    shape_growth_dimension(&s->growth, &dimension, &deviation);
    if (!isfinite(dimension)) return;
    add_short(t, "\nfractal dimension from R_g against mass: ", dimension);
    if (isfinite(deviation)) add_short(t, " +- ", deviation);
    text_add(t, " (%" PRIu64 " clusters of %" PRIu64 " particles or more)\n", s->growth.count, s->options.min_size);
}

carom_status shape_report_text(const shape_report *r, char **out, error *e)
{
    enum { SHOWN = 10 };
    const shape_study *s = r->study;
    text_buffer t = {0};
    double *space = NEW_ARRAY(s->cluster_count, double);
    *out = NULL;
    if (space == NULL) return error_memory(e, "a report", s->cluster_count * sizeof *space);
    size_t frames = s->frame_count > SHOWN ? SHOWN : s->frame_count;
    for (size_t k = 0; k < frames; k++) add_frame(&t, r, &s->frames[k]);
    if (frames < s->frame_count) text_add(&t, "... and %zu more frames\n", s->frame_count - frames);
    if (s->cluster_count == 1) add_cluster(&t, r, 0);
    if (s->cluster_count > 1) add_ensemble(&t, s, space);
    if (s->cluster_count == 0)
        text_add(&t, "\nno cluster of %" PRIu64 " particles or more; --min-size sets the number\n",
                 s->options.min_size);
    add_growth(&t, s);
    memory_free(space);
    return hand_out(&t, out, e);
}
