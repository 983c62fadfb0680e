#include "measure/helfand.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "measure/motion.h"
#include "measure/store.h"

const setting helfand_entries[HELFAND_SETTINGS] = {
    {.name = "lags",
     .type = SETTING_INTEGER,
     .offset = offsetof(helfand_settings, lags),
     .unit = "samples",
     .fallback = "100",
     .min = 2,
     .max = 100000,
     .help = "longest lag, in samples; observation begins to count after as many"},
    {.name = "fit_from",
     .type = SETTING_REAL,
     .offset = offsetof(helfand_settings, fit_from),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "shortest lag of the plateau: when correlations have died out; 0: half the longest"},
    {.name = "fit_to",
     .type = SETTING_REAL,
     .offset = offsetof(helfand_settings, fit_to),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "longest lag of the plateau; 0: the longest of all"},
};

static double first_lag(const helfand_settings *set, double step)
{
    return set->fit_from > 0 ? set->fit_from : (double)set->lags * step / 2;
}

static double last_lag(const helfand_settings *set, double step)
{
    const double longest = (double)set->lags * step;
    return set->fit_to > 0 ? fmin(set->fit_to, longest) : longest;
}

/* Lags of the plateau, in samples; false for fewer than two. */
static bool window(const helfand_settings *set, double step, size_t *from, size_t *to)
{
    const double first = fmax(ceil(first_lag(set, step) / step * (1 - 1e-9)), 1);
    const double last = floor(last_lag(set, step) / step * (1 + 1e-9));
    if (!(last > first)) return false;
    *from = (size_t)first;
    *to = (size_t)last;
    return true;
}

carom_status helfand_plan(void *settings, const measure_plan *run, error *e)
{
    const helfand_settings *set = settings;
    const double step = run->every;
    size_t from, to;
    if (window(set, step, &from, &to)) return CAROM_OK;
    e->key = set->fit_from > 0 ? "fit_from" : "fit_to";
    return error_set(e, CAROM_BAD_DATA,
                     "error: the plateau from %.9g to %.9g contains fewer than two lags: they are multiples of "
                     "`every`, %.9g, up to %.9g; give another plateau, or more `lags`",
                     first_lag(set, step), last_lag(set, step), step, (double)set->lags * step);
}

/* Indices in a row of averages: mean squares of lags 1 ... lags, running integrals up to lags 0 ... lags, */
static size_t running(const helfand *h)
{
    return (size_t)h->set.lags;
}

/* and then the slope and the mean of the integrals in the plateau, and the temperature. */
static size_t plateau(const helfand *h)
{
    return 2 * (size_t)h->set.lags + 1;
}

static size_t width(const helfand *h)
{
    return plateau(h) + 3;
}

void helfand_destroy(void *self)
{
    helfand *h = self;
    if (h == NULL) return;
    blocking_destroy(&h->means);
    memory_free(h->moment);
    memory_free(h->row);
    memory_free(h->table);
    memory_free(h);
}

/* Number of stored samples: the last and those before it. */
static size_t kept(const helfand *h)
{
    return (size_t)h->set.lags + 2;
}

static double *moment_at(const helfand *h, uint64_t sample)
{
    return h->moment + sample % kept(h) * h->kind.channels;
}

carom_status helfand_create(void **self, const helfand_kind *kind, double volume, int power, const void *settings,
                            const carom_frame *first, const double *moment, error *e)
{
    helfand *h = NEW_ARRAY(1, helfand);
    if (h == NULL) return error_memory(e, kind->name, sizeof *h);
    h->kind = *kind;
    h->volume = volume;
    h->power = power;
    h->set = *(const helfand_settings *)settings;
    track_start(&h->clock, kind->name, first);
    const size_t lags = (size_t)h->set.lags;
    h->moment = NEW_ARRAY(kept(h) * kind->channels, double);
    h->row = NEW_ARRAY(width(h), double);
    h->table = NEW_ARRAY(HELFAND_COLUMNS * lags, double);
    carom_status status = CAROM_OK;
    if (h->moment == NULL || h->row == NULL || h->table == NULL)
        status = error_memory(e, kind->name, lags * sizeof(double));
    if (status == CAROM_OK) status = blocking_create(&h->means, width(h), e);
    if (status == CAROM_OK) memcpy(h->moment, moment, kind->channels * sizeof *moment);
    if (status == CAROM_OK)
        *self = h;
    else
        helfand_destroy(h);
    return status;
}

/* Slope of the mean squares and mean of the running integrals in the plateau. */
static void fit(const helfand *h, size_t from, size_t to, double *slope, double *mean)
{
    const double *square = h->row, *integral = h->row + running(h);
    double middle = 0.5 * (double)(from + to), weight = 0;
    *slope = *mean = 0;
    for (size_t j = from; j <= to; j++) {
        const double away = (double)j - middle;
        weight += away * away;
        *slope += away * square[j - 1];
        *mean += integral[j] / (double)(to - from + 1);
    }
    *slope /= weight * h->clock.step;
}

