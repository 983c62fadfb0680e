/* Creation, hash, report and destruction of the state of time stepping. */
#include "aggregation/kernel/steps/feature.h"

#include "aggregation/flight_steps.h"
#include "aggregation/kernel.h"
#include "aggregation/settings.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "frame/image.h"
#include "neighbors/cells.h"

#include <string.h>

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static void set_box(steps *s, const initial_state *state)
{
    s->least_radius = (double)INFINITY;
    for (uint32_t i = 0; i < s->count; i++) s->least_radius = fmin(s->least_radius, 0.5 * state->diameter[i]);
    for (int k = 0; k < DIM; k++) {
        s->size[k] = state->size[k];
        s->walls.on[k] = s->scene->box.boundary[k] == BOUNDARY_WALL;
        s->walls.any = s->walls.any || s->walls.on[k];
        if (s->walls.on[k]) continue;
        s->box[k] = state->size[k];
        s->inverse_box[k] = 1 / state->size[k];
    }
}

static bool allocate(steps *s)
{
    const size_t n = s->count;
    s->particles = NEW_ARRAY(n, particle);
    s->mass = NEW_ARRAY(n, double);
    s->id = NEW_ARRAY(n, uint32_t);
    s->species = NEW_ARRAY(n, uint32_t);
    s->motions = NEW_ARRAY(n, motion);
    s->before = memory_new(n, sizeof *s->before);
    s->clusters = NEW_ARRAY(n, cluster);
    s->next = NEW_ARRAY(n, uint32_t);
    s->live = NEW_ARRAY(n, uint32_t);
    s->group = NEW_ARRAY(n, uint32_t);
    s->local = NEW_ARRAY(n, uint32_t);
    s->touched = NEW_ARRAY(n, uint8_t);
    return s->particles && s->mass && s->id && s->species && s->motions && s->before && s->clusters && s->next &&
           s->live && s->group && s->local && s->touched;
}

/* The sum over all features of the kernel: the enabled features of a run are not determined yet. */
static size_t memory_of(size_t n)
{
    size_t bytes = n * (sizeof(particle) + sizeof(double) * (1 + DIM) + 6 * sizeof(uint32_t) + 1 + sizeof(motion) +
                        sizeof(cluster));
    for (size_t k = 0; k < sizeof features / sizeof *features; k++)
        if (features[k]->memory != NULL) bytes += features[k]->memory(n);
    return bytes;
}

/* Order of particles: neighbours in the box are neighbours in memory. */
static carom_status set_order(steps *s, const initial_state *state, error *e)
{
    cells grid = {0};
    cells_box box = {.dimension = DIM};
    double volume = 1;
    for (int k = 0; k < DIM; k++) {
        box.size[k] = s->size[k];
        box.periodic[k] = s->box[k] > 0;
        volume *= s->size[k];
    }
    carom_status status = cells_create(&grid, &box, 2 * pow(volume / s->count, 1.0 / DIM), s->count, s->next, e);
    if (status == CAROM_OK) {
        uint32_t *start = NEW_ARRAY(cells_total(&grid) + 1, uint32_t);
        if (start != NULL)
            cells_sort(&grid, s->count, (const double(*)[3])state->position, start, s->id);
        else
            status = error_memory(e, "cells", (cells_total(&grid) + 1) * sizeof *start);
        memory_free(start);
    }
    cells_destroy(&grid);
    return status;
}

/* Initially each particle is a cluster. */
static void set_clusters(steps *s, const initial_state *state)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t id = s->id[i];
        particle *b = &s->particles[i];
        motion *m = &s->motions[i];
        cluster *c = &s->clusters[i];
        b->radius = 0.5 * state->diameter[id];
        b->cluster = s->live[i] = s->group[i] = i;
        s->next[i] = s->local[i] = NONE;
        s->mass[i] = state->mass[id];
        s->species[i] = state->species[id];
        *c = (cluster){.mass = s->mass[i], .first = i, .last = i, .size = 1, .least = id};
        for (int k = 0; k < DIM; k++) {
            m->offset[k] = state->position[id][k];
            m->velocity[k] = state->velocity[id][k];
            c->momentum[k] = c->mass * m->velocity[k];
        }
        m->speed = sqrt(dot(m->velocity, m->velocity));
    }
    s->live_count = s->count;
}

static carom_status create(void **self, const scene *drawn, const initial_state *state, unsigned tallies,
                           const engine_workers *workers, error *e)
{
    (void)tallies, (void)workers;
    steps *s = NEW_ARRAY(1, steps);
    if (s == NULL) return error_memory(e, "the engine", sizeof *s);
    *self = s;
    const aggregation_settings *settings = drawn->engine_settings;
    s->scene = drawn;
    s->settings = &settings->steps;
    s->progress.patience = settings->patience;
    s->count = (uint32_t)state->count;
    s->threads = threads_most();
    s->progress.overdue = (double)INFINITY;
    set_box(s, state);
    if (!allocate(s)) return error_memory(e, "the engine", memory_of(state->count));
    TRY(set_order(s, state, e));
    set_clusters(s, state);
    const steps_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->create != NULL) TRY(f->create(s, e));
    return CAROM_OK;
}

