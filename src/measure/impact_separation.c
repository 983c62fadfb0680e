/* Histogram of the separation at impact, |r| - s, one bin per floating-point number: in steps from
 * number to number of the engine's precision, from the contact distance s (Bannerman et al., Comput. Part. Mech. 1, 191
 * (2014), Fig. 3). The engine counts; here the
 * counts since observation began are handed out, without the empty margins. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/measure.h"
#include "measure/store.h"

typedef struct impact_separation {
    uint64_t *base, *now;                    /* [IMPACT_BINS] counts where observation began, and at the last sample */
    double *separation, *impacts, *fraction; /* [IMPACT_BINS] */
    measure_value values[3];
    measure_column columns[3];
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
    memory_free(o->separation);
    memory_free(o->impacts);
    memory_free(o->fraction);
    memory_free(o);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    impact_separation *o = self;
    if (frame->tallies.impact == NULL)
        return error_set(e, CAROM_BAD_DATA,
                         "error: impact_separation: this engine does not count impacts by separation");
    memcpy(o->now, frame->tallies.impact, IMPACT_BINS * sizeof *o->now);
    return CAROM_OK;
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    impact_separation *o = NEW_ARRAY(1, impact_separation);
    (void)unused;
    if (o == NULL) return error_memory(e, "impact_separation", sizeof *o);
    o->base = NEW_ARRAY(IMPACT_BINS, uint64_t);
    o->now = NEW_ARRAY(IMPACT_BINS, uint64_t);
    o->separation = NEW_ARRAY(IMPACT_BINS, double);
    o->impacts = NEW_ARRAY(IMPACT_BINS, double);
    o->fraction = NEW_ARRAY(IMPACT_BINS, double);
    carom_status status = CAROM_OK;
    if (o->base == NULL || o->now == NULL || o->separation == NULL || o->impacts == NULL || o->fraction == NULL)
        status = error_memory(e, "impact_separation", 5 * IMPACT_BINS * sizeof(double));
    if (status == CAROM_OK) status = sample(o, first, e);
    if (status != CAROM_OK) {
        destroy(o);
        return status;
    }
    memcpy(o->base, o->now, IMPACT_BINS * sizeof *o->base);
    *self = o;
    return CAROM_OK;
}

/* A fraction of independent impacts, with its binomial error. */
static measure_value fraction_of(const char *name, double part, double all)
{
    double p = all > 0.0 ? part / all : NAN;
    return (measure_value){name, "", 1, {p}, {sqrt(p * (1.0 - p) / all)}, all > 0.0};
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
        o->impacts[rows++] = count;
        if (count > 0.0) used = rows;
        all += count;
        if (i < IMPACT_HALF) overlapping += count;
    }
    for (size_t r = 0; r < used; r++) o->fraction[r] = o->impacts[r] / all;
    double exact = (double)(o->now[IMPACT_HALF] - o->base[IMPACT_HALF]);
    o->values[0] = fraction_of("overlapping", overlapping, all);
    o->values[1] = fraction_of("touching", exact, all);
    o->values[2] = (measure_value){"impacts", "", 1, {all}, {0.0}, true};
    o->columns[0] =
        (measure_column){"separation", "spacing of the engine's numbers at the contact distance", 1, o->separation};
    o->columns[1] = (measure_column){"impacts", "", 1, o->impacts};
    o->columns[2] = (measure_column){"fraction", "", 1, o->fraction};
    o->table = (measure_table){"impact_separation", false, 0, used, o->columns, 3};
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
    return store_put(out, prefix, "now", SNAPSHOT_U64, IMPACT_BINS, o->now, e);
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    impact_separation *o = self;
    TRY(store_get(in, prefix, "base", SNAPSHOT_U64, IMPACT_BINS, o->base, e));
    return store_get(in, prefix, "now", SNAPSHOT_U64, IMPACT_BINS, o->now, e);
}

const observable observable_impact_separation = {
    .settings = &settings,
    .tallies = TALLY_IMPACT,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = drain,
    .save = save,
    .load = load,
    .destroy = destroy,
};
