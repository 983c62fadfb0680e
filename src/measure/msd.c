/* Mean-square displacement over many origins, in memory that grows with the logarithm of the run.
 *
 * The order-n scheme (Frenkel and Smit, Understanding Molecular Simulation, section 4.4.2), without averaging: level l
 * uses every b^l-th sample and keeps the last b - 1 of them as origins, which gives the lags j b^l, j = 1 ... b - 1,
 * each from every possible origin of that level. The first frame is an origin of every level, stored once. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "measure/box.h"
#include "measure/store.h"
#include "measure/track.h"

enum { LEVELS = 64, VALUES = 3, COLUMNS = 5 };

typedef struct msd_settings {
    uint64_t lags;
    double fit_from, fit_to;
    bool remove_drift;
} msd_settings;

static const setting entries[] = {
    {.name = "lags",
     .type = SETTING_INTEGER,
     .offset = offsetof(msd_settings, lags),
     .unit = "",
     .fallback = "4",
     .min = 2,
     .max = 64,
     .help = "lags are j * lags^l with j below it: more of them, more memory (lags - 1 sets of positions for each l)"},
    {.name = "fit_from",
     .type = SETTING_REAL,
     .offset = offsetof(msd_settings, fit_from),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "shortest lag in the fit of the diffusion coefficient; 0: a twentieth of the observed time"},
    {.name = "fit_to",
     .type = SETTING_REAL,
     .offset = offsetof(msd_settings, fit_to),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "longest lag in the fit; 0: two fifths of the observed time"},
    {.name = "remove_drift",
     .type = SETTING_BOOL,
     .offset = offsetof(msd_settings, remove_drift),
     .unit = "",
     .fallback = "false",
     .help = "measure displacements relative to the centre of mass"},
};

static const settings_table settings = {
    .name = "msd",
    .help = "mean-square displacement against lag, over many origins, and the diffusion coefficient from its slope",
    .size = sizeof(msd_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
};

typedef struct level {
    double **origin;     /* [b - 1][count][dimension]: sample number q of the level is origin q % (b - 1) */
    double *origin_time; /* [b - 1] */
    uint64_t *origins;   /* [b - 1] number of origins of lag j + 1 */
    double *lag_time;    /* [b - 1] sum of their lags */
    double *square;      /* [b - 1][groups][dimension] sum of squared displacements over particles and origins */
} level;

typedef struct msd {
    msd_settings set;
    track particles;
    double *start, *now; /* [count][dimension] */
    level level[LEVELS];
    size_t levels;
    double *rows; /* tables of `result` */
    size_t row_capacity;
    measure_value values[VALUES];
    measure_column columns[COLUMNS];
    measure_table table;
} msd;

static size_t numbers(const msd *o) /* in one set of positions */
{
    return o->particles.count * (size_t)o->particles.dimension;
}

static size_t cells(const msd *o) /* sums of one lag */
{
    return o->particles.groups * (size_t)o->particles.dimension;
}

static void level_destroy(level *l, size_t slots)
{
    for (size_t s = 0; s < slots && l->origin != NULL; s++) memory_free(l->origin[s]);
    memory_free(l->origin);
    memory_free(l->origin_time);
    memory_free(l->origins);
    memory_free(l->lag_time);
    memory_free(l->square);
    *l = (level){0};
}

static carom_status level_create(const msd *o, level *l, error *e)
{
    size_t slots = (size_t)o->set.lags - 1;
    l->origin = NEW_ARRAY(slots, double *);
    l->origin_time = NEW_ARRAY(slots, double);
    l->origins = NEW_ARRAY(slots, uint64_t);
    l->lag_time = NEW_ARRAY(slots, double);
    l->square = NEW_ARRAY(slots * cells(o), double);
    if (l->origin != NULL && l->origin_time != NULL && l->origins != NULL && l->lag_time != NULL && l->square != NULL)
        return CAROM_OK;
    level_destroy(l, slots);
    return error_memory(e, "msd", slots * (4 + cells(o)) * sizeof(double));
}

static carom_status new_level(msd *o, error *e)
{
    TRY(level_create(o, &o->level[o->levels], e));
    o->levels++;
    return CAROM_OK;
}

