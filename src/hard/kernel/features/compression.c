/* Compression during a run (Lubachevsky and Stillinger, J. Stat. Phys. 60, 561 (1990)): spheres grow in a fixed box. In
 * frames and at each re-basing, lengths are rescaled: the spheres keep their sizes and the box shrinks. The growth
 * increases the kinetic energy. At each re-basing the velocities are rescaled to the initial temperature. */
#include "hard/kernel/features/compression.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/numbers.h"
#include "hard/kernel/response/tallies.h"
#include "hard/kernel/totals.h"

static void compression_start(gas *g)
{
    g->compression->kinetic = total_kinetic(g);
    const double thermal = sqrt(2 * g->compression->kinetic / (DIM * (double)total_mass(g)));
    g->growth = (real)(g->settings->compression.rate * thermal / (double)mean_contact(g));
    g->grow_to = 1 + COMPRESSION_STAGE;
}

static real compression_due(const gas *g)
{
    return g->compression != NULL ? COMPRESSION_STAGE / g->growth : REAL_NEVER;
}

/* Sets box and walls to the size. */
static void compression_fit_box(gas *g)
{
    for (int k = 0; k < DIM; k++) {
        if (g->box[k] == 0) continue;
        g->box[k] = g->size[k];
        g->inverse_box[k] = 1 / g->size[k];
    }
    for (uint32_t s = 0; s < g->surface_count; s++) /* walls: a compression has no planes */
        g->surface[s].point[g->surface[s].axis] = g->surface[s].side == 0 ? 0 : g->size[g->surface[s].axis];
}

static void shrink(gas *g, real by)
{
    for (uint32_t i = 0; i < g->count; i++)
        for (int k = 0; k < DIM; k++) g->body[i].r[k] /= by;
    for (int k = 0; k < DIM; k++) g->size[k] /= by;
    compression_fit_box(g);
}

/* P V / (N T), averaged over the last time t. */
static void measure_pressure(gas *g, real t, double now)
{
    exact_sum trace, component;
    tallies_virial(g, 0, 0, &trace);
    for (int k = 1; k < DIM; k++) {
        tallies_virial(g, k, k, &component);
        exact_merge(&trace, &component);
    }
    const double virial = exact_value(&trace), mean = 0.5 * (g->compression->kinetic + now);
    if (t > 0) g->compression->pressure = 1 + (virial - g->compression->virial) / (2 * mean * (double)t);
    g->compression->virial = virial;
}

static void compress(gas *g, real t)
{
    const double now = total_kinetic(g);
    measure_pressure(g, t, now);
    shrink(g, 1 + g->growth * t);
    const real slower = (real)sqrt(g->compression->kinetic / now);
    for (uint32_t i = 0; i < g->count; i++)
        for (int k = 0; k < DIM; k++) g->body[i].v[k] *= slower;
    tally_work(g, g->compression->kinetic - now);
}

static void compression_count_work(gas *g, real impulse, real speed)
{
    if (g->compression != NULL) tally_work(g, (double)(impulse * speed));
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool compression_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return g->settings->compression.rate > 0;
}

static int compression_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/size", g->size, sizeof g->size};
    parts[1] = (snapshot_part){"engine/squeeze", g->compression, sizeof *g->compression};
    return 2;
}

static const char *compression_fault(const gas *g)
{
    const compression *c = g->compression;
    for (int k = 0; k < DIM; k++)
        if (!(g->size[k] > 0 && g->size[k] <= REAL_MOST)) return "engine/size";
    const bool good = c->kinetic > 0 && isfinite(c->kinetic) && isfinite(c->virial) && isfinite(c->pressure);
    return good ? NULL : "engine/squeeze";
}

static uint64_t compression_hash(const gas *g, uint64_t hash)
{
    for (int k = 0; k < DIM; k++) hash = hash_real(hash, g->size[k]);
    return hash;
}

static const feature feature_compression = {.name = "compression",
                                            FEATURE_STATE(compression),
                                            .enabled = compression_enabled,
                                            .accounts = true,
                                            .start = compression_start,
                                            .rebase = compress,
                                            .saved = compression_saved,
                                            .fault = compression_fault,
                                            .loaded = compression_fit_box,
                                            .hash_place = HASH_AFTER_CLOCK,
                                            .hash = compression_hash};