/* Squares and products of this sample with those before. */
static void fill_row(helfand *h, uint64_t n)
{
    const size_t lags = (size_t)h->set.lags;
    double *square = h->row, *integral = h->row + running(h);
    memset(h->row, 0, width(h) * sizeof *h->row);
    for (size_t c = 0; c < h->kind.channels; c++) {
        const double now = moment_at(h, n)[c], step = now - moment_at(h, n - 1)[c], weight = h->kind.weight[c];
        double sum = 0.5 * step * step;
        integral[0] += weight * sum;
        for (size_t j = 1; j <= lags; j++) {
            const double way = now - moment_at(h, n - j)[c];
            square[j - 1] += weight * way * way;
            const double product = step * (moment_at(h, n - j)[c] - moment_at(h, n - j - 1)[c]);
            integral[j] += weight * (sum + 0.5 * product);
            sum += product;
        }
    }
    for (size_t j = 0; j <= lags; j++) integral[j] /= h->clock.step;
}

carom_status helfand_sample(void *self, const carom_frame *frame, const double *moment, error *e)
{
    helfand *h = self;
    bool fresh;
    TRY(track_next(&h->clock, frame, &fresh, e));
    if (!fresh) return CAROM_OK;
    const uint64_t n = h->clock.samples;
    memcpy(moment_at(h, n), moment, h->kind.channels * sizeof *moment);
    size_t from, to;
    if (!window(&h->set, h->clock.step, &from, &to))
        return error_set(
            e, CAROM_BAD_DATA,
            "error: %s needs two lags or more between fit_from and fit_to, and samples every %.9g reach up "
            "to %.9g; give more `lags`, or another plateau",
            h->kind.name, h->clock.step, (double)h->set.lags * h->clock.step);
    if (n <= h->set.lags) return CAROM_OK;
    fill_row(h, n);
    motion m = motion_of(frame);
    double *last = h->row + plateau(h);
    fit(h, from, to, &last[0], &last[1]);
    last[2] = motion_unscaled(frame, m.temperature, 2);
    return blocking_add(&h->means, 1, h->row, e);
}

static measure_value value_of(const helfand *h, const char *name, const char *unit, size_t column, double factor)
{
    measure_value v = {.name = name, .unit = unit, .width = 1};
    v.mean[0] = factor * blocking_mean(&h->means, column);
    v.error[0] = fabs(factor) * blocking_standard_error(&h->means, column, &v.converged);
    return v;
}

static void fill_table(helfand *h, double p)
{
    const size_t lags = (size_t)h->set.lags, rows = h->means.count > 0 ? lags : 0;
    static const char *const names[HELFAND_COLUMNS] = {"lag",         "einstein",   "einstein_error",
                                                       "correlation", "green_kubo", "green_kubo_error"};
    double before = p * blocking_mean(&h->means, running(h)), product = 0;
    bool converged;
    for (size_t j = 1; j <= rows; j++) {
        double *at = h->table + j - 1, lag = (double)j * h->clock.step;
        const double integral = p * blocking_mean(&h->means, running(h) + j);
        product = 2 * (integral - before) / h->clock.step - product;
        before = integral;
        at[0] = lag;
        at[lags] = p / (2 * lag) * blocking_mean(&h->means, j - 1);
        at[2 * lags] = p / (2 * lag) * blocking_standard_error(&h->means, j - 1, &converged);
        at[3 * lags] = product;
        at[4 * lags] = integral;
        at[5 * lags] = p * blocking_standard_error(&h->means, running(h) + j, &converged);
    }
    for (size_t c = 0; c < HELFAND_COLUMNS; c++)
        h->columns[c] = (measure_column){names[c],
                                         c == 0   ? "time"
                                         : c == 3 ? h->kind.product
                                                  : h->kind.unit,
                                         1, h->table + c * lags};
    h->result = (measure_table){h->kind.name, false, 0, rows, h->columns, HELFAND_COLUMNS};
}

carom_status helfand_result(void *self, measure_result *out, error *e)
{
    helfand *h = self;
    (void)e;
    const size_t at = plateau(h);
    const double temperature = blocking_mean(&h->means, at + 2), p = 1 / (h->volume * pow(temperature, h->power));
    h->values[0] = value_of(h, h->kind.name, h->kind.unit, at, p / 2);
    h->values[1] = value_of(h, "green_kubo", h->kind.unit, at + 1, p);
    h->values[2] = value_of(h, "temperature", "energy", at + 2, 1);
    h->values[3] = (measure_value){"fit_from", "time", 1, {first_lag(&h->set, h->clock.step)}, {0}, true};
    h->values[4] = (measure_value){"fit_to", "time", 1, {last_lag(&h->set, h->clock.step)}, {0}, true};
    fill_table(h, p);
    *out = (measure_result){h->values, HELFAND_VALUES, &h->result, 1};
    return CAROM_OK;
}

carom_status helfand_save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const helfand *h = self;
    TRY(track_save(&h->clock, prefix, out, e));
    TRY(store_put(out, prefix, "moment", SNAPSHOT_F64, kept(h) * h->kind.channels, h->moment, e));
    return blocking_save(&h->means, prefix, out, e);
}

carom_status helfand_load(void *self, const char *prefix, const snapshot *in, error *e)
{
    helfand *h = self;
    TRY(track_load(&h->clock, prefix, in, e));
    TRY(store_get(in, prefix, "moment", SNAPSHOT_F64, kept(h) * h->kind.channels, h->moment, e));
    return blocking_load(&h->means, prefix, in, e);
}

void helfand_drain(void *self)
{
    (void)self; /* no series */
}