static void destroy(void *self)
{
    msd *o = self;
    if (o == NULL) return;
    for (size_t l = 0; l < o->levels; l++) level_destroy(&o->level[l], (size_t)o->set.lags - 1);
    memory_free(o->start);
    memory_free(o->now);
    memory_free(o->rows);
    memory_free(o);
}

static double fit_start(const msd_settings *set, double observed)
{
    return set->fit_from > 0.0 ? set->fit_from : observed / 20.0;
}

static double fit_end(const msd_settings *set, double observed)
{
    return set->fit_to > 0.0 ? set->fit_to : observed * 0.4;
}

/* Whether the window of the fit contains lags. A run shorter than the window has no value. */
static carom_status plan(void *given, const measure_plan *run, error *e)
{
    const msd_settings *set = given;
    (void)run;
    if (set->fit_from == 0.0 || set->fit_to == 0.0 || set->fit_from < set->fit_to) return CAROM_OK;
    e->key = "fit_from";
    return error_set(
        e, CAROM_BAD_DATA,
        "error: msd: fit_from, %.9g, must be less than fit_to, %.9g: give a smaller fit_from or a larger fit_to",
        set->fit_from, set->fit_to);
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    msd *o = NEW_ARRAY(1, msd);
    if (o == NULL) return error_memory(e, "msd", sizeof *o);
    o->set = *(const msd_settings *)set;
    track_start(&o->particles, "msd", first);
    o->start = NEW_ARRAY(numbers(o), double);
    o->now = NEW_ARRAY(numbers(o), double);
    carom_status status = CAROM_OK;
    if (o->start == NULL || o->now == NULL) status = error_memory(e, "msd", 2 * numbers(o) * sizeof(double));
    if (status == CAROM_OK) status = track_positions(&o->particles, first, o->set.remove_drift, o->start, e);
    if (status == CAROM_OK)
        *self = o;
    else
        destroy(o);
    return status;
}

/* Adds the squared displacements from an origin; neighbours in id belong to neighbouring groups. */
static void add_squares(const msd *o, const double *origin, double *square)
{
    size_t width = cells(o), all = numbers(o);
    double part[TRACK_GROUPS * 3] = {0};
    for (size_t i = 0; i < all; i += width) {
        size_t end = all - i < width ? all - i : width;
        for (size_t k = 0; k < end; k++) {
            double way = o->now[i + k] - origin[i + k];
            part[k] += way * way;
        }
    }
    for (size_t k = 0; k < width; k++) square[k] += part[k];
}

