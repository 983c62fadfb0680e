#include "hard/kernel/checkpoint.h"
#include "hard/kernel/broad/places.h"
#include "hard/kernel/load.h"
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/save.h"

static carom_status gas_save(void *self, snapshot *out, error *e)
{
    gas *g = self;
    const gas *searched = g;
    TRY(crew_prepare_save(g, &searched, e));
    TRY(state_save(g, out, e));
    return places_save(g, searched, searched != g ? g->crew->list_origin : NULL, out, e);
}

static carom_status gas_load(void *self, const snapshot *in, error *e)
{
    gas *g = self;
    TRY(crew_unite(g, e));
    TRY(state_load(g, in, e));
    return places_load(g, in, e);
}
