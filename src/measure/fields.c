/* Coarse-grained fields (Goldhirsch, Granul. Matter 12, 239 (2010)), with a function W of integral 1:
 *
 *     density        rho   = <sum m W(x - x_i)>
 *     velocity       V     = <sum m v W(x - x_i)> / rho
 *     kinetic stress       = <sum m v_a v_b W(x - x_i)> - rho V_a V_b
 *     contact stress       = (1 / t) sum over impulses of J_a r_b * integral of W(x - x_i + s r) ds, s from 0 to 1
 *     force of boundaries  = (1 / t) sum of J W(x - c), c the point of contact
 *
 * positive in compression; r is the branch from j, or from c, to i. Averages over time come before the products. In a steady state
 * the divergence of the stress is rho g plus the force of boundaries, which Weinhart, Thornton, Luding and Bokhove, Granul.
 * Matter 14, 289 (2012), call the interaction force density: near a boundary the stress is that of the particles alone.
 *
 * Fields are means over the cells of a grid. W is a product of normal distributions, one for each axis with several cells,
 * cut off at CUT widths and normalised. Its integral over a cell is then a product of differences of error functions, and the
 * sums over all cells are exact: the total mass, momentum and J r. Beside walls the grid extends by CUT widths beyond
 * the box; between open sides it is the box, and what lies outside is left out: the fields in it are those of all particles. A clump is
 * one particle, at its centre of mass. The integral over the branch is Gauss' rule with four points on parts of at most a width: in the mean over
 * a cell, its error is below 5e-5 of the largest value of the contact. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "measure/bodies.h"
#include "measure/box.h"
#include "measure/gauge.h"
#include "measure/motion.h"
#include "measure/species.h"
#include "measure/store.h"

#define CUT 4.0 /* widths. The part of a normal distribution beyond is 6e-5 */

enum { MOST_CELLS = 1000000, MOST_PARTS = 1000, GRID_COLUMNS = 8 };

typedef struct fields_settings {
    uint32_t species; /* first: setting_has_species */
    double cells[3];
    double width;
} fields_settings;

static const setting entries[] = {
    SPECIES_ROW("the part of this species only: half of each contact with another one"),
    {.name = "cells",
     .type = SETTING_VECTOR,
     .offset = offsetof(fields_settings, cells),
     .unit = "",
     .help = "number of cells along each axis; 1: the mean along this axis"},
    {.name = "width",
     .type = SETTING_REAL,
     .offset = offsetof(fields_settings, width),
     .unit = "length",
     .max = INFINITY,
     .above_min = true,
     .help = "standard deviation of the normal distribution, cut off at four times its width, over which a particle is "
             "spread"},
};

