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
    all->sixths = NEW_ARRAY(IMPACT_BINS, uint64_t);
    all->density = NEW_ARRAY(IMPACT_BINS, double);
    if (all->count != NULL && all->sixths != NULL && all->density != NULL) return CAROM_OK;
    return error_memory(e, "impacts", IMPACT_BINS * (2 * sizeof *all->count + sizeof *all->density));
}

static void impacts_destroy(gas *g)
{
    memory_free(g->impacts->count);
    memory_free(g->impacts->sixths);
    memory_free(g->impacts->density);
}

/* Inner bins are between half and twice as wide as the spacing of the numbers above s, or 3/4 of that: six times the
 * inverse width is a whole number. The end bins have no width. */
static void tally_impact(gas *g, real distance, real s)
{
    if (!g->counts) return;
    const int64_t bin = real_steps(distance, s, IMPACT_HALF) + IMPACT_HALF;
    g->impacts->count[bin]++;
    if (bin > 0 && bin < IMPACT_BINS - 1) g->impacts->sixths[bin] += (uint64_t)(6 / real_width(distance, s));
}

static void impacts_fill_frame(const gas *g, real t, carom_frame *f)
{
    const impacts *all = g->impacts;
    (void)t;
    for (int bin = 0; bin < IMPACT_BINS; bin++) all->density[bin] = (double)all->sixths[bin] / 6;
    f->tallies.impact = all->count;
    f->tallies.impact_density = all->density;
}

static int impacts_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/impact", g->impacts->count, IMPACT_BINS * sizeof *g->impacts->count};
    parts[1] = (snapshot_part){"engine/impact_sixths", g->impacts->sixths, IMPACT_BINS * sizeof *g->impacts->sixths};
    return 2;
}

static bool impacts_divide(gas *g, const gas *whole)
{
    (void)whole;
    error e = {.text = NULL};
    const bool all = impacts_create(g, NULL, &e) == CAROM_OK;
    error_clear(&e);
    return all;
}

static void impacts_collect(gas *g, gas *part)
{
    for (int bin = 0; bin < IMPACT_BINS; bin++) {
        g->impacts->count[bin] += part->impacts->count[bin];
        g->impacts->sixths[bin] += part->impacts->sixths[bin];
        part->impacts->count[bin] = part->impacts->sixths[bin] = 0;
    }
}

static const feature feature_impacts = {.name = "impacts",
                                        FEATURE_STATE(impacts),
                                        .enabled = impacts_enabled,
                                        .tallies = TALLY_IMPACT,
                                        .create = impacts_create,
                                        .destroy = impacts_destroy,
                                        .saved = impacts_saved,
                                        .fill_frame = impacts_fill_frame,
                                        .divide = impacts_divide,
                                        .unite = impacts_destroy,
                                        .collect = impacts_collect};
