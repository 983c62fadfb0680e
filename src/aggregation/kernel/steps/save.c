/* The exact state, for checkpoints. Cells and pairs are not saved: they are rebuilt. */
#include "aggregation/kernel/steps/feature.h"

#include "engine/sound.h"

#include <assert.h>

#define BYTES(s, field) (sizeof *(s)->field * (s)->count)

enum { MOST_PARTS = 40 };

static int all_parts(steps *s, snapshot_part parts[MOST_PARTS])
{
    int count = 0;
    parts[count++] = (snapshot_part){"engine/body", s->particles, BYTES(s, particles)};
    parts[count++] = (snapshot_part){"engine/motion", s->motions, BYTES(s, motions)};
    parts[count++] = (snapshot_part){"engine/cluster", s->clusters, BYTES(s, clusters)};
    parts[count++] = (snapshot_part){"engine/next", s->next, BYTES(s, next)};
    parts[count++] = (snapshot_part){"engine/time", &s->time, sizeof s->time};
    parts[count++] = (snapshot_part){"engine/steps", &s->tally, sizeof s->tally};
    parts[count++] = (snapshot_part){"engine/events", s->events, sizeof s->events};
    const steps_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;) {
        if (f->parts == NULL) continue;
        assert(count + FEATURE_PARTS <= MOST_PARTS);
        count += f->parts(s, parts + count);
    }
    return count;
}

static carom_status steps_save(void *self, snapshot *out, error *e)
{
    const steps *s = self;
    steps copy = *s;
    snapshot_part parts[MOST_PARTS];
    const int count = all_parts(&copy, parts);
    TRY(snapshot_put_parts(out, parts, count, &copy, sizeof copy, e));
    const steps_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->save != NULL) TRY(f->save(s, out, e));
    return CAROM_OK;
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

/* Checks that the list of a cluster contains its members and ends. */
static bool is_list(const steps *s, uint32_t slot)
{
    const cluster *c = &s->clusters[slot];
    uint32_t i = c->first, last = NONE;
    for (uint32_t k = 0; k < c->size; k++, last = i, i = s->next[i])
        if (i >= s->count || s->particles[i].cluster != slot) return false;
    return last == c->last && i == NONE;
}

static bool is_cluster(const steps *s, uint32_t slot)
{
    const cluster *c = &s->clusters[slot];
    const motion *m = &s->motions[slot];
    if (c->size == 0) return true;
    return c->size <= s->count && c->least < s->count && sound_momenta(c->momentum, DIM, c->mass) &&
           near_box(s, m->offset) && sound_speeds(m->velocity, DIM) && m->speed >= 0 && isfinite(m->speed) &&
           m->used >= 0;
}

static carom_status check_clusters(const steps *s, const double *radius, error *e)
{
    uint64_t members = 0;
    if (!isfinite(s->time)) return sound_not("engine/time", e);
    for (uint32_t i = 0; i < s->count; i++) {
        const particle *b = &s->particles[i];
        if (b->cluster >= s->count || b->radius != radius[i] || !near_box(s, b->x)) return sound_not("engine/body", e);
    }
    for (uint32_t slot = 0; slot < s->count; slot++) {
        if (!is_cluster(s, slot) || (s->clusters[slot].size > 0 && !is_list(s, slot)))
            return sound_not("engine/cluster", e);
        members += s->clusters[slot].size;
    }
    return members == s->count ? CAROM_OK : sound_not("engine/cluster", e);
}

static carom_status load_parts(steps *s, const double *radius, const snapshot *in, error *e)
{
    snapshot_part parts[MOST_PARTS];
    const int count = all_parts(s, parts);
    TRY(snapshot_get_parts(in, parts, count, e));
    TRY(check_clusters(s, radius, e));
    const steps_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->check != NULL) TRY(f->check(s, e));
    return CAROM_OK;
}

static carom_status steps_load(void *self, const snapshot *in, error *e)
{
    steps *s = self;
    double *radius = NEW_ARRAY(s->count, double);
    if (radius == NULL) return error_memory(e, "a checkpoint", s->count * sizeof *radius);
    for (uint32_t i = 0; i < s->count; i++) radius[i] = s->particles[i].radius;
    const carom_status status = load_parts(s, radius, in, e);
    memory_free(radius);
    TRY(status);
    s->live_count = 0;
    for (uint32_t slot = 0; slot < s->count; slot++)
        if (s->clusters[slot].size > 0) s->live[s->live_count++] = slot;
    const steps_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->load != NULL) TRY(f->load(s, in, e));
    return CAROM_OK;
}
