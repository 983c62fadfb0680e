#include "hard/kernel/features/impacts.h"
#include "hard/kernel/features/feature.h"

#include "base/memory.h"

static bool impacts_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)g;
    (void)state;
    return (tallies & TALLY_IMPACT) != 0;
}

static carom_status impacts_create(gas *g, const initial_state *state, error *e)
{
    impacts *all = g->impacts;
    (void)state;
    all->count = NEW_ARRAY(IMPACT_BINS, uint64_t);
    all->density = NEW_ARRAY(IMPACT_BINS, double);
    g->tallies.impact = all->count;
    g->tallies.impact_density = all->density;
    if (all->count != NULL && all->density != NULL) return CAROM_OK;
    return error_memory(e, "impacts", IMPACT_BINS * (sizeof *all->count + sizeof *all->density));
}

static void impacts_destroy(gas *g)
{
    memory_free(g->impacts->count);
    memory_free(g->impacts->density);
}

static int impacts_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/impact", g->impacts->count, IMPACT_BINS * sizeof *g->impacts->count};
    parts[1] = (snapshot_part){"engine/impact_density", g->impacts->density, IMPACT_BINS * sizeof(double)};
    return 2;
}

static const feature feature_impacts = {.name = "impacts",
                                        FEATURE_STATE(impacts),
                                        .enabled = impacts_enabled,
                                        .tallies = TALLY_IMPACT,
                                        .create = impacts_create,
                                        .destroy = impacts_destroy,
                                        .saved = impacts_saved};
