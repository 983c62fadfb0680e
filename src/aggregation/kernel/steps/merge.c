/* Step 3: clusters in contact merge, with their common momentum. */
#include "aggregation/kernel/steps/feature.h"

#include "base/memory.h"
#include "engine/sound.h"

static void log_merge(steps *s, uint32_t i, uint32_t j)
{
    uint32_t a = s->id[i], b = s->id[j];
    s->history.merges[s->history.count++] = (frame_merge){s->time, a < b ? a : b, a < b ? b : a};
}

static void join_extents(steps *s, uint32_t large, uint32_t small, const double shift[DIM])
{
    if (s->walls.extents == NULL) return;
    extent *a = &s->walls.extents[large], *b = &s->walls.extents[small];
    for (int k = 0; k < DIM; k++) {
        a->low[k] = fmin(a->low[k], b->low[k] + shift[k]);
        a->high[k] = fmax(a->high[k], b->high[k] + shift[k]);
    }
}

static void move_members(steps *s, uint32_t large, uint32_t small)
{
    cluster *a = &s->clusters[large], *b = &s->clusters[small];
    double shift[DIM];
    for (int k = 0; k < DIM; k++) shift[k] = s->motions[small].offset[k] - s->motions[large].offset[k];
    for (uint32_t i = b->first; i != NONE; i = s->next[i]) {
        s->particles[i].cluster = large;
        for (int k = 0; k < DIM; k++) s->particles[i].x[k] += shift[k];
    }
    s->next[a->last] = b->first;
    a->last = b->last;
    a->size += b->size;
    a->least = b->least < a->least ? b->least : a->least;
    b->size = 0;
    join_extents(s, large, small, shift);
}

/* The dissipated kinetic energy, and the common velocity. */
static void share_momentum(steps *s, uint32_t large, uint32_t small)
{
    cluster *a = &s->clusters[large], *b = &s->clusters[small];
    motion *m = &s->motions[large], *n = &s->motions[small];
    double square = 0, reduced = a->mass * b->mass / (a->mass + b->mass);
    a->mass += b->mass;
    for (int k = 0; k < DIM; k++) {
        double difference = m->velocity[k] - n->velocity[k];
        square += difference * difference;
        a->momentum[k] += b->momentum[k];
        m->velocity[k] = a->momentum[k] / a->mass;
    }
    s->history.dissipated += 0.5 * reduced * square;
    m->speed = sqrt(dot(m->velocity, m->velocity));
    m->used = fmax(m->used, n->used);
}

static void merge(steps *s, uint32_t a, uint32_t b)
{
    const uint32_t size_a = s->clusters[a].size, size_b = s->clusters[b].size;
    const bool first = size_a == size_b ? a < b : size_a > size_b;
    const uint32_t large = first ? a : b, small = first ? b : a;
    s->touched[large] |= s->touched[small];
    s->touched[small] = 0;
    share_momentum(s, large, small);
    move_members(s, large, small);
    s->events[EVENT_MERGE]++;
    s->progress.flown = 0;
    s->progress.overdue = (double)INFINITY;
}

static void remove_dead(steps *s)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < s->live_count; n++)
        if (s->clusters[s->live[n]].size > 0) s->live[kept++] = s->live[n];
    s->live_count = kept;
}

static void merge_contacts(steps *s)
{
    for (size_t n = 0; n < s->contact_count; n++) {
        uint32_t a = s->particles[s->contacts[n].i].cluster, b = s->particles[s->contacts[n].j].cluster;
        s->group[a] = a;
        s->group[b] = b;
    }
    for (size_t n = 0; n < s->contact_count; n++) {
        const contact *c = &s->contacts[n];
        uint32_t a = s->particles[c->i].cluster, b = s->particles[c->j].cluster;
        if (a == b) continue;
        log_merge(s, c->i, c->j);
        if (s->log != NULL) record_merge(s, c->i, c->j);
        merge(s, a, b);
    }
    for (size_t n = 0; n < s->contact_count; n++) {
        uint32_t a = s->particles[s->contacts[n].i].cluster;
        if (s->touched[a] & TOUCHED_EXTENT) flight_extent(s, a);
        s->touched[a] = 0;
    }
    remove_dead(s);
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static carom_status history_create(steps *s, error *e)
{
    return merge_history_create(&s->history, s->count, e);
}

static void history_destroy(steps *s)
{
    memory_free(s->history.merges);
}

static int history_parts(steps *s, snapshot_part parts[FEATURE_PARTS])
{
    merge_history *h = &s->history;
    int n = 0;
    parts[n++] = (snapshot_part){"engine/merges", h->merges, sizeof *h->merges * s->count};
    parts[n++] = (snapshot_part){"engine/merge_count", &h->count, sizeof h->count};
    parts[n++] = (snapshot_part){"engine/dissipated", &h->dissipated, sizeof h->dissipated};
    parts[n++] = (snapshot_part){"engine/flown", &s->progress.flown, sizeof s->progress.flown};
    parts[n++] = (snapshot_part){"engine/since", &s->progress.since, sizeof s->progress.since};
    return n;
}

static carom_status history_check(const steps *s, error *e)
{
    const merge_history *h = &s->history;
    uint64_t clusters = 0;
    for (uint32_t slot = 0; slot < s->count; slot++) clusters += s->clusters[slot].size > 0;
    if (!isfinite(h->dissipated) || !isfinite(s->progress.flown) || s->progress.flown < 0 ||
        !isfinite(s->progress.since))
        return sound_not("engine/flown", e);
    if (h->count != s->count - clusters) return sound_not("engine/cluster", e);
    return sound_merges(h->merges, h->count, s->count, s->time) ? CAROM_OK : sound_not("engine/merges", e);
}

static void history_fill_frame(const steps *s, carom_frame *f)
{
    merge_history_fill_frame(&s->history, f);
}

static const steps_feature history_feature = {.name = "history",
                                              .memory = merge_history_memory,
                                              .create = history_create,
                                              .destroy = history_destroy,
                                              .parts = history_parts,
                                              .check = history_check,
                                              .fill_frame = history_fill_frame};