/* Sample number q of level l: first compared with its origins, then an origin itself. */
static carom_status add_to_level(msd *o, level *l, uint64_t q, error *e)
{
    uint64_t slots = o->set.lags - 1;
    for (uint64_t j = 1; j <= slots && j <= q; j++) {
        bool first = j == q;
        size_t slot = (size_t)((q - j) % slots);
        add_squares(o, first ? o->start : l->origin[slot], l->square + (j - 1) * cells(o));
        l->lag_time[j - 1] += o->particles.last_time - (first ? o->particles.first_time : l->origin_time[slot]);
        l->origins[j - 1]++;
    }
    size_t slot = (size_t)(q % slots);
    if (l->origin[slot] == NULL) l->origin[slot] = NEW_ARRAY(numbers(o), double);
    if (l->origin[slot] == NULL) return error_memory(e, "an origin of msd", numbers(o) * sizeof(double));
    memcpy(l->origin[slot], o->now, numbers(o) * sizeof(double));
    l->origin_time[slot] = o->particles.last_time;
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    msd *o = self;
    bool fresh;
    TRY(track_next(&o->particles, frame, &fresh, e));
    if (!fresh) return CAROM_OK;
    TRY(track_positions(&o->particles, frame, o->set.remove_drift, o->now, e));
    uint64_t q = o->particles.samples;
    for (size_t l = 0;; l++) {
        if (l == o->levels) TRY(new_level(o, e));
        TRY(add_to_level(o, &o->level[l], q, e));
        if (q % o->set.lags != 0) return CAROM_OK;
        q /= o->set.lags;
    }
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

/* The mean-square displacement at lag `row` of one group (all axes together). */
static double group_msd(const msd *o, size_t row, size_t group)
{
    size_t slots = (size_t)o->set.lags - 1, d = (size_t)o->particles.dimension;
    const level *l = &o->level[row / slots];
    const double *square = l->square + row % slots * cells(o) + group * d;
    double total = 0.0;
    for (size_t a = 0; a < d; a++) total += square[a];
    return total / ((double)l->origins[row % slots] * (double)track_group_size(&o->particles, group));
}

static size_t lag_count(const msd *o) /* lags that occurred at least once; they occur in order */
{
    size_t slots = (size_t)o->set.lags - 1, rows = o->levels * slots;
    while (rows > 0 && o->level[(rows - 1) / slots].origins[(rows - 1) % slots] == 0) rows--;
    return rows;
}

static carom_status fill_table(msd *o, size_t rows, error *e)
{
    size_t slots = (size_t)o->set.lags - 1, d = (size_t)o->particles.dimension, width = 4 + d;
    if (rows > o->row_capacity) {
        memory_free(o->rows);
        o->rows = NEW_ARRAY(rows * width, double);
        o->row_capacity = o->rows != NULL ? rows : 0;
        if (o->rows == NULL) return error_memory(e, "msd", rows * width * sizeof(double));
    }
    double *lag = o->rows, *mean = lag + rows, *wrong = mean + rows, *origins = wrong + rows, *axes = origins + rows;
    for (size_t r = 0; r < rows; r++) {
        const level *l = &o->level[r / slots];
        const double *square = l->square + r % slots * cells(o);
        double value[TRACK_GROUPS], n = (double)l->origins[r % slots];
        for (size_t a = 0; a < d; a++) axes[r * d + a] = 0.0;
        for (size_t k = 0; k < cells(o); k++) axes[r * d + k % d] += square[k] / (n * (double)o->particles.count);
        for (size_t g = 0; g < o->particles.groups; g++) value[g] = group_msd(o, r, g);
        lag[r] = l->lag_time[r % slots] / n;
        mean[r] = 0.0;
        for (size_t a = 0; a < d; a++) mean[r] += axes[r * d + a];
        wrong[r] = track_error(&o->particles, value, 1);
        origins[r] = n;
    }
    o->columns[0] = (measure_column){"lag", "time", 1, lag};
    o->columns[1] = (measure_column){"msd", "length^2", 1, mean};
    o->columns[2] = (measure_column){"error", "length^2", 1, wrong};
    o->columns[3] = (measure_column){"origins", "", 1, origins};
    o->columns[4] = (measure_column){"axes", "length^2", d, axes};
    o->table = (measure_table){"msd", false, 0, rows, o->columns, COLUMNS};
    return CAROM_OK;
}

/* The slope of a straight line through the lags of the window is sum coefficient * msd. Weights 1 / lag^3: the square
 * error of a diffusive msd grows as lag^2 over the number of independent origins. False for fewer than two lags. */
static bool fit_coefficients(const double *lag, size_t rows, double from, double to, double *coefficient)
{
    double weight = 0.0, first = 0.0, second = 0.0;
    size_t used = 0;
    for (size_t r = 0; r < rows; r++) {
        bool in = lag[r] >= from && lag[r] <= to;
        coefficient[r] = in ? pow(lag[r] / to, -3.0) : 0.0;
        weight += coefficient[r];
        first += coefficient[r] * lag[r];
        used += in;
    }
    for (size_t r = 0; r < rows; r++) second += coefficient[r] * (lag[r] - first / weight) * (lag[r] - first / weight);
    for (size_t r = 0; r < rows; r++) coefficient[r] *= (lag[r] - first / weight) / second;
    return used >= 2;
}

static void fit_diffusion(msd *o, size_t rows)
{
    double coefficient[LEVELS * 63], slope[TRACK_GROUPS] = {0}, mean = 0.0;
    double observed = o->particles.last_time - o->particles.first_time, scale = 1.0 / (2.0 * o->particles.dimension);
    const double from = fit_start(&o->set, observed), to = fit_end(&o->set, observed);
    bool fitted = fit_coefficients(o->rows, rows, from, to, coefficient);
    for (size_t r = 0; r < rows; r++) {
        mean += scale * coefficient[r] * o->columns[1].data[r];
        for (size_t g = 0; g < o->particles.groups; g++) slope[g] += scale * coefficient[r] * group_msd(o, r, g);
    }
    double wrong = fitted ? track_error(&o->particles, slope, 1) : NAN;
    o->values[0] = (measure_value){"diffusion", "length^2 / time", 1, {fitted ? mean : NAN}, {wrong}, fitted};
    o->values[1] = (measure_value){"fit_from", "time", 1, {from}, {0.0}, true};
    o->values[2] = (measure_value){"fit_to", "time", 1, {to}, {0.0}, true};
}

static carom_status result(void *self, measure_result *out, error *e)
{
    msd *o = self;
    size_t rows = o->particles.count > 0 ? lag_count(o) : 0;
    TRY(fill_table(o, rows, e));
    fit_diffusion(o, rows);
    *out = (measure_result){o->values, VALUES, &o->table, 1};
    return CAROM_OK;
}

static void drain(void *self)
{
    (void)self; /* no series */
}

/* ---- Checkpoints ----------------------------------------------------------------------------------------------- */

static carom_status save_level(const msd *o, const level *l, const char *path, snapshot *out, error *e)
{
    size_t slots = (size_t)o->set.lags - 1;
    TRY(store_put(out, path, "origin_time", SNAPSHOT_F64, slots, l->origin_time, e));
    TRY(store_put(out, path, "origins", SNAPSHOT_U64, slots, l->origins, e));
    TRY(store_put(out, path, "lag_time", SNAPSHOT_F64, slots, l->lag_time, e));
    TRY(store_put(out, path, "square", SNAPSHOT_F64, slots * cells(o), l->square, e));
    for (size_t s = 0; s < slots; s++) {
        char name[32];
        snprintf(name, sizeof name, "origin%zu", s);
        if (l->origin[s] != NULL) TRY(store_put(out, path, name, SNAPSHOT_F64, numbers(o), l->origin[s], e));
    }
    return CAROM_OK;
}

/* `last`: number of the last sample of the level, which determines its origins. */
static carom_status load_level(const msd *o, level *l, uint64_t last, const char *path, const snapshot *in, error *e)
{
    size_t slots = (size_t)o->set.lags - 1;
    TRY(store_get(in, path, "origin_time", SNAPSHOT_F64, slots, l->origin_time, e));
    TRY(store_get(in, path, "origins", SNAPSHOT_U64, slots, l->origins, e));
    TRY(store_get(in, path, "lag_time", SNAPSHOT_F64, slots, l->lag_time, e));
    TRY(store_get(in, path, "square", SNAPSHOT_F64, slots * cells(o), l->square, e));
    for (uint64_t q = last; q > 0 && last - q < slots; q--) {
        size_t s = (size_t)(q % slots);
        char name[32];
        snprintf(name, sizeof name, "origin%zu", s);
        if (l->origin[s] == NULL) l->origin[s] = NEW_ARRAY(numbers(o), double);
        if (l->origin[s] == NULL) return error_memory(e, "an origin of msd", numbers(o) * sizeof(double));
        TRY(store_get(in, path, name, SNAPSHOT_F64, numbers(o), l->origin[s], e));
    }
    return CAROM_OK;
}

static char *level_path(const char *prefix, size_t l)
{
    return memory_format("%s/level%zu", prefix, l);
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const msd *o = self;
    TRY(track_save(&o->particles, prefix, out, e));
    TRY(store_put(out, prefix, "start", SNAPSHOT_F64, numbers(o), o->start, e));
    for (size_t l = 0; l < o->levels; l++) {
        char *path = level_path(prefix, l);
        if (path == NULL) return error_memory(e, "msd", 64);
        carom_status status = save_level(o, &o->level[l], path, out, e);
        memory_free(path);
        TRY(status);
    }
    return CAROM_OK;
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    msd *o = self;
    TRY(track_load(&o->particles, prefix, in, e));
    TRY(store_get(in, prefix, "start", SNAPSHOT_F64, numbers(o), o->start, e));
    uint64_t last = o->particles.samples;
    for (size_t l = 0; last > 0; l++, last /= o->set.lags) {
        if (l == o->levels) TRY(new_level(o, e));
        char *path = level_path(prefix, l);
        if (path == NULL) return error_memory(e, "msd", 64);
        carom_status status = load_level(o, &o->level[l], last, path, in, e);
        memory_free(path);
        TRY(status);
    }
    return CAROM_OK;
}

const observable observable_msd = {
    .settings = &settings,
    .needs_particles = true,
    .tallies = TALLY_IMAGES,
    .equal_steps = true,
    .follows = true,
    .plan = plan,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = drain,
    .save = save,
    .load = load,
    .destroy = destroy,
};
