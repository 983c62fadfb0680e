/* Stress of the time between two samples, positive in compression:
 *
 *     contact: (1 / V dt) sum over impulses of J_a r_b,    kinetic: (1 / V) sum m c_a c_b,
 *
 * J the impulse on i, r the branch from the centre of j, or from the point of contact with a boundary, to the centre of
 * i (Christoffersen, Mehrabadi, Nemat-Nasser, J. Appl. Mech. 48, 339 (1981)); c the velocity relative to the centre of
 * mass, the mean of both ends of the interval as in `pressure`. With boundaries, the sum is exact: V times the mean stress of a body at rest is the sum of x f over the forces from
 * outside. A profile splits each branch between the bins that it crosses, in proportion: the mean over a bin of the
 * force through planes (Irving and Kirkwood). Of a species: half of a contact belongs to each of its particles. A clump is one
 * particle, at its centre of mass. With open sides the stress is that of the box: of the particles with centres inside, relative
 * to their own mean velocity, and of the parts of branches inside, which is the mean over the box of Irving and Kirkwood's stress. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "measure/bins.h"
#include "measure/bodies.h"
#include "measure/box.h"
#include "measure/gauge.h"
#include "measure/motion.h"
#include "measure/species.h"
#include "measure/store.h"

enum { PROFILE_COLUMNS = 5 };

typedef struct stress_settings {
    uint32_t species; /* first: setting_has_species */
    bins_settings bins;
} stress_settings;

static const setting entries[] = {
    SPECIES_ROW("the part of this species only: half of each contact with another one, and its kinetic part"),
    BINS_ROWS(stress_settings, bins, 100000),
};

