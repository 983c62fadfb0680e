/* Transport coefficients from moments that grow by diffusion (Helfand, Phys. Rev. 119, 1 (1960)), Q(t), in two forms:
 *
 *     Einstein:    L = p / 2 d/dt < (Q(t) - Q(0))^2 >
 *     Green-Kubo: L = p integral from 0 to t of < J(0) J(s) > ds, J = dQ/dt, here averaged over the interval of a
 *     sample
 *
 * The mean squares average over all origins in the run (one per sample) and over channels that are equal by symmetry.
 * The coefficient is the slope of the straight line through the mean squares between lags fit_from and fit_to, or the
 * mean of the running integral there: the plateau after the decay of correlations. Both are linear in the samples, so
 * that their errors are those of correlated series (blocking). */
#ifndef CAROM_MEASURE_HELFAND_H
#define CAROM_MEASURE_HELFAND_H

#include "measure/blocking.h"
#include "measure/measure.h"
#include "measure/track.h"

enum { HELFAND_CHANNELS = 6, HELFAND_VALUES = 5, HELFAND_COLUMNS = 6, HELFAND_SETTINGS = 3 };

typedef struct helfand_settings {
    uint64_t lags;
    double fit_from, fit_to;
} helfand_settings;

extern const setting helfand_entries[HELFAND_SETTINGS];

/* Properties of the moments of an observable. */
typedef struct helfand_kind {
    const char *name, *unit, *product; /* of the coefficient, and of the integrand of its running integral */
    size_t channels;
    double weight[HELFAND_CHANNELS]; /* of each channel in the mean squares; they add up to 1 */
} helfand_kind;

typedef struct helfand {
    helfand_kind kind;
    helfand_settings set;
    double volume;
    int power;
    track clock;
    double *moment; /* [lags + 2][channels]: the last samples, number n in row n % (lags + 2) */
    blocking means; /* of mean squares, running integrals, slope, plateau, temperature */
    double *row;    /* scratch: [2 lags + 4] */
    double *table;  /* [HELFAND_COLUMNS][lags] */
    measure_value values[HELFAND_VALUES];
    measure_column columns[HELFAND_COLUMNS];
    measure_table result;
} helfand;

/* `plan` of an observable (measure.h): at least two lags in the plateau. */
carom_status helfand_plan(void *settings, const measure_plan *run, error *e);

/* p = 1 / (volume T^power). */
carom_status helfand_create(void **self, const helfand_kind *kind, double volume, int power, const void *settings,
                            const carom_frame *first, const double *moment, error *e);
carom_status helfand_sample(void *self, const carom_frame *frame, const double *moment, error *e);

carom_status helfand_result(void *self, measure_result *out, error *e);
carom_status helfand_save(const void *self, const char *prefix, snapshot *out, error *e);
carom_status helfand_load(void *self, const char *prefix, const snapshot *in, error *e);
void helfand_drain(void *self);
void helfand_destroy(void *self);

/* For the table of an observable. */
#define HELFAND_FUNCTIONS                                                                                              \
    .result = helfand_result, .drain = helfand_drain, .save = helfand_save, .load = helfand_load,                      \
    .destroy = helfand_destroy, .plan = helfand_plan

#endif
