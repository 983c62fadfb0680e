/* Frames, and the hash of the state. */
#include "hard/kernel/frame.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/images.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/numbers.h"
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/parts.h"
#include "hard/kernel/response/tallies.h"
#include "hard/kernel/true_place.h"

#include "base/hash.h"

/* Hash of the number and the state of a body. */
static uint64_t hash_body(const gas *g, uint32_t i, bool more)
{
    const body *b = &g->body[i];
    uint64_t hash = hash_u64(HASH_START, g->id[i]);
    for (int k = 0; k < DIM; k++) {
        hash = hash_real(hash, b->r[k]);
        hash = hash_real(hash, b->v[k]);
        hash = hash_u64(hash, (uint64_t)image_at(g, i, k));
    }
    hash = hash_real(hash, b->t);
    return hash_finish(more ? features_hash_body(g, i, hash) : hash);
}

/* The hash of the state. `bodies` is the sum of the hashes of all bodies modulo 2^64: it does not depend on their order
 * in memory, and parts of it can be computed separately. */
static uint64_t finish_hash(const gas *g, uint64_t bodies)
{
    uint64_t hash = features_hash(g, HASH_BEFORE_CLOCK, hash_u64(HASH_START, bodies));
    hash = hash_bytes(hash, &g->origin, sizeof g->origin);
    hash = hash_bytes(hash, &g->origin_low, sizeof g->origin_low);
    hash = hash_u64(hash, (uint64_t)g->scale);
    hash = features_hash(g, HASH_AFTER_CLOCK, hash);
    hash = hash_u64(hash, g->events[EVENT_COLLISION]);
    hash = features_hash(g, HASH_AFTER_COLLISIONS, hash);
    return hash_finish(hash_u64(hash, g->events[EVENT_WALL]));
}

/* Number of a body in a frame, or in a part of one: then `count` or more for bodies of other parts. */
static inline size_t number_in(const carom_frame *f, uint32_t id)
{
    return id - f->first;
}

static void fill_path(const gas *g, uint32_t i, real t, const drifted *d, unsigned columns, carom_frame *f)
{
    real r[DIM], by = g->compression != NULL ? 1 + g->growth * t : 1;
    position_at(g, i, t, r);
    for (int k = 0; k < DIM; k++) {
        const size_t at = number_in(f, g->id[i]) * DIM + (size_t)k;
        r[k] += (real)d->rest[k];
        real turns = real_floor(r[k] * g->inverse_box[k]);
        double x = (double)((r[k] - turns * g->box[k]) / by);
        bool rounded_up = g->box[k] > 0 && x >= f->box[k];
        if (columns & FRAME_POSITION) f->position[at] = rounded_up ? 0 : x < 0 && g->box[k] > 0 ? 0 : x;
        if (columns & FRAME_IMAGE)
            f->image[at] = image_moved(image_at(g, i, k), (double)turns + rounded_up + d->boxes[k]);
    }
}

static void fill_velocity(const gas *g, uint32_t i, real t, const drifted *d, carom_frame *f)
{
    const body *b = &g->body[i];
    const int unscale = (int)(f->scale - g->scale);
    for (int k = 0; k < DIM; k++) {
        const real v = b->v[k] + acceleration(g, i, k) * (t - b->t);
        f->velocity[number_in(f, g->id[i]) * DIM + (size_t)k] =
            (double)(unscale != 0 ? real_ldexp(v, unscale) : v) + d->speed[k];
    }
}

static void fill_sheared(const gas *g, uint32_t i, real t, unsigned columns, carom_frame *f)
{
    const size_t at = number_in(f, g->id[i]) * DIM;
    real r[DIM], v[DIM];
    int64_t image[DIM];
    place_sheared(g, i, t, r, v, image);
    for (size_t k = 0; k < DIM; k++) {
        double x = (double)r[k];
        if (columns & FRAME_POSITION) f->position[at + k] = x < f->box[k] ? x : nextafter(f->box[k], 0);
        if (columns & FRAME_IMAGE) f->image[at + k] = image[k];
        if (columns & FRAME_VELOCITY) f->velocity[at + k] = (double)real_ldexp(v[k], (int)(f->scale - g->scale));
    }
}

/* The velocities along x of bodies that are moved into the sheared box change, and so do their energies, which are not
 * tallied yet. */
static void add_gains(const gas *g, real t, exact_sum *supplied)
{
    for (uint32_t i = 0; i < g->count; i++) {
        real r[DIM], v[DIM];
        int64_t image[DIM];
        place_sheared(g, i, t, r, v, image);
        exact_add(supplied, shear_gain(g, i, g->body[i].v[0], v[0]));
    }
}

