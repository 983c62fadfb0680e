/* Distribution of velocities in units of the thermal one, c = (v - V) / sqrt(T / m): of components and of speeds, so
 * that Maxwell's is the unit normal for every species; and its fourth cumulant
 *
 *     a2 = (n + 2) / n * D <c^4> / ((D + 2) <c^2>^2) - 1,    n = D (N - 1),
 *
 * the first Sonine coefficient (van Noije and Ernst, Granul. Matter 1, 57 (1998)). The factor (n + 2) / n, exact for
 * equal masses, corrects for the scaling of c^2 by T of the same sample: thermal particles give 0 on average for any
 * N. Of a species: T is its own temperature (motion_temperature_of), V the velocity of all, n its degrees of freedom; with x its
 * part of the mass the factor is exact but for x (1 - x) / n of its 2 / n. A clump is one particle, at its centre of mass. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "measure/bodies.h"
#include "measure/motion.h"
#include "measure/series.h"
#include "measure/species.h"
#include "measure/store.h"
#include "measure/sum.h"

enum { COLUMNS = 3, TABLES = 3 };

typedef struct velocity_settings {
    uint32_t species; /* first: SPECIES_ROW */
    uint64_t bins;
    double range;
} velocity_settings;

static const setting entries[] = {
    SPECIES_ROW("particles of this species only, over their own thermal speed"),
    {.name = "bins",
     .type = SETTING_INTEGER,
     .offset = offsetof(velocity_settings, bins),
     .unit = "",
     .fallback = "100",
     .min = 1,
     .max = 100000,
     .help = "number of bins, from -range to range for components, from 0 to range for speeds"},
    {.name = "range",
     .type = SETTING_REAL,
     .offset = offsetof(velocity_settings, range),
     .unit = "thermal speed",
     .fallback = "5",
     .max = 1e9,
     .above_min = true,
     .help = "largest component and speed in the histograms, in units of sqrt(T / m)"},
};

static const settings_table settings = {
    .name = "velocity_distribution",
    .help = "distribution of velocity components and speeds over the thermal speed, and the fourth cumulant a2",
    .size = sizeof(velocity_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = species_begin,
};

static const series_column cumulant[] = {{"a2", "", 1, true}};

typedef struct velocity_distribution {
    velocity_settings set;
    series a2;
    blocking density; /* [2 * bins]: components, then speeds */
    double *now;      /* [2 * bins] */
    double *row;      /* [2][COLUMNS][bins] */
    measure_value value;
    measure_column columns[2][COLUMNS];
    measure_table tables[TABLES];
    bodies bodies;
} velocity_distribution;

static void destroy(void *self)
{
    velocity_distribution *o = self;
    if (o == NULL) return;
    series_destroy(&o->a2);
    blocking_destroy(&o->density);
    memory_free(o->now);
    memory_free(o->row);
    bodies_free(&o->bodies);
    memory_free(o);
}

static carom_status allocate(velocity_distribution *o, error *e)
{
    size_t bins = (size_t)o->set.bins;
    o->now = NEW_ARRAY(2 * bins, double);
    o->row = NEW_ARRAY(2 * bins * COLUMNS, double);
    if (o->now == NULL || o->row == NULL)
        return error_memory(e, "velocity_distribution", 2 * bins * (1 + COLUMNS) * sizeof(double));
    TRY(series_create(&o->a2, "a2", cumulant, 1, e));
    return blocking_create(&o->density, 2 * bins, e);
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    velocity_distribution *o = NEW_ARRAY(1, velocity_distribution);
    (void)first;
    if (o == NULL) return error_memory(e, "velocity_distribution", sizeof *o);
    o->set = *(const velocity_settings *)set;
    carom_status status = allocate(o, e);
    if (status == CAROM_OK)
        *self = o;
    else
        destroy(o);
    return status;
}

/* Adds `share` to the bin of x, bins of equal width from low up. */
static void drop(double *bin, size_t bins, double low, double width, double x, double share)
{
    double at = floor((x - low) / width);
    if (at >= 0.0 && at < (double)bins) bin[(size_t)at] += share;
}

/* The particles that count. */
typedef struct group {
    double temperature, count, freedom;
} group;

static group group_of(const velocity_distribution *o, const carom_frame *f, const motion *m)
{
    const double D = (double)f->dimension;
    const uint32_t species = o->set.species;
    group g = {.temperature = m->temperature, .count = (double)f->count};
    double mass = 0;
    g.freedom = D * (g.count - 1.0);
    if (species == NO_SPECIES) return g;
    g.temperature = motion_temperature_of(f, m, species);
    g.count = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->species[i] != species) continue;
        g.count++;
        mass += f->mass[i];
    }
    g.freedom = D * (g.count - mass / m->mass);
    return g;
}

