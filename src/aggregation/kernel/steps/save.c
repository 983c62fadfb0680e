/* The exact state, for checkpoints. Cells and pairs are not part of it: they are found anew. */
#include "aggregation/kernel/steps/steps.h"

#include "engine/sound.h"

#define BYTES(s, field) (sizeof *(s)->field * (s)->count)

enum { MOST_PARTS = 24 };

static int parts_of(steps *s, snapshot_part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (snapshot_part){"engine/body", s->particles, BYTES(s, particles)};
    parts[n++] = (snapshot_part){"engine/motion", s->motions, BYTES(s, motions)};
    parts[n++] = (snapshot_part){"engine/cluster", s->clusters, BYTES(s, clusters)};
    if (s->extents != NULL) parts[n++] = (snapshot_part){"engine/extent", s->extents, BYTES(s, extents)};
    parts[n++] = (snapshot_part){"engine/next", s->next, BYTES(s, next)};
    parts[n++] = (snapshot_part){"engine/drift", s->pair_list.drift, BYTES(s, pair_list.drift)};
    parts[n++] = (snapshot_part){"engine/link_first", s->links.first, BYTES(s, links.first)};
    parts[n++] = (snapshot_part){"engine/merges", s->merges, BYTES(s, merges)};
    parts[n++] = (snapshot_part){"engine/merge_count", &s->merge_count, sizeof s->merge_count};
    parts[n++] = (snapshot_part){"engine/time", &s->time, sizeof s->time};
    parts[n++] = (snapshot_part){"engine/steps", &s->tally, sizeof s->tally};
    parts[n++] = (snapshot_part){"engine/flown", &s->flown, sizeof s->flown};
    parts[n++] = (snapshot_part){"engine/pace", &s->pseudo_time_scale, sizeof s->pseudo_time_scale};
    parts[n++] = (snapshot_part){"engine/events", s->events, sizeof s->events};
    parts[n++] = (snapshot_part){"engine/dissipated", &s->dissipated, sizeof s->dissipated};
    return n;
}

static carom_status steps_save(const void *self, snapshot *out, error *e)
{
    steps copy = *(const steps *)self;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(&copy, parts);
    TRY(snapshot_put_parts(out, parts, n, &copy, sizeof copy, e));
    return snapshot_lend(out, "engine/link", SNAPSHOT_U8, copy.links.count * sizeof *copy.links.edges, copy.links.edges,
                         e);
}

static carom_status load_links(links *l, const snapshot *in, error *e)
{
    const snapshot_array *stored = snapshot_find(in, "engine/link");
    if (stored == NULL || stored->count % (2 * sizeof *l->edges) != 0)
        return error_set(e, CAROM_BAD_DATA, "error: the checkpoint has no links of the engine `aggregation`");
    size_t count = stored->count / sizeof *l->edges;
    if (count > l->capacity) {
        half_edge *edges = memory_resize(l->edges, l->capacity, count, sizeof *edges);
        if (edges == NULL) return error_memory(e, "links", stored->count);
        l->edges = edges;
        l->capacity = count;
    }
    l->count = count;
    return snapshot_get(in, "engine/link", SNAPSHOT_U8, stored->count, l->edges, e);
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

/* So many boxes away numbers begin to fail. */
static const double FAR = 0x1p40;

static bool near_box(const steps *s, const double x[DIM])
{
    for (int k = 0; k < DIM; k++)
        if (!(fabs(x[k]) <= FAR * s->size[k])) return false;
    return true;
}

/* Its list leads through its members, and ends. */
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
           m->used >= 0 &&
           (s->extents == NULL || (near_box(s, s->extents[slot].low) && near_box(s, s->extents[slot].high)));
}

/* Every particle is in one list of half-edges, every half-edge at most in one. */
static bool links_are_sound(const steps *s)
{
    uint64_t met = 0;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t at = s->links.first[i]; at != NONE; at = s->links.edges[at].next) {
            if (at >= s->links.count || ++met > s->links.count) return false;
            const uint32_t to = s->links.edges[at].to & ~SLACK_BIT;
            if (to >= s->count || to == i || s->particles[to].cluster != s->particles[i].cluster) return false;
            if ((s->links.edges[at ^ 1].to & ~SLACK_BIT) != i) return false;
        }
    return met == s->links.count;
}

static carom_status check(const steps *s, const double *radius, error *e)
{
    uint64_t members = 0, slots = 0;
    if (!isfinite(s->time) || !isfinite(s->flown) || s->flown < 0 || !(s->pseudo_time_scale > 0) ||
        !isfinite(s->pseudo_time_scale) || !isfinite(s->dissipated))
        return sound_not("engine/time", e);
    for (uint32_t i = 0; i < s->count; i++) {
        const particle *b = &s->particles[i];
        if (b->cluster >= s->count || b->radius != radius[i] || !near_box(s, b->x)) return sound_not("engine/body", e);
        if (!(s->pair_list.drift[i] >= 0)) return sound_not("engine/drift", e);
    }
    for (uint32_t slot = 0; slot < s->count; slot++) {
        if (!is_cluster(s, slot) || (s->clusters[slot].size > 0 && !is_list(s, slot)))
            return sound_not("engine/cluster", e);
        members += s->clusters[slot].size;
        slots += s->clusters[slot].size > 0;
    }
    if (members != s->count || s->merge_count != s->count - slots) return sound_not("engine/cluster", e);
    if (!links_are_sound(s)) return sound_not("engine/link", e);
    return sound_merges(s->merges, s->merge_count, s->count, s->time) ? CAROM_OK : sound_not("engine/merges", e);
}

static carom_status load(steps *s, const double *radius, const snapshot *in, error *e)
{
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(s, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    TRY(load_links(&s->links, in, e));
    return check(s, radius, e);
}

static carom_status steps_load(void *self, const snapshot *in, error *e)
{
    steps *s = self;
    double *radius = NEW_ARRAY(s->count, double);
    if (radius == NULL) return error_memory(e, "a checkpoint", s->count * sizeof *radius);
    for (uint32_t i = 0; i < s->count; i++) radius[i] = s->particles[i].radius;
    const carom_status status = load(s, radius, in, e);
    memory_free(radius);
    TRY(status);
    s->live_count = 0;
    for (uint32_t slot = 0; slot < s->count; slot++)
        if (s->clusters[slot].size > 0) s->live[s->live_count++] = slot;
    pair_list_restore(s);
    return CAROM_OK;
}