static void destroy(void *self)
{
    steps *s = self;
    if (s == NULL) return;
    const steps_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->destroy != NULL) f->destroy(s);
    memory_free(s->particles);
    memory_free(s->mass);
    memory_free(s->id);
    memory_free(s->species);
    memory_free(s->motions);
    memory_free(s->before);
    memory_free(s->clusters);
    memory_free(s->next);
    memory_free(s->live);
    memory_free(s->contacts);
    memory_free(s->group);
    memory_free(s->order);
    memory_free(s->local);
    memory_free(s->touched);
    memory_free(s);
}

/* ---- frames and hash --------------------------------------------------------------------------------------------- */

static uint64_t steps_hash(const steps *s)
{
    uint64_t hash = HASH_START;
    for (uint32_t i = 0; i < s->count; i++) {
        const particle *b = &s->particles[i];
        hash = hash_u64(hash, b->cluster);
        hash = hash_bytes(hash, b->x, sizeof b->x);
        if (s->clusters[i].size == 0) continue;
        hash = hash_bytes(hash, s->motions[i].offset, sizeof s->motions[i].offset);
        hash = hash_bytes(hash, s->motions[i].velocity, sizeof s->motions[i].velocity);
    }
    hash = hash_bytes(hash, &s->time, sizeof s->time);
    hash = hash_u64(hash, s->events[EVENT_MERGE]);
    return hash_finish(hash_u64(hash, s->events[EVENT_WALL]));
}

static void fill_path(const steps *s, uint32_t i, unsigned columns, carom_frame *f)
{
    double r[DIM];
    position_of(s, i, r);
    for (int k = 0; k < DIM; k++) {
        const size_t at = (size_t)s->id[i] * DIM + (size_t)k;
        double turns = floor(r[k] * s->inverse_box[k]), inside = r[k] - turns * s->box[k];
        bool rounded_up = s->box[k] > 0 && inside >= s->box[k];
        if (columns & FRAME_POSITION) f->position[at] = rounded_up || (inside < 0 && s->box[k] > 0) ? 0 : inside;
        if (columns & FRAME_IMAGE) f->image[at] = image_of(turns + rounded_up);
    }
}

static void fill_particle(const steps *s, uint32_t i, unsigned columns, carom_frame *f)
{
    const particle *b = &s->particles[i];
    const uint32_t id = s->id[i];
    if (columns & FRAME_PATH) fill_path(s, i, columns, f);
    for (size_t k = 0; (columns & FRAME_VELOCITY) && k < DIM; k++)
        f->velocity[(size_t)id * DIM + k] = s->motions[b->cluster].velocity[k];
    if (columns & FRAME_RADIUS) f->radius[id] = b->radius;
    if (columns & FRAME_MASS) f->mass[id] = s->mass[i];
    if (columns & FRAME_SPECIES) f->species[id] = s->species[i];
    if (columns & FRAME_ID) f->id[id] = id;
    if (columns & FRAME_CLUSTER) f->cluster[id] = s->clusters[b->cluster].least;
}

static void fill_columns(void *self, unsigned columns, carom_frame *f)
{
    const steps *s = self;
    for (uint32_t i = 0; (columns & ~(unsigned)FRAME_HASH) && i < s->count; i++) fill_particle(s, i, columns, f);
    if (columns & FRAME_HASH) f->state_hash = steps_hash(s);
}

/* The state at the end of the last step. */
static void fill_frame(void *self, double time, carom_frame *f)
{
    const steps *s = self;
    f->time = time;
    for (int k = 0; k < DIM; k++) {
        f->box[k] = s->size[k];
        f->boundary[k] = (int)s->scene->box.boundary[k];
    }
    f->leeway = s->settings->tolerance;
    f->clusters = s->live_count;
    memcpy(f->events, s->events, sizeof f->events);
    f->tallies = (frame_tallies){.steps = s->tally};
    const steps_feature *feature;
    for (size_t n = 0; (feature = feature_next(s, &n)) != NULL;)
        if (feature->fill_frame != NULL) feature->fill_frame(s, f);
}

static double time_of(const void *self)
{
    return ((const steps *)self)->time;
}

static const uint64_t *events_of(const void *self)
{
    return ((const steps *)self)->events;
}

static uint64_t clusters_of(const void *self)
{
    return ((const steps *)self)->live_count;
}
