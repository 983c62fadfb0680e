/* Free motion and walls: when a member touches a wall, the whole cluster is reflected. */
#include "aggregation/kernel/steps/feature.h"

#include "base/memory.h"
#include "engine/sound.h"

static void flight_extent(steps *s, uint32_t slot)
{
    if (s->walls.extents == NULL) return;
    extent *x = &s->walls.extents[slot];
    for (int k = 0; k < DIM; k++) {
        x->low[k] = (double)INFINITY;
        x->high[k] = -(double)INFINITY;
    }
    for (uint32_t i = s->clusters[slot].first; i != NONE; i = s->next[i]) {
        const particle *b = &s->particles[i];
        for (int k = 0; k < DIM; k++) {
            x->low[k] = fmin(x->low[k], b->x[k] - b->radius);
            x->high[k] = fmax(x->high[k], b->x[k] + b->radius);
        }
    }
}

/* Reflects a coordinate at both walls of one axis, as often as necessary, if the free range is positive. */
static uint64_t fold(steps *s, uint32_t slot, int k, double low, double range)
{
    motion *m = &s->motions[slot];
    double turns = range > 0 ? floor(low / range) : -1, rest = range > 0 ? low - turns * range : 0;
    if (fmod(turns, 2) != 0) {
        m->velocity[k] = -m->velocity[k];
        s->clusters[slot].momentum[k] = -s->clusters[slot].momentum[k];
        rest = range - rest;
    }
    m->offset[k] = range > 0 ? clamp(rest, 0, range) - s->walls.extents[slot].low[k] : s->before[slot][k];
    return (uint64_t)fmin(fabs(turns), 1e9);
}

static uint64_t reflect(steps *s, uint32_t slot, double time)
{
    const motion *m = &s->motions[slot];
    const extent *x = &s->walls.extents[slot];
    uint64_t hits = 0;
    for (int k = 0; k < DIM; k++) {
        if (!s->walls.on[k]) continue;
        double low = m->offset[k] + x->low[k], high = m->offset[k] + x->high[k];
        bool outside = (low < 0 && m->velocity[k] < 0) || (high > s->size[k] && m->velocity[k] > 0);
        if (!outside) continue;
        const double before = m->velocity[k];
        hits += fold(s, slot, k, low, s->size[k] - (x->high[k] - x->low[k]));
        if (s->log != NULL) record_wall(s, slot, k, before, time);
    }
    return hits;
}

static void flight_step(steps *s, double dt, double end)
{
    double top = 0;
    uint64_t hits = 0;
    const bool ordered = s->walls.any && s->log != NULL; /* events are recorded in the order of clusters */
#pragma omp parallel for schedule(static) num_threads(s->threads) if (s->live_count > PARALLEL_FROM && !ordered)                  \
    reduction(max : top) reduction(+ : hits)
    for (uint32_t n = 0; n < s->live_count; n++) {
        uint32_t slot = s->live[n];
        motion *m = &s->motions[slot];
        for (int k = 0; k < DIM; k++) {
            s->before[slot][k] = m->offset[k];
            m->offset[k] += m->velocity[k] * dt;
        }
        m->used += m->speed * dt;
        top = fmax(top, m->speed);
        if (s->walls.any) hits += reflect(s, slot, end);
    }
    s->events[EVENT_WALL] += hits;
    s->progress.flown += top * dt;
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool walls_enabled(const steps *s)
{
    return s->walls.any;
}

static size_t walls_memory(size_t particles)
{
    return particles * sizeof(extent);
}

static carom_status walls_create(steps *s, error *e)
{
    s->walls.extents = NEW_ARRAY(s->count, extent);
    if (s->walls.extents == NULL) return error_memory(e, "the engine", walls_memory(s->count));
    for (uint32_t slot = 0; slot < s->count; slot++) flight_extent(s, slot);
    return CAROM_OK;
}

static void walls_destroy(steps *s)
{
    memory_free(s->walls.extents);
}

static int walls_parts(steps *s, snapshot_part parts[FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/extent", s->walls.extents, sizeof(extent) * s->count};
    return 1;
}

static carom_status walls_check(const steps *s, error *e)
{
    for (uint32_t slot = 0; slot < s->count; slot++) {
        const extent *x = &s->walls.extents[slot];
        if (s->clusters[slot].size > 0 && !(near_box(s, x->low) && near_box(s, x->high)))
            return sound_not("engine/cluster", e);
    }
    return CAROM_OK;
}

static const steps_feature walls_feature = {.name = "walls",
                                            .enabled = walls_enabled,
                                            .memory = walls_memory,
                                            .create = walls_create,
                                            .destroy = walls_destroy,
                                            .parts = walls_parts,
                                            .check = walls_check};