static const settings_table settings = {
    .name = "stress",
    .help = "stress tensor, with its contact part and kinetic part, of all particles or one species, in the box and in "
            "bins along an axis; positive in compression",
    .size = sizeof(stress_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = species_begin,
};

typedef struct stress {
    gauge g;           /* first: the functions of gauges cast to it */
    double contact[9]; /* sum of J r since the last sample; saved with the gauge, as: */
    double kinetic[9]; /* kinetic part at the last sample, times the volume */
    stress_settings set;
    size_t d;      /* dimension */
    double volume; /* of the box */
    double box[3];
    bool open[3]; /* axes with open sides */
    bodies bodies;
    bins bins;
    double *crossed;  /* [bins][d * d]: sum of the parts of J r since the last sample */
    double *momentum; /* [bins][1 + d]: mass and momentum of a frame */
    double *last;     /* [bins][d * d]: kinetic part at the last sample, times the volume of a bin */
    double *now;      /* [2][bins][d * d]: contact part, then kinetic part, of a sample */
    blocking profile; /* the same numbers */
    double *table[PROFILE_COLUMNS];
    measure_column columns[PROFILE_COLUMNS];
    measure_table tables[2];
} stress;

static void destroy(void *self)
{
    stress *o = self;
    if (o == NULL) return;
    blocking_destroy(&o->profile);
    memory_free(o->crossed);
    memory_free(o->momentum);
    memory_free(o->last);
    memory_free(o->now);
    bodies_free(&o->bodies);
    for (int c = 0; c < PROFILE_COLUMNS; c++) memory_free(o->table[c]);
    gauge_destroy(self);
}

static carom_status make_profile(stress *o, error *e)
{
    const size_t numbers = o->bins.count * o->d * o->d;
    o->crossed = NEW_ARRAY(numbers, double);
    o->momentum = NEW_ARRAY(o->bins.count * (1 + o->d), double);
    o->last = NEW_ARRAY(numbers, double);
    o->now = NEW_ARRAY(2 * numbers, double);
    bool made = o->crossed != NULL && o->momentum != NULL && o->last != NULL && o->now != NULL;
    for (int c = 0; c < PROFILE_COLUMNS; c++) {
        o->table[c] = NEW_ARRAY(c == 0 ? o->bins.count : numbers, double);
        made = made && o->table[c] != NULL;
    }
    return made ? blocking_create(&o->profile, 2 * numbers, e)
                : error_memory(e, settings.name, 9 * numbers * sizeof(double));
}

static carom_status look(stress *o, const carom_frame *f, double kinetic[9], double *profile, error *e);

static carom_status create(void **self, const void *given, const carom_frame *first, error *e)
{
    const stress_settings *set = given;
    const size_t d = (size_t)first->dimension;
    const series_column columns[] = {{"stress", "energy / volume", 1, true},
                                     {"tensor", "energy / volume", d * d, true},
                                     {"contact", "energy / volume", d * d, true},
                                     {"kinetic", "energy / volume", d * d, true}};
    TRY(bins_check(&set->bins, first, e));
    TRY(gauge_create_in(self, sizeof(stress), 18, &settings, columns, 4, first, e));
    stress *o = *self;
    o->set = *set;
    o->d = d;
    o->volume = box_volume(first);
    o->bins = bins_of(&set->bins, first);
    for (size_t k = 0; k < d; k++) {
        o->box[k] = first->box[k];
        o->open[k] = first->boundary[k] == BOUNDARY_OPEN;
    }
    carom_status status = o->bins.count > 0 ? make_profile(o, e) : CAROM_OK;
    if (status == CAROM_OK) status = look(o, first, o->kinetic, o->last, e);
    if (status == CAROM_OK) return status;
    destroy(o);
    *self = NULL;
    return status;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static void add_to(const stress *o, double at, double part, const contact_impulse *c)
{
    double *to = o->crossed + bins_at(&o->bins, at) * o->d * o->d;
    for (size_t a = 0; a < o->d; a++)
        for (size_t b = 0; b < o->d; b++) to[a * o->d + b] += part * c->product[a][b];
}

/* The part of a branch that lies within open sides, from part[0] to part[1] of its length; false: none. */
static bool clip(const stress *o, const contact_impulse *c, double part[2])
{
    part[0] = 0;
    part[1] = 1;
    for (size_t k = 0; k < o->d; k++) {
        const double from = c->place[k], step = -c->branch[k];
        if (!o->open[k]) continue;
        if (step == 0 && !(from >= 0 && from < o->box[k])) return false;
        if (step == 0) continue;
        const double at[2] = {-from / step, (o->box[k] - from) / step};
        part[0] = fmax(part[0], fmin(at[0], at[1]));
        part[1] = fmin(part[1], fmax(at[0], at[1]));
    }
    return part[0] < part[1];
}

/* Each bin receives the fraction of this part of the branch that lies in it. */
static void split(const stress *o, const contact_impulse *c, const double part[2], double share)
{
    const double width = o->bins.length / (double)o->bins.count, from = c->place[o->bins.along];
    const double end = from - part[0] * c->branch[o->bins.along], start = from - part[1] * c->branch[o->bins.along];
    const double low = fmin(start, end) / width, high = fmax(start, end) / width;
    const double first = floor(low), last = floor(high);
    if (!(high - low > 1e-12)) {
        add_to(o, floor(0.5 * (low + high)), share, c);
        return;
    }
    for (double at = first; at <= last; at++)
        add_to(o, at, share * (fmin(high, at + 1) - fmax(low, at)) / (high - low), c);
}

static carom_status gather(void *self, const contact_log *log, error *e)
{
    stress *o = self;
    (void)e;
    for (size_t n = 0; n < log->count; n++) {
        const contact_impulse *c = &log->at[n];
        double part[2], share = species_share(o->set.species, c->species[0], c->species[1]);
        if (share == 0 || !clip(o, c, part)) continue;
        share *= part[1] - part[0];
        for (size_t a = 0; a < o->d; a++)
            for (size_t b = 0; b < o->d; b++) o->contact[a * o->d + b] += share * c->product[a][b];
        if (o->bins.count > 0) split(o, c, part, share);
    }
    return CAROM_OK;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static bool is_inside(const stress *o, const carom_frame *f, size_t i)
{
    bool inside = true;
    for (size_t k = 0; k < o->d; k++) {
        const double x = f->position[i * o->d + k];
        inside = inside && (!o->open[k] || (x >= 0 && x < o->box[k]));
    }
    return inside;
}

static bool belongs(const stress *o, const carom_frame *f, size_t i)
{
    return species_has(o->set.species, f, i) && is_inside(o, f, i);
}

/* The velocity of a particle relative to the flow of a sheared box. */
static void velocity_of(const carom_frame *f, size_t i, double v[3])
{
    for (int a = 0; a < f->dimension; a++) v[a] = f->velocity[i * (size_t)f->dimension + (size_t)a];
    v[0] -= motion_flow(f, i);
}

static void add_kinetic(const stress *o, const carom_frame *f, size_t i, const double mean[3], double *to)
{
    double v[3];
    velocity_of(f, i, v);
    for (size_t a = 0; a < o->d; a++)
        for (size_t b = 0; b < o->d; b++)
            to[a * o->d + b] += motion_unscaled(f, f->mass[i] * (v[a] - mean[a]) * (v[b] - mean[b]), 2);
}

static size_t bin_of(const stress *o, const carom_frame *f, size_t i)
{
    return bins_at(&o->bins, floor(f->position[i * o->d + o->bins.along] * (double)o->bins.count / o->bins.length));
}

/* Relative to the mean velocity of the bin, of all species. */
static void kinetic_profile(stress *o, const carom_frame *f, double *to)
{
    const size_t row = 1 + o->d;
    memset(o->momentum, 0, o->bins.count * row * sizeof *o->momentum);
    for (size_t i = 0; i < f->count; i++) {
        if (!is_inside(o, f, i)) continue;
        double v[3], *m = o->momentum + bin_of(o, f, i) * row;
        velocity_of(f, i, v);
        m[0] += f->mass[i];
        for (size_t a = 0; a < o->d; a++) m[1 + a] += f->mass[i] * v[a];
    }
    for (size_t i = 0; i < f->count; i++) {
        const size_t bin = bin_of(o, f, i);
        const double *m = o->momentum + bin * row;
        double mean[3] = {0};
        if (!belongs(o, f, i)) continue;
        for (size_t a = 0; a < o->d; a++) mean[a] = m[1 + a] / m[0];
        add_kinetic(o, f, i, mean, to + bin * o->d * o->d);
    }
}

/* The mean velocity: with open sides of the particles inside. */
static void mean_velocity(const stress *o, const carom_frame *f, double mean[3])
{
    double mass = 0;
    memset(mean, 0, 3 * sizeof *mean);
    if (!o->open[0] && !o->open[1] && !o->open[2]) {
        const motion all = motion_of(f);
        memcpy(mean, all.velocity, sizeof all.velocity);
        return;
    }
    for (size_t i = 0; i < f->count; i++) {
        double v[3];
        if (!is_inside(o, f, i)) continue;
        velocity_of(f, i, v);
        mass += f->mass[i];
        for (size_t a = 0; a < o->d; a++) mean[a] += f->mass[i] * v[a];
    }
    for (size_t a = 0; a < o->d && mass > 0; a++) mean[a] /= mass;
}

/* The kinetic part of a frame, times the volume; with a profile also that of each bin. */
static carom_status look(stress *o, const carom_frame *f, double kinetic[9], double *in_bins, error *e)
{
    double mean[3];
    frame_need(f, FRAME_POSITION | FRAME_VELOCITY | FRAME_MASS | FRAME_SPECIES);
    TRY(bodies_of(&o->bodies, f, &f, e));
    mean_velocity(o, f, mean);
    memset(kinetic, 0, 9 * sizeof *kinetic);
    for (size_t i = 0; i < f->count; i++)
        if (belongs(o, f, i)) add_kinetic(o, f, i, mean, kinetic);
    if (o->bins.count == 0) return CAROM_OK;
    memset(in_bins, 0, o->bins.count * o->d * o->d * sizeof *in_bins);
    kinetic_profile(o, f, in_bins);
    return CAROM_OK;
}

static carom_status sample_profile(stress *o, double interval, error *e)
{
    const size_t numbers = o->bins.count * o->d * o->d;
    const double volume = o->volume / (double)o->bins.count;
    for (size_t n = 0; n < numbers; n++) {
        const double kinetic = o->now[numbers + n];
        o->now[n] = box_ratio(o->crossed[n] / interval, volume);
        o->now[numbers + n] = box_ratio(0.5 * (o->last[n] + kinetic), volume);
        o->last[n] = kinetic;
    }
    memset(o->crossed, 0, numbers * sizeof *o->crossed);
    return blocking_add(&o->profile, interval, o->now, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    stress *o = self;
    const size_t tensor = o->d * o->d;
    const double interval = frame->time - o->g.last_time;
    double row[1 + 3 * 9] = {0}, kinetic[9];
    if (!(interval > 0)) return CAROM_OK;
    TRY(look(o, frame, kinetic, o->bins.count > 0 ? o->now + o->bins.count * tensor : NULL, e));
    for (size_t ab = 0; ab < tensor; ab++) {
        row[1 + tensor + ab] = box_ratio(o->contact[ab] / interval, o->volume);
        row[1 + 2 * tensor + ab] = box_ratio(0.5 * (o->kinetic[ab] + kinetic[ab]), o->volume);
        row[1 + ab] = row[1 + tensor + ab] + row[1 + 2 * tensor + ab];
    }
    for (size_t a = 0; a < o->d; a++) row[0] += row[1 + a * (o->d + 1)] / (double)o->d;
    memset(o->contact, 0, sizeof o->contact);
    memcpy(o->kinetic, kinetic, sizeof kinetic);
    o->g.last_time = frame->time;
    if (o->bins.count > 0) TRY(sample_profile(o, interval, e));
    return series_add(&o->g.rows, frame->time, interval, row, e);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void fill_profile(stress *o)
{
    static const char *const names[] = {"contact", "contact_error", "kinetic", "kinetic_error"};
    const size_t tensor = o->d * o->d, numbers = o->bins.count * tensor;
    for (size_t bin = 0; bin < o->bins.count; bin++) o->table[0][bin] = bins_middle(&o->bins, bin);
    for (size_t n = 0; n < 2 * numbers; n++) {
        const size_t part = n / numbers;
        bool converged;
        o->table[1 + 2 * part][n % numbers] = blocking_mean(&o->profile, n);
        o->table[2 + 2 * part][n % numbers] = blocking_standard_error(&o->profile, n, &converged);
    }
    o->columns[0] = (measure_column){"position", "length", 1, o->table[0]};
    for (int c = 1; c < PROFILE_COLUMNS; c++)
        o->columns[c] = (measure_column){names[c - 1], "energy / volume", tensor, o->table[c]};
    o->tables[1] = (measure_table){.name = "profile",
                                   .rows = o->profile.count > 0 ? o->bins.count : 0,
                                   .columns = o->columns,
                                   .column_count = PROFILE_COLUMNS};
}

static carom_status result(void *self, measure_result *out, error *e)
{
    stress *o = self;
    TRY(gauge_result(self, out, e));
    if (o->bins.count == 0) return CAROM_OK;
    fill_profile(o);
    o->tables[0] = *out->tables;
    out->tables = o->tables;
    out->table_count = 2;
    return CAROM_OK;
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const stress *o = self;
    TRY(gauge_save(self, prefix, out, e));
    if (o->bins.count == 0) return CAROM_OK;
    TRY(store_put(out, prefix, "crossed", SNAPSHOT_F64, o->bins.count * o->d * o->d, o->crossed, e));
    TRY(store_put(out, prefix, "last_kinetic", SNAPSHOT_F64, o->bins.count * o->d * o->d, o->last, e));
    char *path = store_path(prefix, "profile");
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 9);
    const carom_status status = blocking_save(&o->profile, path, out, e);
    memory_free(path);
    return status;
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    stress *o = self;
    TRY(gauge_load(self, prefix, in, e));
    if (o->bins.count == 0) return CAROM_OK;
    TRY(store_get(in, prefix, "crossed", SNAPSHOT_F64, o->bins.count * o->d * o->d, o->crossed, e));
    TRY(store_get(in, prefix, "last_kinetic", SNAPSHOT_F64, o->bins.count * o->d * o->d, o->last, e));
    char *path = store_path(prefix, "profile");
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 9);
    const carom_status status = blocking_load(&o->profile, path, in, e);
    memory_free(path);
    return status;
}

/* Refused for a box that shrinks: bins and volume are those of the start. */
static carom_status plan(void *set, const measure_plan *run, error *e)
{
    (void)set;
    if (!run->shrinks) return CAROM_OK;
    return error_set(e, CAROM_BAD_DATA, "error: stress needs a box of constant size; use `pressure`");
}

const observable observable_stress = {.settings = &settings,
                                      .tallies = TALLY_CONTACTS,
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
