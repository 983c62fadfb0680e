/* Creation, hash, report and destruction of the state. */
#include "aggregation/kernel/events/feature.h"

#include "base/hash.h"
#include "base/memory.h"
#include "frame/image.h"
#include "neighbors/curve.h"

#include <stdlib.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static void set_box(cluster_state *s)
{
    s->horizon = INFINITY;
    for (int k = 0; k < DIM; k++) {
        if (s->scene->box.boundary[k] != BOUNDARY_PERIODIC) continue;
        s->period[k] = s->size[k];
        s->per_period[k] = 1 / s->size[k];
        s->horizon = fmin(s->horizon, HORIZON_SHARE * (0.5 * s->size[k] - 2 * s->largest));
    }
}

static int by_content(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(kind));
}

/* Each distinct kind once. If there are too many for a fast comparison, the list may contain equal kinds. */
static carom_status set_kinds(cluster_state *s, const initial_state *state, error *e)
{
    kind *all = NEW_ARRAY(s->count, kind), *found;
    if (all == NULL) return error_memory(e, "the engine", s->count * sizeof *all);
    for (uint32_t i = 0; i < s->count; i++) {
        kind *k = &all[i];
        k->radius = 0.5 * state->diameter[i];
        k->mass = state->mass[i];
        k->species = state->species[i];
    }
    qsort(all, s->count, sizeof *all, by_content);
    for (uint32_t i = 0; i < s->count; i++)
        if (i == 0 || by_content(&all[i], &all[s->kinds - 1]) != 0) all[s->kinds++] = all[i];
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t from = s->id[i];
        kind own;
        memset(&own, 0, sizeof own);
        own.radius = 0.5 * state->diameter[from];
        own.mass = state->mass[from];
        own.species = state->species[from];
        found = bsearch(&own, all, s->kinds, sizeof *all, by_content);
        s->particle[i].kind = (uint32_t)(found - all);
    }
    s->kind = memory_resize(all, s->count, s->kinds, sizeof *all);
    if (s->kind == NULL) s->kind = all;
    s->smallest = INFINITY;
    for (uint32_t k = 0; k < s->kinds; k++) {
        s->largest = fmax(s->largest, s->kind[k].radius);
        s->smallest = fmin(s->smallest, s->kind[k].radius);
    }
    return CAROM_OK;
}

/* Order along a space-filling curve, so that neighbours are close together in memory. */
static carom_status set_order(cluster_state *s, const initial_state *state, error *e)
{
    const uint32_t n = s->count;
    const int levels = curve_levels(DIM, n);
    curve_place *place = NEW_ARRAY(2 * (size_t)n, curve_place);
    if (place == NULL) return error_memory(e, "the engine", 2 * (size_t)n * sizeof *place);
    for (uint32_t i = 0; i < n; i++) {
        double inside[DIM];
        for (int k = 0; k < DIM; k++) inside[k] = state->position[i][k] / s->size[k];
        place[i] = (curve_place){curve_key(DIM, levels, inside), i};
    }
    curve_sort(place, place + n, n);
    for (uint32_t i = 0; i < n; i++) s->id[i] = place[i].item;
    memory_free(place);
    return CAROM_OK;
}

/* Initially each particle is a cluster. */
static void set_clusters(cluster_state *s, const initial_state *state)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t from = s->id[i];
        motion *m = &s->motion[i];
        cluster *c = &s->cluster[i];
        s->particle[i].root = i;
        c->mass = state->mass[from];
        for (int k = 0; k < DIM; k++) {
            m->o[k] = state->position[from][k];
            m->v[k] = state->velocity[from][k];
            c->p[k] = c->mass * m->v[k];
            c->high[k] = radius_of(s, i);
            c->low[k] = -c->high[k];
        }
        c->size = 1;
        c->first = c->last = NONE;
        c->id = from;
    }
    s->clusters = s->count;
    s->sticky = true;
    for (size_t k = 0; k < s->scene->law_count; k++) s->sticky = s->sticky && isinf(s->scene->laws[k].stick_below);
}

static bool allocate(cluster_state *s)
{
    const size_t n = s->count;
    s->id = NEW_ARRAY(n, uint32_t);
    s->particle = NEW_ARRAY(n, particle);
    s->next_active = NEW_ARRAY(n, uint32_t);
    s->motion = NEW_ARRAY(n, motion);
    s->cluster = NEW_ARRAY(n, cluster);
    return s->id && s->particle && s->next_active && s->motion && s->cluster;
}

/* The sum over all features of the kernel: the enabled features of a run are not determined yet. */
static size_t memory_of(size_t n)
{
    size_t bytes = n * (sizeof(particle) + sizeof(motion) + sizeof(cluster) + 4 * sizeof(uint32_t));
    for (size_t k = 0; k < sizeof features / sizeof *features; k++)
        if (features[k]->memory != NULL) bytes += features[k]->memory(n);
    return bytes;
}

