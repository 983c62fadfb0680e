/* Velocity autocorrelation <v(0).v(t)> over many origins, and the diffusion coefficient by Green and Kubo,
 *
 *     D(t) = (1/dimension) integral from 0 to t of <v(0).v(s)> ds    (trapezoids),
 *
 * which converges to the coefficient for t beyond the correlation time. At most `origins` sets of velocities are
 * stored: a new origin starts every ceil((lags + 1) / origins) samples and is used for `lags` samples. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "measure/box.h"
#include "measure/motion.h"
#include "measure/store.h"
#include "measure/track.h"

enum { VALUES = 2, COLUMNS = 7 };

typedef struct vacf_settings {
    uint64_t lags, origins;
    bool remove_drift;
} vacf_settings;

static const setting entries[] = {
    {.name = "lags",
     .type = SETTING_INTEGER,
     .offset = offsetof(vacf_settings, lags),
     .unit = "samples",
     .fallback = "100",
     .min = 1,
     .max = 1000000,
     .help = "longest lag, in samples"},
    {.name = "origins",
     .type = SETTING_INTEGER,
     .offset = offsetof(vacf_settings, origins),
     .unit = "",
     .fallback = "10",
     .min = 1,
     .max = 10000,
     .help = "origins followed at the same time, each a set of velocities in memory"},
    {.name = "remove_drift",
     .type = SETTING_BOOL,
     .offset = offsetof(vacf_settings, remove_drift),
     .unit = "",
     .fallback = "false",
     .help = "take velocities relative to the centre of mass"},
};

static const settings_table settings = {
    .name = "vacf",
    .help = "velocity autocorrelation against lag, over many origins, and the diffusion coefficient from its integral",
    .size = sizeof(vacf_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
};

typedef struct vacf {
    vacf_settings set;
    track particles;
    uint64_t spacing; /* samples between origins */
    size_t slots;     /* origin number k is in slot k % slots */
    double **origin;  /* [slots][count][dimension] scaled velocities */
    double *origin_time;
    int64_t *origin_scale;
    double *now;
    uint64_t *origins; /* [lags + 1] */
    double *lag_time;  /* [lags + 1], summed */
    double *product;   /* [lags + 1][groups] sum of v(0).v(t) over particles and origins, true units */
    double *rows;      /* [COLUMNS][lags + 1] */
    measure_value values[VALUES];
    measure_column columns[COLUMNS];
    measure_table table;
} vacf;

static size_t numbers(const vacf *o)
{
    return o->particles.count * (size_t)o->particles.dimension;
}

static size_t lag_total(const vacf *o)
{
    return (size_t)o->set.lags + 1;
}

static void destroy(void *self)
{
    vacf *o = self;
    if (o == NULL) return;
    for (size_t s = 0; s < o->slots && o->origin != NULL; s++) memory_free(o->origin[s]);
    memory_free(o->origin);
    memory_free(o->origin_time);
    memory_free(o->origin_scale);
    memory_free(o->now);
    memory_free(o->origins);
    memory_free(o->lag_time);
    memory_free(o->product);
    memory_free(o->rows);
    memory_free(o);
}

static carom_status allocate(vacf *o, error *e)
{
    o->origin = NEW_ARRAY(o->slots, double *);
    o->origin_time = NEW_ARRAY(o->slots, double);
    o->origin_scale = NEW_ARRAY(o->slots, int64_t);
    o->now = NEW_ARRAY(numbers(o), double);
    o->origins = NEW_ARRAY(lag_total(o), uint64_t);
    o->lag_time = NEW_ARRAY(lag_total(o), double);
    o->product = NEW_ARRAY(lag_total(o) * o->particles.groups, double);
    o->rows = NEW_ARRAY(lag_total(o) * COLUMNS, double);
    bool complete = o->origin != NULL && o->origin_time != NULL && o->origin_scale != NULL && o->now != NULL &&
                    o->origins != NULL && o->lag_time != NULL && o->product != NULL && o->rows != NULL;
    for (size_t s = 0; s < o->slots && complete; s++) {
        o->origin[s] = NEW_ARRAY(numbers(o), double);
        complete = o->origin[s] != NULL;
    }
    if (complete) return CAROM_OK;
    return error_memory(e, "vacf (fewer `origins` need less)", (o->slots + 1) * numbers(o) * sizeof(double));
}