/* Fills `now` with the densities of a frame; returns a2. */
static double look(velocity_distribution *o, const carom_frame *f, const motion *m, const group *g)
{
    size_t bins = (size_t)o->set.bins, d = (size_t)f->dimension;
    double range = o->set.range, narrow = range / (double)bins, wide = 2.0 * narrow, n = g->count;
    double D = (double)d, freedom = g->freedom;
    sum second = {0}, fourth = {0};
    memset(o->now, 0, 2 * bins * sizeof *o->now);
    for (size_t i = 0; i < f->count; i++) {
        double thermal = sqrt(g->temperature / f->mass[i]), square = 0.0;
        if (!species_has(o->set.species, f, i)) continue;
        for (size_t a = 0; a < d; a++) {
            double flow = a == 0 ? motion_flow(f, i) : 0;
            double c = (f->velocity[i * d + a] - flow - m->velocity[a]) / thermal;
            square += c * c;
            drop(o->now, bins, -range, wide, c, 1.0 / (n * D * wide));
        }
        drop(o->now + bins, bins, 0.0, narrow, sqrt(square), 1.0 / (n * narrow));
        sum_add(&second, square / n);
        sum_add(&fourth, square * square / n);
    }
    double ratio = sum_total(&fourth) / (sum_total(&second) * sum_total(&second));
    return (freedom + 2.0) / freedom * D / (D + 2.0) * ratio - 1.0;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    velocity_distribution *o = self;
    TRY(bodies_of(&o->bodies, frame, &frame, e));
    motion m = motion_of(frame);
    if (o->set.species != NO_SPECIES) frame_need(frame, FRAME_SPECIES);
    const group g = group_of(o, frame, &m);
    if (!(g.temperature > 0.0)) return CAROM_OK; /* all particles at rest: no thermal speed */
    double a2 = look(o, frame, &m, &g);
    TRY(series_add(&o->a2, frame->time, 1.0, &a2, e));
    return blocking_add(&o->density, 1.0, o->now, e);
}

/* Table number t: 0 components, 1 speeds. */
static void fill_table(velocity_distribution *o, int t)
{
    size_t bins = (size_t)o->set.bins;
    double low = t == 0 ? -o->set.range : 0.0, width = (o->set.range - low) / (double)bins;
    double *c = o->row + (size_t)t * COLUMNS * bins, *density = c + bins, *wrong = density + bins;
    for (size_t b = 0; b < bins; b++) {
        bool converged;
        c[b] = low + ((double)b + 0.5) * width;
        density[b] = blocking_mean(&o->density, (size_t)t * bins + b);
        wrong[b] = blocking_standard_error(&o->density, (size_t)t * bins + b, &converged);
    }
    o->columns[t][0] = (measure_column){t == 0 ? "component" : "speed", "thermal speed", 1, c};
    o->columns[t][1] = (measure_column){"density", "1 / thermal speed", 1, density};
    o->columns[t][2] = (measure_column){"error", "1 / thermal speed", 1, wrong};
    o->tables[t] = (measure_table){.name = t == 0 ? "components" : "speeds",
                                   .rows = o->density.count > 0 ? bins : 0,
                                   .columns = o->columns[t],
                                   .column_count = COLUMNS};
}

static carom_status result(void *self, measure_result *out, error *e)
{
    velocity_distribution *o = self;
    (void)e;
    fill_table(o, 0);
    fill_table(o, 1);
    o->tables[2] = series_table(&o->a2);
    o->value = series_value(&o->a2, 0);
    *out = (measure_result){&o->value, 1, o->tables, TABLES};
    return CAROM_OK;
}

static void drain(void *self)
{
    velocity_distribution *o = self;
    series_drain(&o->a2);
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const velocity_distribution *o = self;
    TRY(series_save(&o->a2, prefix, out, e));
    char *path = store_path(prefix, "density");
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 9);
    carom_status status = blocking_save(&o->density, path, out, e);
    memory_free(path);
    return status;
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    velocity_distribution *o = self;
    TRY(series_load(&o->a2, prefix, in, e));
    char *path = store_path(prefix, "density");
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 9);
    carom_status status = blocking_load(&o->density, path, in, e);
    memory_free(path);
    return status;
}

const observable observable_velocity_distribution = {
    .settings = &settings,
    .needs_particles = true,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = drain,
    .save = save,
    .load = load,
    .destroy = destroy,
};