static void fill_fixed(const gas *g, uint32_t i, real t, unsigned columns, carom_frame *f)
{
    const size_t at = number_in(f, g->id[i]);
    if (columns & FRAME_RADIUS) f->radius[at] = frame_radius(g, i, t);
    if (columns & FRAME_MASS) f->mass[at] = mass_of(g, i);
    if (columns & FRAME_SPECIES) f->species[at] = species_of(g, i);
    if (columns & FRAME_ID) f->id[at] = g->id[i];
}

static void fill_body(const gas *g, uint32_t i, real t, const drifted *d, unsigned columns, carom_frame *f)
{
    if (g->shear != NULL && (columns & (FRAME_PATH | FRAME_VELOCITY))) fill_sheared(g, i, t, columns, f);
    if (g->shear == NULL && (columns & FRAME_PATH)) fill_path(g, i, t, d, columns, f);
    if (g->shear == NULL && (columns & FRAME_VELOCITY)) fill_velocity(g, i, t, d, f);
    if (columns & FRAME_FIXED) fill_fixed(g, i, t, columns, f);
}

/* Bodies that are absent are at rest at the origin. */
static void fill_absent(const gas *g, real t, unsigned columns, carom_frame *f)
{
    for (uint32_t i = g->count; i < all_bodies(g); i++) {
        for (size_t k = 0, at = (size_t)g->id[i] * DIM; k < DIM; k++, at++) {
            if (columns & FRAME_POSITION) f->position[at] = 0;
            if (columns & FRAME_VELOCITY) f->velocity[at] = 0;
            if (columns & FRAME_IMAGE) f->image[at] = 0;
        }
        if (columns & FRAME_FIXED) fill_fixed(g, i, t, columns, f);
    }
}

static void fill_present(const gas *g, carom_frame *f)
{
    for (uint32_t i = 0; i < all_bodies(g); i++) {
        const uint32_t id = g->reserve != NULL ? g->id[i] : i;
        f->present[id] = i < g->count ? id : FRAME_ABSENT;
    }
}

/* Fills columns with the bodies of a part of the gas. Returns the sum of their hashes, if the hash is among the columns. */
static uint64_t fill_part(const gas *part, real t, const drifted *d, unsigned columns, carom_frame *f)
{
    /* The hash of a body is a chain of dependent operations, which run beside those of the columns. */
    const bool hashed = (columns & FRAME_HASH) != 0, more = features_hash_bodies(part);
    uint64_t bodies = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        if (!part_owns(part, i)) continue;
        if (number_in(f, part->id[i]) >= f->count) continue;
        if (hashed) bodies += hash_body(part, i, more);
        fill_body(part, i, t, d, columns, f);
    }
    return bodies;
}

static void gas_fill_columns(void *self, unsigned columns, carom_frame *f)
{
    gas *g = self;
    if (g->crew != NULL && !crew_read(g)) return;
    const real t = later(gas_local_time(g, f->time), g->last_event);
    const drifted d = drifted_until(g, f->time);
    const bool hashed = (columns & FRAME_HASH) != 0;
    uint64_t bodies = 0;
    for (int n = 0; n < gas_parts(g); n++) bodies += fill_part(gas_part(g, n), t, &d, columns, f);
    if (g->reserve != NULL) fill_absent(g, t, columns, f);
    if (f->present != NULL && (columns & FRAME_PRESENT)) fill_present(g, f);
    features_fill_columns(g, t, columns, f);
    if (hashed) f->state_hash = finish_hash(g, bodies);
}

static bool gas_fills_parts(const void *self)
{
    return !features_fill(self) && ((const gas *)self)->reserve == NULL;
}

static void gas_fill_frame(void *self, double time, carom_frame *f)
{
    gas *g = self;
    if (g->crew != NULL && !crew_read(g)) return;
    real t = later(gas_local_time(g, time), g->last_event);
    f->time = time;
    f->scale = g->scale;
    for (int k = 0; k < DIM; k++) {
        if (g->drift[k] != 0 || g->fall[k] != 0) f->scale = 0; /* with a drift, velocities are not small */
        f->box[k] = (double)(g->compression != NULL ? g->size[k] / (1 + g->growth * t) : g->size[k]);
        f->boundary[k] = (int)g->scene->box.boundary[k];
        f->gravity[k] = (double)g->gravity[k] + g->fall[k];
    }
    tallies_collect(&g->tallies);
    exact_sum supplied = g->tallies.supplied;
    tallies_fill_frame(g, &f->tallies);
    f->shear = g->settings->shear.rate;
    f->grain = sizeof(real) < sizeof(double) ? (double)REAL_GRAIN : 0;
    f->slid = 0;
    if (g->shear != NULL) add_gains(g, t, &supplied);
    f->has_pair_energy = false;
    features_fill_frame(g, t, f);
    memcpy(f->events, g->events, sizeof f->events);
    f->tallies.supplied = exact_value(&supplied);
}

static double time_of(const void *self)
{
    const gas *g = self;
    return gas_true_time(g, g->last_event);
}

static const uint64_t *events_of(const void *self)
{
    return ((const gas *)self)->events;
}