static const settings_table settings = {
    .name = "fields",
    .help =
        "coarse-grained fields on a grid: density, velocity, kinetic and contact stress (positive in compression), and "
        "the force of boundaries per volume",
    .size = sizeof(fields_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = species_begin,
};

/* The cells along one axis. */
typedef struct row {
    size_t cells;
    double low, side; /* of the first cell; of each */
    bool periodic, open;
    bool whole; /* one cell has all of each distribution */
} row;

/* The cells that a distribution covers along one axis, in an infinite row of boxes, and its part in each. */
typedef struct cover {
    double first;
    size_t count;
    double *part; /* [cells, or more if the distribution covers more than the box] */
} cover;

typedef struct fields {
    gauge g;         /* first: the functions of gauges cast to it */
    double total;    /* time of all samples; saved with the gauge */
    double force[3]; /* sum of the impulses of boundaries since the last sample; likewise */
    fields_settings set;
    size_t d, cells, numbers; /* numbers: of each cell in `sums` */
    row axis[3];
    double volume; /* of a cell */
    bodies bodies;
    cover cover[3];
    double *sums;  /* [cells][numbers]: integrals over the cell and time: mass, momentum, m v v, J r, J of boundaries */
    double *table; /* [GRID_COLUMNS][cells][..]: the columns one after another */
    measure_column columns[GRID_COLUMNS];
    measure_table tables[2];
} fields;

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static void destroy(void *self)
{
    fields *o = self;
    if (o == NULL) return;
    for (int k = 0; k < 3; k++) memory_free(o->cover[k].part);
    memory_free(o->sums);
    bodies_free(&o->bodies);
    memory_free(o->table);
    gauge_destroy(self);
}

static carom_status check(const fields_settings *set, const carom_frame *first, error *e)
{
    double cells = 1;
    e->key = "cells";
    for (int k = 0; k < first->dimension; k++) {
        if (!(set->cells[k] >= 1) || set->cells[k] != floor(set->cells[k]))
            return error_set(e, CAROM_BAD_DATA, "error: numbers of cells are 1, 2, 3, ..., not %.9g", set->cells[k]);
        cells *= set->cells[k];
    }
    if (cells > MOST_CELLS)
        return error_set(e, CAROM_BAD_DATA, "error: %.9g cells are too many; take at most %d", cells, MOST_CELLS);
    e->key = "width";
    for (int k = 0; k < first->dimension; k++)
        if (set->cells[k] > 1 && first->boundary[k] != BOUNDARY_OPEN && 2 * CUT * set->width > first->box[k])
            return error_set(e, CAROM_BAD_DATA,
                             "error: %g widths are more than the side %.9g of the box; take a smaller width", 2 * CUT,
                             first->box[k]);
    e->key = NULL;
    return CAROM_OK;
}

static row row_of(const fields_settings *set, const carom_frame *first, int k)
{
    row r = {.cells = (size_t)set->cells[k],
             .periodic = first->boundary[k] == BOUNDARY_PERIODIC,
             .open = first->boundary[k] == BOUNDARY_OPEN};
    r.whole = r.cells == 1 && !r.open;
    const double beyond = r.periodic || r.open || r.whole ? 0 : CUT * set->width;
    r.low = -beyond;
    r.side = (first->box[k] + 2 * beyond) / (double)r.cells;
    return r;
}

static carom_status allocate(fields *o, const carom_frame *first, error *e)
{
    const size_t d = o->d;
    o->cells = 1;
    o->volume = 1;
    o->numbers = 1 + d + 2 * d * d + d;
    bool made = true;
    for (size_t k = 0; k < d; k++) {
        o->axis[k] = row_of(&o->set, first, (int)k);
        o->cells *= o->axis[k].cells;
        o->volume *= o->axis[k].side;
        const double most = o->axis[k].whole ? 1 : ceil(2 * CUT * o->set.width / o->axis[k].side) + 2;
        o->cover[k].part = NEW_ARRAY((size_t)most, double);
        made = made && o->cover[k].part != NULL;
    }
    o->sums = NEW_ARRAY(o->cells * o->numbers, double);
    o->table = NEW_ARRAY(o->cells * (d + 1 + d + 2 * d * d + d), double);
    made = made && o->sums != NULL && o->table != NULL;
    return made ? CAROM_OK : error_memory(e, settings.name, 2 * o->cells * o->numbers * sizeof(double));
}

static carom_status create(void **self, const void *given, const carom_frame *first, error *e)
{
    const fields_settings *set = given;
    const size_t d = (size_t)first->dimension;
    const series_column columns[] = {{"mass", "mass", 1, true}, {"boundary_force", "energy / length", d, true}};
    TRY(check(set, first, e));
    TRY(gauge_create_in(self, sizeof(fields), 4, &settings, columns, 2, first, e));
    fields *o = *self;
    o->set = *set;
    o->d = d;
    const carom_status status = allocate(o, first, e);
    if (status == CAROM_OK) return status;
    destroy(o);
    *self = NULL;
    return status;
}

/* ---- the function W ---------------------------------------------------------------------------------------------- */

/* Part of the distribution below u widths from its centre. */
static double part_below(double u)
{
    const double root = 0.70710678118654752440;
    if (u <= -CUT) return 0;
    return u >= CUT ? 1 : 0.5 + 0.5 * erf(u * root) / erf(CUT * root);
}

static void cover_axis(const row *r, double width, double x, cover *c)
{
    c->first = 0;
    c->count = 1;
    c->part[0] = 1;
    if (r->whole) return;
    const double at = (x - r->low) / r->side, reach = CUT * width / r->side, end = floor(at + reach);
    const double last = r->open ? fmin(end, (double)r->cells - 1) : end;
    c->first = r->open ? fmax(floor(at - reach), 0) : floor(at - reach);
    c->count = last >= c->first ? (size_t)(last - c->first) + 1 : 0;
    double below = c->first > at - reach ? part_below((c->first - at) * r->side / width) : 0;
    for (size_t n = 0; n < c->count; n++) {
        const double cell = c->first + (double)n;
        const double above = cell == end ? 1 : part_below((cell + 1 - at) * r->side / width);
        c->part[n] = above - below;
        below = above;
    }
}

/* The cell along an axis; rounding at the ends of the grid beside walls does not lead out of it. */
static size_t cell_along(const row *r, double at)
{
    const double cells = (double)r->cells;
    if (r->periodic) at -= floor(at / cells) * cells;
    return at <= 0 ? 0 : at >= cells - 1 ? r->cells - 1 : (size_t)at;
}

/* Adds numbers, times the parts of the distribution around x, to `to` of each cell. */
static void spread(fields *o, const double x[3], double weight, const double *numbers, size_t count, size_t to)
{
    for (size_t k = 0; k < o->d; k++) cover_axis(&o->axis[k], o->set.width, x[k], &o->cover[k]);
    const bool deep = o->d == 3;
    for (size_t n2 = 0; n2 < (deep ? o->cover[2].count : 1); n2++)
        for (size_t n1 = 0; n1 < o->cover[1].count; n1++)
            for (size_t n0 = 0; n0 < o->cover[0].count; n0++) {
                const double part = o->cover[0].part[n0] * o->cover[1].part[n1] * (deep ? o->cover[2].part[n2] : 1);
                size_t cell = deep ? cell_along(&o->axis[2], o->cover[2].first + (double)n2) : 0;
                cell = cell * o->axis[1].cells + cell_along(&o->axis[1], o->cover[1].first + (double)n1);
                cell = cell * o->axis[0].cells + cell_along(&o->axis[0], o->cover[0].first + (double)n0);
                double *sum = o->sums + cell * o->numbers + to;
                for (size_t c = 0; c < count; c++) sum[c] += weight * part * numbers[c];
            }
}

/* The part of the last distribution that lies in the grid. */
static double part_inside(const fields *o)
{
    double inside = 1;
    for (size_t k = 0; k < o->d; k++) {
        double sum = 0;
        for (size_t n = 0; n < o->cover[k].count; n++) sum += o->cover[k].part[n];
        if (o->axis[k].open) inside *= sum;
    }
    return inside;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Parts of the branch for the rule of Gauss: each at most a width long along any axis over which W spreads. */
static int parts_of(const fields *o, const contact_impulse *c)
{
    double longest = 0;
    for (size_t k = 0; k < o->d; k++)
        if (!o->axis[k].whole) longest = fmax(longest, fabs(c->branch[k]));
    return (int)fmin(fmax(1, ceil(longest / o->set.width)), MOST_PARTS);
}

static void spread_branch(fields *o, const contact_impulse *c, double share)
{
    static const double node[] = {0.06943184420297371239, 0.33000947820757186760, 0.66999052179242813240,
                                  0.93056815579702628761};
    static const double weight[] = {0.17392742256872692869, 0.32607257743127307131, 0.32607257743127307131,
                                    0.17392742256872692869};
    double product[9], x[3] = {0};
    const int parts = parts_of(o, c);
    for (size_t a = 0; a < o->d; a++)
        for (size_t b = 0; b < o->d; b++) product[a * o->d + b] = c->product[a][b];
    for (int n = 0; n < parts; n++)
        for (int q = 0; q < 4; q++) {
            const double s = ((double)n + node[q]) / parts;
            for (size_t k = 0; k < o->d; k++) x[k] = c->place[k] - s * c->branch[k];
            spread(o, x, share * weight[q] / parts, product, o->d * o->d, 1 + o->d + o->d * o->d);
        }
}

static carom_status gather(void *self, const contact_log *log, error *e)
{
    fields *o = self;
    (void)e;
    for (size_t n = 0; n < log->count; n++) {
        const contact_impulse *c = &log->at[n];
        const double share = species_share(o->set.species, c->species[0], c->species[1]);
        double x[3] = {0};
        if (share == 0) continue;
        spread_branch(o, c, share);
        if (c->j != CONTACT_BOUNDARY) continue;
        for (size_t k = 0; k < o->d; k++) x[k] = c->place[k] - c->branch[k];
        spread(o, x, 1, c->impulse, o->d, 1 + o->d + 2 * o->d * o->d);
        const double inside = part_inside(o);
        for (size_t k = 0; k < o->d; k++) o->force[k] += inside * c->impulse[k];
    }
    return CAROM_OK;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static double spread_particle(fields *o, const carom_frame *f, size_t i, double interval)
{
    double numbers[1 + 3 + 9], v[3] = {0}, x[3] = {0};
    for (size_t a = 0; a < o->d; a++) {
        x[a] = f->position[i * o->d + a];
        v[a] = motion_unscaled(f, f->velocity[i * o->d + a], 1);
    }
    numbers[0] = f->mass[i];
    for (size_t a = 0; a < o->d; a++) {
        numbers[1 + a] = f->mass[i] * v[a];
        for (size_t b = 0; b < o->d; b++) numbers[1 + o->d + a * o->d + b] = f->mass[i] * v[a] * v[b];
    }
    spread(o, x, interval, numbers, 1 + o->d + o->d * o->d, 0);
    return part_inside(o) * f->mass[i];
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    fields *o = self;
    const double interval = frame->time - o->g.last_time;
    double line[1 + 3] = {0};
    if (!(interval > 0)) return CAROM_OK;
    frame_need(frame, FRAME_POSITION | FRAME_VELOCITY | FRAME_MASS | FRAME_SPECIES);
    TRY(bodies_of(&o->bodies, frame, &frame, e));
    for (size_t i = 0; i < frame->count; i++)
        if (o->set.species == NO_SPECIES || frame->species[i] == o->set.species)
            line[0] += spread_particle(o, frame, i, interval);
    for (size_t k = 0; k < o->d; k++) {
        line[1 + k] = o->force[k] / interval;
        o->force[k] = 0;
    }
    o->total += interval;
    o->g.last_time = frame->time;
    return series_add(&o->g.rows, frame->time, interval, line, e);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* Densities of a cell, times its volume: `from` has the sums, `to` the columns of one row. */
static void fill_row(const fields *o, size_t cell, double *to[GRID_COLUMNS])
{
    const size_t d = o->d, tensor = d * d;
    const double *from = o->sums + cell * o->numbers, by = o->total * o->volume;
    const double mass = from[0];
    to[3][cell] = mass / by;
    for (size_t a = 0; a < d; a++) {
        to[4][cell * d + a] = mass > 0 ? from[1 + a] / mass : 0;
        to[7][cell * d + a] = from[1 + d + 2 * tensor + a] / by;
        for (size_t b = 0; b < d; b++) {
            const size_t ab = a * d + b;
            const double mean = mass > 0 ? from[1 + a] * from[1 + b] / mass : 0;
            to[5][cell * tensor + ab] = (from[1 + d + ab] - mean) / by;
            to[6][cell * tensor + ab] = from[1 + d + tensor + ab] / by;
        }
    }
}

static void fill_places(const fields *o, size_t cell, double *to[GRID_COLUMNS])
{
    size_t left = cell;
    for (size_t k = 0; k < o->d; k++) {
        const row *r = &o->axis[k];
        to[k][cell] = r->low + ((double)(left % r->cells) + 0.5) * r->side;
        left /= r->cells;
    }
}

static void fill_table(fields *o)
{
    static const char *const names[] = {"x", "y", "z", "density", "velocity", "kinetic", "contact", "boundary"};
    static const char *const units[] = {
        "length",        "length",          "length",          "mass / volume",
        "length / time", "energy / volume", "energy / volume", "energy / length / volume"};
    const size_t d = o->d, widths[] = {1, 1, d == 3, 1, d, d * d, d * d, d};
    double *to[GRID_COLUMNS], *next = o->table;
    size_t count = 0;
    for (int c = 0; c < GRID_COLUMNS; c++) {
        to[c] = next;
        next += o->cells * widths[c];
        if (widths[c] > 0) o->columns[count++] = (measure_column){names[c], units[c], widths[c], to[c]};
    }
    for (size_t cell = 0; cell < o->cells && o->total > 0; cell++) {
        fill_places(o, cell, to);
        fill_row(o, cell, to);
    }
    o->tables[1] = (measure_table){
        .name = "grid", .rows = o->total > 0 ? o->cells : 0, .columns = o->columns, .column_count = count};
}

static carom_status result(void *self, measure_result *out, error *e)
{
    fields *o = self;
    TRY(gauge_result(self, out, e));
    fill_table(o);
    o->tables[0] = *out->tables;
    out->tables = o->tables;
    out->table_count = 2;
    return CAROM_OK;
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const fields *o = self;
    TRY(gauge_save(self, prefix, out, e));
    return store_put(out, prefix, "sums", SNAPSHOT_F64, o->cells * o->numbers, o->sums, e);
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    fields *o = self;
    TRY(gauge_load(self, prefix, in, e));
    return store_get(in, prefix, "sums", SNAPSHOT_F64, o->cells * o->numbers, o->sums, e);
}

static carom_status plan(void *set, const measure_plan *run, error *e)
{
    (void)set;
    if (!run->shrinks) return CAROM_OK;
    return error_set(e, CAROM_BAD_DATA, "error: fields needs a box of constant size; leave it out");
}

/* TALLY_IMAGES: images above a sheared box move along x. */
const observable observable_fields = {.settings = &settings,
                                      .tallies = TALLY_CONTACTS | TALLY_IMAGES,
                                      .needs_particles = true,
                                      .plan = plan,
                                      .create = create,
                                      .sample = sample,
                                      .gather = gather,
                                      .result = result,
                                      .drain = gauge_drain,
                                      .save = save,
                                      .load = load,
                                      .destroy = destroy};
