/* Histogram of the separation at impact, |r| - s, with one bin per floating-point number: in steps between neighbouring
 * numbers of the precision of the engine, from the contact distance s (Bannerman et al., Comput. Part. Mech. 1, 191
 * (2014), Fig. 3). The engine counts; the table contains the counts since observation began, without empty bins at the
 * ends.
 *
 * Bins differ in width. The unit is the spacing of the numbers above s: if s is a power of two, bins below it are 1/2
 * wide and the bin at 0 is 3/4 wide. `density` is the fraction divided by the width; the end bins hold all impacts
 * beyond, and have none. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/measure.h"
#include "measure/store.h"

typedef struct impact_separation {
    uint64_t *base, *now;               /* [IMPACT_BINS] counts at the start of observation, and at the last sample */
    double *base_density, *now_density; /* the same of the sums of inverse widths */
    double *separation, *impacts, *fraction; /* [IMPACT_BINS] */
    double *density;
    measure_value values[3];
    measure_column columns[4];
    measure_table table;
} impact_separation;

static const settings_table settings = {
    .name = "impact_separation",
    .help = "separation at impact, one bin per floating-point number, and the fraction of impacts that overlap",
};

static void destroy(void *self)
{
    impact_separation *o = self;
    if (o == NULL) return;
    memory_free(o->base);
    memory_free(o->now);
    memory_free(o->base_density);
    memory_free(o->now_density);
    memory_free(o->separation);
    memory_free(o->impacts);
    memory_free(o->fraction);
    memory_free(o->density);
    memory_free(o);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    impact_separation *o = self;
    if (frame->tallies.impact == NULL)
        return error_set(e, CAROM_BAD_DATA,
                         "error: impact_separation: this engine does not count impacts by separation");
    memcpy(o->now, frame->tallies.impact, IMPACT_BINS * sizeof *o->now);
    memcpy(o->now_density, frame->tallies.impact_density, IMPACT_BINS * sizeof *o->now_density);
    return CAROM_OK;
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    impact_separation *o = NEW_ARRAY(1, impact_separation);
    (void)unused;
    if (o == NULL) return error_memory(e, "impact_separation", sizeof *o);
    o->base = NEW_ARRAY(IMPACT_BINS, uint64_t);
    o->now = NEW_ARRAY(IMPACT_BINS, uint64_t);
    o->base_density = NEW_ARRAY(IMPACT_BINS, double);
    o->now_density = NEW_ARRAY(IMPACT_BINS, double);
    o->separation = NEW_ARRAY(IMPACT_BINS, double);
    o->impacts = NEW_ARRAY(IMPACT_BINS, double);
    o->fraction = NEW_ARRAY(IMPACT_BINS, double);
    o->density = NEW_ARRAY(IMPACT_BINS, double);
    carom_status status = CAROM_OK;
    if (!(o->base && o->now && o->base_density && o->now_density && o->separation && o->impacts && o->fraction &&
          o->density))
        status = error_memory(e, "impact_separation", 8 * IMPACT_BINS * sizeof(double));
    if (status == CAROM_OK) status = sample(o, first, e);
    if (status != CAROM_OK) {
        destroy(o);
        return status;
    }
    memcpy(o->base, o->now, IMPACT_BINS * sizeof *o->base);
    memcpy(o->base_density, o->now_density, IMPACT_BINS * sizeof *o->base_density);
    *self = o;
    return CAROM_OK;
}

/* Fraction of impacts, with the binomial error of independent events. */
static measure_value fraction_of(const char *name, double part, double all)
{
    double p = all > 0.0 ? part / all : NAN;
    return (measure_value){name, "", 1, {p}, {sqrt(p * (1.0 - p) / all)}, all > 0.0};
}

/* Impacts over the width of the bin. */
static double narrowed(const impact_separation *o, int bin)
{
    return bin == 0 || bin == IMPACT_BINS - 1 ? NAN : o->now_density[bin] - o->base_density[bin];
}

static carom_status result(void *self, measure_result *out, error *e)
{
    impact_separation *o = self;
    double all = 0.0, overlapping = 0.0;
    size_t rows = 0, used = 0;
    (void)e;
    for (int i = 0; i < IMPACT_BINS; i++) {
        double count = (double)(o->now[i] - o->base[i]);
        if (rows == 0 && count == 0.0) continue;
        o->separation[rows] = i - IMPACT_HALF;
        o->density[rows] = narrowed(o, i);
        o->impacts[rows++] = count;
        if (count > 0.0) used = rows;
        all += count;
        if (i < IMPACT_HALF) overlapping += count;
    }
    for (size_t r = 0; r < used; r++) {
        o->fraction[r] = o->impacts[r] / all;
        o->density[r] /= all;
    }
    double exact = (double)(o->now[IMPACT_HALF] - o->base[IMPACT_HALF]);
    o->values[0] = fraction_of("overlapping", overlapping, all);
    o->values[1] = fraction_of("touching", exact, all);
    o->values[2] = (measure_value){"impacts", "", 1, {all}, {0.0}, true};
    o->columns[0] =
        (measure_column){"separation", "numbers of the engine's precision from the contact distance", 1, o->separation};
    o->columns[1] = (measure_column){"impacts", "", 1, o->impacts};
    o->columns[2] = (measure_column){"fraction", "", 1, o->fraction};
    o->columns[3] = (measure_column){"density", "1 / spacing of numbers above the contact distance", 1, o->density};
    o->table = (measure_table){"impact_separation", false, 0, used, o->columns, 4};
    *out = (measure_result){o->values, 3, &o->table, 1};
    return CAROM_OK;
}

static void drain(void *self)
{
    (void)self; /* no series */
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const impact_separation *o = self;
    TRY(store_put(out, prefix, "base", SNAPSHOT_U64, IMPACT_BINS, o->base, e));
    TRY(store_put(out, prefix, "now", SNAPSHOT_U64, IMPACT_BINS, o->now, e));
    TRY(store_put(out, prefix, "base_density", SNAPSHOT_F64, IMPACT_BINS, o->base_density, e));
    return store_put(out, prefix, "now_density", SNAPSHOT_F64, IMPACT_BINS, o->now_density, e);
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    impact_separation *o = self;
    TRY(store_get(in, prefix, "base", SNAPSHOT_U64, IMPACT_BINS, o->base, e));
    TRY(store_get(in, prefix, "now", SNAPSHOT_U64, IMPACT_BINS, o->now, e));
    TRY(store_get(in, prefix, "base_density", SNAPSHOT_F64, IMPACT_BINS, o->base_density, e));
    return store_get(in, prefix, "now_density", SNAPSHOT_F64, IMPACT_BINS, o->now_density, e);
}

const observable observable_impact_separation = {
    .settings = &settings,
    .of = MEASURE_EVENTS,
    .tallies = TALLY_IMPACT,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = drain,
    .save = save,
    .load = load,
    .destroy = destroy,
};