static carom_status create(void **self, const scene *drawn, const initial_state *state, unsigned tallies,
                           const engine_workers *workers, error *e)
{
    (void)tallies, (void)workers;
    cluster_state *s = NEW_ARRAY(1, cluster_state);
    if (s == NULL) return error_memory(e, "the engine", sizeof *s);
    *self = s;
    s->scene = drawn;
    s->settings = drawn->engine_settings;
    s->count = (uint32_t)state->count;
    if (!allocate(s)) return error_memory(e, "the engine", memory_of(state->count));
    for (int k = 0; k < DIM; k++) s->size[k] = state->size[k];
    TRY(set_order(s, state, e));
    TRY(set_kinds(s, state, e));
    set_box(s);
    set_clusters(s, state);
    const state_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->create != NULL) TRY(f->create(s, e));
    return CAROM_OK;
}

static void destroy(void *self)
{
    cluster_state *s = self;
    if (s == NULL) return;
    const state_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->destroy != NULL) f->destroy(s);
    memory_free(s->id);
    memory_free(s->particle);
    memory_free(s->next_active);
    memory_free(s->motion);
    memory_free(s->cluster);
    memory_free(s->kind);
    memory_free(s);
}

/* ---- frames and hash --------------------------------------------------------------------------------------------- */

static uint64_t hash_cluster(const cluster_state *s, uint32_t root, uint64_t hash)
{
    const motion *m = &s->motion[root];
    hash = hash_bytes(hash, m->o, sizeof m->o);
    hash = hash_bytes(hash, m->v, sizeof m->v);
    hash = hash_bytes(hash, &m->t, sizeof m->t);
    const state_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->hash_cluster != NULL) hash = f->hash_cluster(s, root, hash);
    return hash;
}

static uint64_t hash_of(const cluster_state *s)
{
    uint64_t hash = HASH_START;
    for (uint32_t i = 0; i < s->count; i++) {
        const particle *p = &s->particle[i];
        hash = hash_u64(hash, p->root);
        hash = hash_bytes(hash, p->xi, sizeof p->xi);
        if (p->root == i) hash = hash_cluster(s, i, hash);
    }
    hash = hash_u64(hash, s->events[EVENT_MERGE]);
    hash = hash_u64(hash, s->events[EVENT_COLLISION]);
    return hash_finish(hash_u64(hash, s->events[EVENT_WALL]));
}

static void fill_motion(const cluster_state *s, uint32_t i, double t, unsigned columns, carom_frame *f)
{
    const particle *p = &s->particle[i];
    double r[DIM], v[DIM];
    particle_at(s, i, t, r, v);
    for (int k = 0; k < DIM; k++) {
        const size_t at = (size_t)s->id[i] * DIM + (size_t)k;
        double x = r[k], turns = floor(x * s->per_period[k]);
        double inside = x - turns * s->period[k];
        bool rounded_up = s->period[k] > 0 && inside >= s->period[k];
        if (columns & FRAME_POSITION) f->position[at] = rounded_up || (inside < 0 && s->period[k] > 0) ? 0 : inside;
        if (columns & FRAME_IMAGE) f->image[at] = image_moved(s->cluster[p->root].image[k], turns + rounded_up);
        if (columns & FRAME_VELOCITY) f->velocity[at] = v[k];
    }
}

static void fill_fixed(const cluster_state *s, uint32_t i, unsigned columns, carom_frame *f)
{
    const particle *p = &s->particle[i];
    const uint32_t id = s->id[i];
    if (columns & FRAME_RADIUS) f->radius[id] = s->kind[p->kind].radius;
    if (columns & FRAME_MASS) f->mass[id] = s->kind[p->kind].mass;
    if (columns & FRAME_SPECIES) f->species[id] = s->kind[p->kind].species;
    if (columns & FRAME_ID) f->id[id] = id;
}

static void state_fill_columns(void *self, unsigned columns, carom_frame *f)
{
    const cluster_state *s = self;
    const double t = later(f->time, s->last_event);
    const bool moves = (columns & (FRAME_PATH | FRAME_VELOCITY)) != 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (moves) fill_motion(s, i, t, columns, f);
        if (columns & FRAME_FIXED) fill_fixed(s, i, columns, f);
        if (columns & FRAME_CLUSTER) f->cluster[s->id[i]] = s->cluster[s->particle[i].root].id;
        const state_feature *feature;
        for (size_t n = 0; (columns & FRAME_SPIN) && (feature = feature_next(s, &n)) != NULL;)
            if (feature->fill_spin != NULL) feature->fill_spin(s, i, t, f);
    }
    if (columns & FRAME_HASH) f->state_hash = hash_of(s);
}

static void state_fill_frame(void *self, double time, carom_frame *f)
{
    const cluster_state *s = self;
    f->time = time;
    for (int k = 0; k < DIM; k++) {
        f->box[k] = s->size[k];
        f->boundary[k] = (int)s->scene->box.boundary[k];
    }
    f->clusters = s->clusters;
    memcpy(f->events, s->events, sizeof f->events);
    f->tallies = (frame_tallies){0};
    const state_feature *feature;
    for (size_t n = 0; (feature = feature_next(s, &n)) != NULL;)
        if (feature->fill_frame != NULL) feature->fill_frame(s, f);
}

static double time_of(const void *self)
{
    return ((const cluster_state *)self)->last_event;
}

static const uint64_t *events_of(const void *self)
{
    return ((const cluster_state *)self)->events;
}

static uint64_t clusters_of(const void *self)
{
    return ((const cluster_state *)self)->clusters;
}
