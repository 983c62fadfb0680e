/* The lists of engines and observables, from carom.h and measure/observables.c. */
#include <string.h>

#include "base/memory.h"
#include "sim/scene_api.h"

#define LIST(name) &engine_##name,
static const engine *const engines[] = {CAROM_ENGINES(LIST)};
#undef LIST

enum { ENGINE_COUNT = sizeof engines / sizeof *engines, MOST_OBSERVABLES = 64 };

static const settings_table *engine_tables[ENGINE_COUNT];
static unsigned engine_features[ENGINE_COUNT];
static const settings_table *observable_tables[MOST_OBSERVABLES];

scene_vocabulary vocabulary = {engine_tables, ENGINE_COUNT, observable_tables, 0, engine_features};

/* The tables are defined in other files, so that their addresses are not constant expressions here. */
__attribute__((constructor)) static void collect_tables(void)
{
    for (size_t k = 0; k < ENGINE_COUNT; k++) {
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

const engine *engine_named(const char *name)
{
    for (size_t k = 0; k < ENGINE_COUNT; k++)
        if (strcmp(engines[k]->settings->name, name) == 0) return engines[k];
    return NULL;
}

const observable *observable_of(const scene_observe *o)
{
    return observables[o->what];
}
