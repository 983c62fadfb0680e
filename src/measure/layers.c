/* Depth of impacts in penalty layers: histogram of the deepest layer of each impact. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/measure.h"
#include "measure/store.h"

typedef struct layers {
    uint64_t base[LAYER_BINS], now[LAYER_BINS]; /* at the start of observation, and at the last sample */
    double closest;
    double layer[LAYER_BINS], impacts[LAYER_BINS], fraction[LAYER_BINS];
    measure_value values[3];
    measure_column columns[3];
    measure_table table;
} layers;

static const settings_table settings = {
    .name = "layers",
    .help = "impacts by the deepest penalty layer that they reached, its mean, and the closest approach of the run in "
            "units of the contact's thickness (`variational`)",
};

static void destroy(void *self)
{
    memory_free(self);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    layers *o = self;
    if (frame->tallies.layers == NULL)
        return error_set(e, CAROM_BAD_DATA,
                         "error: layers: the contacts of this engine have no layers; use `engine: variational`");
    memcpy(o->now, frame->tallies.layers, sizeof o->now);
    o->closest = frame->tallies.closest;
    return CAROM_OK;
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    layers *o = NEW_ARRAY(1, layers);
    (void)unused;
    if (o == NULL) return error_memory(e, "layers", sizeof *o);
    carom_status status = sample(o, first, e);
    memcpy(o->base, o->now, sizeof o->base);
    if (status != CAROM_OK)
        destroy(o);
    else
        *self = o;
    return status;
}

static carom_status result(void *self, measure_result *out, error *e)
{
    layers *o = self;
    uint64_t counts[LAYER_BINS];
    double all = 0, spread = 0;
    size_t used;
    (void)e;
    for (size_t i = 0; i < LAYER_BINS; i++) counts[i] = o->now[i] - o->base[i];
    double mean = frame_mean_layer(counts, &used);
    for (size_t i = 0; i < used; i++) {
        o->layer[i] = (double)(i + 1);
        o->impacts[i] = (double)counts[i];
        all += o->impacts[i];
        spread += o->impacts[i] * (o->layer[i] - mean) * (o->layer[i] - mean);
    }
    for (size_t i = 0; i < used; i++) o->fraction[i] = o->impacts[i] / all;
    double deviation = all > 1 ? sqrt(spread / (all - 1)) : NAN;
    o->values[0] = (measure_value){"mean_depth", "", 1, {mean}, {deviation / sqrt(all)}, all > 1};
    o->values[1] = (measure_value){"closest", "", 1, {o->closest > 0 ? o->closest : NAN}, {NAN}, o->closest > 0};
    o->values[2] = (measure_value){"impacts", "", 1, {all}, {0.0}, true};
    o->columns[0] = (measure_column){"layer", "", 1, o->layer};
    o->columns[1] = (measure_column){"impacts", "", 1, o->impacts};
    o->columns[2] = (measure_column){"fraction", "", 1, o->fraction};
    o->table = (measure_table){"layers", false, 0, used, o->columns, 3};
    *out = (measure_result){o->values, 3, &o->table, 1};
    return CAROM_OK;
}

static void drain(void *self)
{
    (void)self; /* no series */
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const layers *o = self;
    TRY(store_put(out, prefix, "base", SNAPSHOT_U64, LAYER_BINS, o->base, e));
    TRY(store_put(out, prefix, "now", SNAPSHOT_U64, LAYER_BINS, o->now, e));
    return store_put(out, prefix, "closest", SNAPSHOT_F64, 1, &o->closest, e);
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    layers *o = self;
    TRY(store_get(in, prefix, "base", SNAPSHOT_U64, LAYER_BINS, o->base, e));
    TRY(store_get(in, prefix, "now", SNAPSHOT_U64, LAYER_BINS, o->now, e));
    return store_get(in, prefix, "closest", SNAPSHOT_F64, 1, &o->closest, e);
}

const observable observable_layers = {
    .settings = &settings,
    .of = MEASURE_EVENTS,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = drain,
    .save = save,
    .load = load,
    .destroy = destroy,
};
