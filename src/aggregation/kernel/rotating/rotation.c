/* The feature of rotating clusters: creation, destruction, checkpoints, frames. */
#include "aggregation/kernel/events/feature.h"
#include "aggregation/kernel/rotating/body.h"

#include "base/hash.h"
#include "base/memory.h"
#include "engine/sound.h"

static carom_status rotation_create(cluster_state *s, error *e)
{
    s->rotation.body = NEW_ARRAY(s->count, body);
    if (s->rotation.body == NULL) return error_memory(e, "the clusters", s->count * sizeof *s->rotation.body);
    for (uint32_t i = 0; i < s->count; i++) {
        body *b = &s->rotation.body[i];
        b->attitude[0] = b->anchored[0] = 1;
        b->reach = radius_of(s, i);
        b->measured = 1;
        inertia_of_particle(s->cluster[i].mass, b->reach, b->inertia);
        inertia_update(b, b->attitude);
    }
    s->rotation.cache = NEW_ARRAY(s->count, pose_cache);
    if (s->rotation.cache == NULL) return error_memory(e, "the clusters", s->count * sizeof *s->rotation.cache);
    for (uint32_t i = 0; i < s->count; i++) s->rotation.cache[i].t = NAN;
    return attitude_create(s, e);
}

static void rotation_destroy(cluster_state *s)
{
    attitude_destroy(s);
    memory_free(s->rotation.body);
    memory_free(s->rotation.cache);
}

static size_t rotation_memory(size_t count)
{
    return count * (sizeof(body) + sizeof(pose_cache) + (DIM == 3 ? 640 : 0));
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static int rotation_parts(cluster_state *s, snapshot_part parts[FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/body", s->rotation.body, sizeof(body) * s->count};
    return 1;
}

/* Whether the inverse moments and the bounds of the angular velocity follow from the moments and the angular
 * momentum. */
static bool is_consistent(const body *b)
{
    body again = *b;
    inertia_update(&again, b->attitude);
    bool same = again.rate == b->rate && again.acceleration == b->acceleration;
    for (int k = 0; k < MOMENTS; k++) same = same && again.inverse[k] == b->inverse[k];
    return same;
}

static bool is_turning(const cluster_state *s, uint32_t root)
{
    const body *b = &s->rotation.body[root];
    if (!(b->rate * (s->now - s->motion[root].t) <= MOST_TURNS)) return false;
    double norm = 0, anchored = 0;
    for (int k = 0; k < ATTITUDE; k++) norm += b->attitude[k] * b->attitude[k];
    for (int k = 0; k < ATTITUDE; k++) anchored += b->anchored[k] * b->anchored[k];
    return fabs(norm - 1) < ATTITUDE_OFF && fabs(anchored - 1) < ATTITUDE_OFF && sound_numbers(b->l, TURN) &&
           in_cluster(s, b->centre) && sound_numbers(b->inertia, MOMENTS) && sound_numbers(b->inverse, MOMENTS) &&
           isfinite(b->reach) && sound_speeds(&b->rate, 1) && isfinite(b->acceleration) && b->measured <= s->count &&
           is_consistent(b);
}

static carom_status rotation_check(const cluster_state *s, error *e)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i && !is_turning(s, i)) return sound_not("engine/body", e);
    return CAROM_OK;
}

static carom_status rotation_load(cluster_state *s, const snapshot *in, error *e)
{
    (void)in;
    (void)e;
    for (uint32_t i = 0; i < s->count; i++) attitude_reset(s, i);
    return CAROM_OK;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static uint64_t rotation_hash(const cluster_state *s, uint32_t root, uint64_t hash)
{
    const body *b = &s->rotation.body[root];
    hash = hash_bytes(hash, b->attitude, sizeof b->attitude);
    return hash_bytes(hash, b->l, sizeof b->l);
}

static void rotation_fill_spin(const cluster_state *s, uint32_t i, double t, carom_frame *f)
{
    spin_at(s, i, t, &f->spin[3 * (size_t)s->id[i]]);
}

static const state_feature rotation_feature = {.name = "rotation",
                                               .memory = rotation_memory,
                                               .create = rotation_create,
                                               .destroy = rotation_destroy,
                                               .parts = rotation_parts,
                                               .check = rotation_check,
                                               .load = rotation_load,
                                               .hash_cluster = rotation_hash,
                                               .fill_spin = rotation_fill_spin};