/* Adds v(0).v(t) of an origin, group by group; the sums do not contain 2^(scale of both). */
static void add_products(const vacf *o, const double *origin, int64_t scale, double *product)
{
    size_t d = (size_t)o->particles.dimension, width = o->particles.groups * d, all = numbers(o);
    double part[TRACK_GROUPS * 3] = {0};
    for (size_t i = 0; i < all; i += width) {
        size_t end = all - i < width ? all - i : width;
        for (size_t k = 0; k < end; k++) part[k] += o->now[i + k] * origin[i + k];
    }
    const carom_frame both = {.scale = scale};
    for (size_t k = 0; k < width; k++) product[k / d] += motion_unscaled(&both, part[k], 1);
}

/* Sample number n: correlated with the active origins; it becomes an origin if one is due. */
static carom_status look(vacf *o, const carom_frame *frame, error *e)
{
    uint64_t n = o->particles.samples, newest = n / o->spacing;
    TRY(track_velocities(&o->particles, frame, o->set.remove_drift, o->now, e));
    if (n % o->spacing == 0) {
        size_t slot = (size_t)(newest % o->slots);
        memcpy(o->origin[slot], o->now, numbers(o) * sizeof(double));
        o->origin_time[slot] = frame->time;
        o->origin_scale[slot] = frame->scale;
    }
    for (uint64_t back = 0; back <= newest && back < o->slots; back++) {
        size_t slot = (size_t)((newest - back) % o->slots);
        uint64_t lag = n - (newest - back) * o->spacing;
        if (lag > o->set.lags) break;
        add_products(o, o->origin[slot], o->origin_scale[slot] + frame->scale, o->product + lag * o->particles.groups);
        o->lag_time[lag] += frame->time - o->origin_time[slot];
        o->origins[lag]++;
    }
    return CAROM_OK;
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    vacf *o = NEW_ARRAY(1, vacf);
    if (o == NULL) return error_memory(e, "vacf", sizeof *o);
    o->set = *(const vacf_settings *)set;
    track_start(&o->particles, "vacf", first);
    o->spacing = (o->set.lags + o->set.origins) / o->set.origins;
    o->slots = (size_t)(o->set.lags / o->spacing) + 1;
    carom_status status = allocate(o, e);
    if (status == CAROM_OK) status = look(o, first, e);
    if (status == CAROM_OK)
        *self = o;
    else
        destroy(o);
    return status;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    vacf *o = self;
    bool fresh;
    TRY(track_next(&o->particles, frame, &fresh, e));
    return fresh ? look(o, frame, e) : CAROM_OK;
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

static double group_vacf(const vacf *o, size_t lag, size_t group)
{
    return o->product[lag * o->particles.groups + group] /
           ((double)o->origins[lag] * (double)track_group_size(&o->particles, group));
}

static void fill_table(vacf *o, size_t rows)
{
    size_t all = lag_total(o), groups = o->particles.groups;
    double *lag = o->rows, *mean = lag + all, *wrong = mean + all, *normal = wrong + all, *integral = normal + all,
           *integral_wrong = integral + all, *origins = integral_wrong + all;
    double value[TRACK_GROUPS], running[TRACK_GROUPS] = {0}, scale = 1.0 / o->particles.dimension;
    for (size_t r = 0; r < rows; r++) {
        double total = 0.0;
        origins[r] = (double)o->origins[r];
        lag[r] = o->lag_time[r] / origins[r];
        for (size_t g = 0; g < groups; g++) {
            value[g] = group_vacf(o, r, g);
            total += o->product[r * groups + g];
            if (r > 0) running[g] += scale * 0.5 * (lag[r] - lag[r - 1]) * (value[g] + group_vacf(o, r - 1, g));
        }
        mean[r] = total / (origins[r] * (double)o->particles.count);
        wrong[r] = track_error(&o->particles, value, 1);
        normal[r] = mean[r] / mean[0];
        integral[r] = r > 0 ? integral[r - 1] + scale * 0.5 * (lag[r] - lag[r - 1]) * (mean[r] + mean[r - 1]) : 0.0;
        integral_wrong[r] = track_error(&o->particles, running, 1);
    }
    o->columns[0] = (measure_column){"lag", "time", 1, lag};
    o->columns[1] = (measure_column){"vacf", "speed^2", 1, mean};
    o->columns[2] = (measure_column){"error", "speed^2", 1, wrong};
    o->columns[3] = (measure_column){"normalised", "", 1, normal};
    o->columns[4] = (measure_column){"diffusion", "length^2 / time", 1, integral};
    o->columns[5] = (measure_column){"diffusion_error", "length^2 / time", 1, integral_wrong};
    o->columns[6] = (measure_column){"origins", "", 1, origins};
    o->table = (measure_table){"vacf", false, 0, rows, o->columns, COLUMNS};
}

/* Whether the systematic error of the integral is small: step fine enough (comparison with twice the step), and
 * correlation decayed within the lags. */
static bool is_resolved(const vacf *o, size_t rows)
{
    if (rows < 3) return false;
    const double *lag = o->columns[0].data, *mean = o->columns[1].data, *wrong = o->columns[2].data;
    size_t last = (rows - 1) / 2 * 2;
    double coarse = 0.0, fine = o->columns[4].data[last], statistical = o->columns[5].data[last];
    for (size_t r = 2; r <= last; r += 2) coarse += 0.5 * (lag[r] - lag[r - 2]) * (mean[r] + mean[r - 2]);
    double bias = (coarse / o->particles.dimension - fine) / 3.0;
    return fabs(bias) <= 2.0 * statistical && fabs(mean[rows - 1]) <= fmax(3.0 * wrong[rows - 1], 0.02 * mean[0]);
}

static carom_status result(void *self, measure_result *out, error *e)
{
    vacf *o = self;
    size_t rows = 0;
    (void)e;
    while (rows < lag_total(o) && o->origins[rows] > 0 && o->particles.count > 0) rows++;
    fill_table(o, rows);
    bool complete = rows == lag_total(o) && is_resolved(o, rows);
    double to = rows > 0 ? o->columns[0].data[rows - 1] : NAN;
    double integral = rows > 1 ? o->columns[4].data[rows - 1] : NAN;
    double wrong = rows > 1 ? o->columns[5].data[rows - 1] : NAN;
    o->values[0] = (measure_value){"diffusion", "length^2 / time", 1, {integral}, {wrong}, complete};
    o->values[1] = (measure_value){"integrated_to", "time", 1, {to}, {0.0}, true};
    *out = (measure_result){o->values, VALUES, &o->table, 1};
    return CAROM_OK;
}

static void drain(void *self)
{
    (void)self; /* no series */
}

/* ---- Checkpoints ----------------------------------------------------------------------------------------------- */

static size_t slots_in_use(const vacf *o)
{
    uint64_t begun = o->particles.samples / o->spacing + 1;
    return begun < o->slots ? (size_t)begun : o->slots;
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const vacf *o = self;
    TRY(track_save(&o->particles, prefix, out, e));
    TRY(store_put(out, prefix, "origin_time", SNAPSHOT_F64, o->slots, o->origin_time, e));
    TRY(store_put(out, prefix, "origin_scale", SNAPSHOT_I64, o->slots, o->origin_scale, e));
    TRY(store_put(out, prefix, "origins", SNAPSHOT_U64, lag_total(o), o->origins, e));
    TRY(store_put(out, prefix, "lag_time", SNAPSHOT_F64, lag_total(o), o->lag_time, e));
    TRY(store_put(out, prefix, "product", SNAPSHOT_F64, lag_total(o) * o->particles.groups, o->product, e));
    for (size_t s = 0; s < slots_in_use(o); s++) {
        char name[32];
        snprintf(name, sizeof name, "origin%zu", s);
        TRY(store_put(out, prefix, name, SNAPSHOT_F64, numbers(o), o->origin[s], e));
    }
    return CAROM_OK;
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    vacf *o = self;
    TRY(track_load(&o->particles, prefix, in, e));
    TRY(store_get(in, prefix, "origin_time", SNAPSHOT_F64, o->slots, o->origin_time, e));
    TRY(store_get(in, prefix, "origin_scale", SNAPSHOT_I64, o->slots, o->origin_scale, e));
    TRY(store_get(in, prefix, "origins", SNAPSHOT_U64, lag_total(o), o->origins, e));
    TRY(store_get(in, prefix, "lag_time", SNAPSHOT_F64, lag_total(o), o->lag_time, e));
    TRY(store_get(in, prefix, "product", SNAPSHOT_F64, lag_total(o) * o->particles.groups, o->product, e));
    for (size_t s = 0; s < slots_in_use(o); s++) {
        char name[32];
        snprintf(name, sizeof name, "origin%zu", s);
        TRY(store_get(in, prefix, name, SNAPSHOT_F64, numbers(o), o->origin[s], e));
    }
    return CAROM_OK;
}

const observable observable_vacf = {
    .settings = &settings,
    .needs_particles = true,
    .tallies = TALLY_IMAGES,
    .equal_steps = true,
    .follows = true,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = drain,
    .save = save,
    .load = load,
    .destroy = destroy,
};
