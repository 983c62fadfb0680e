/* The list of engines. Observables are listed in measure/observables.c. */
#include "base/memory.h"
#include "sim/scene_api.h"

static const engine *const engines[] = {&engine_hard, &engine_aggregation, &engine_variational};

enum { ENGINES = sizeof engines / sizeof *engines, MOST_OBSERVABLES = 64 };

static const settings_table *engine_tables[ENGINES];
static unsigned engine_features[ENGINES];
static const settings_table *observable_tables[MOST_OBSERVABLES];

scene_vocabulary vocabulary = {engine_tables, ENGINES, observable_tables, 0, engine_features};

/* The tables are defined in other files, so that their addresses are not constant expressions here. */
__attribute__((constructor)) static void collect_tables(void)
{
    for (size_t k = 0; k < ENGINES; k++) {
        engine_tables[k] = engines[k]->settings;
        engine_features[k] = engines[k]->features;
    }
    for (size_t k = 0; k < observable_count && k < MOST_OBSERVABLES; k++)
        observable_tables[k] = observables[k]->settings;
    vocabulary.observable_count = observable_count;
}

const engine *engine_of(const scene *s)
{
    return engines[s->engine];
}

const observable *observable_of(const scene_observe *o)
{
    return observables[o->what];
}
