#include "measure/gauge.h"

#include <assert.h>

#include "base/memory.h"
#include "measure/store.h"

carom_status gauge_create(void **self, const settings_table *settings, const series_column *columns, size_t count,
                          const carom_frame *first, error *e)
{
    return gauge_create_in(self, sizeof(gauge), 0, settings, columns, count, first, e);
}

carom_status gauge_create_in(void **self, size_t size, size_t saved, const settings_table *settings,
                             const series_column *columns, size_t count, const carom_frame *first, error *e)
{
    assert(size >= sizeof(gauge) + saved * sizeof(double));
    gauge *g = memory_new(size, 1);
    if (g == NULL) return error_memory(e, settings->name, size);
    g->last_time = first->time;
    g->saved = saved;
    carom_status status = series_create(&g->rows, settings->name, columns, count, e);
    if (status != CAROM_OK)
        memory_free(g);
    else
        *self = g;
    return status;
}

carom_status gauge_result(void *self, measure_result *out, error *e)
{
    gauge *g = self;
    (void)e;
    for (size_t i = 0; i < g->rows.averaged; i++) g->values[i] = series_value(&g->rows, i);
    g->table = series_table(&g->rows);
    *out = (measure_result){g->values, g->rows.averaged, &g->table, 1};
    return CAROM_OK;
}

void gauge_drain(void *self)
{
    gauge *g = self;
    series_drain(&g->rows);
}

carom_status gauge_save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const gauge *g = self;
    TRY(store_put(out, prefix, "last_time", SNAPSHOT_F64, 1, &g->last_time, e));
    TRY(store_put(out, prefix, "last", SNAPSHOT_F64, GAUGE_LAST, g->last, e));
    TRY(store_put(out, prefix, "last_count", SNAPSHOT_U64, EVENT_KINDS, g->last_count, e));
    if (g->saved > 0) TRY(store_put(out, prefix, "own", SNAPSHOT_F64, g->saved, g + 1, e));
    return series_save(&g->rows, prefix, out, e);
}

carom_status gauge_load(void *self, const char *prefix, const snapshot *in, error *e)
{
    gauge *g = self;
    TRY(store_get(in, prefix, "last_time", SNAPSHOT_F64, 1, &g->last_time, e));
    TRY(store_get(in, prefix, "last", SNAPSHOT_F64, GAUGE_LAST, g->last, e));
    TRY(store_get(in, prefix, "last_count", SNAPSHOT_U64, EVENT_KINDS, g->last_count, e));
    if (g->saved > 0) TRY(store_get(in, prefix, "own", SNAPSHOT_F64, g->saved, g + 1, e));
    return series_load(&g->rows, prefix, in, e);
}

void gauge_destroy(void *self)
{
    gauge *g = self;
    if (g == NULL) return;
    series_destroy(&g->rows);
    memory_free(g);
}
