/* The table of features, and the loops of the core over it. */
#include "hard/kernel/features/features.h"
#include "hard/kernel/numbers.h"
#include "hard/kernel/rearrange.h"

#include "base/hash.h"
#include "base/memory.h"
#include "engine/sound.h"

#include <stddef.h>

/* Arrays enter the state hash in this order. Exact surfaces and meshes look up their motions at creation, after
 * `motion`; `presence` follows the meshes, `starts` the motions. */
static const feature *const features[] = {
    &feature_sleep,   &feature_rotation, &feature_shapes,    &feature_thermostat, &feature_contact_duration,
    &feature_thermal, &feature_shear,    &feature_transport, &feature_impacts,    &feature_compression,
    &feature_stepped, &feature_motion,   &feature_exact,     &feature_meshes,     &feature_presence,
    &feature_reserve, &feature_starts,
};
enum { FEATURES = sizeof features / sizeof *features };

static void *pointer_at(const void *base, size_t offset)
{
    void *pointer;
    memcpy(&pointer, (const char *)base + offset, sizeof pointer);
    return pointer;
}

static void set_pointer(void *base, size_t offset, void *pointer)
{
    memcpy((char *)base + offset, &pointer, sizeof pointer);
}

static void *state_of(const gas *g, const feature *f)
{
    return pointer_at(g, f->member);
}

static void *elements_of(const gas *g, const feature *f, const body_array *a)
{
    return pointer_at(state_of(g, f), a->member);
}

#define EACH_FEATURE(f)                                                                                                \
    for (int n_ = 0; n_ < FEATURES; n_++)                                                                              \
        for (const feature *f = state_of(g, features[n_]) != NULL ? features[n_] : NULL; f != NULL; f = NULL)
#define EACH_ARRAY(f, a) for (const body_array *a = (f)->arrays; a < (f)->arrays + (f)->array_count; a++)

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool features_allocate(gas *g, const initial_state *state, unsigned tallies)
{
    bool all = true;
    for (int n = 0; n < FEATURES; n++)
        if (features[n]->enabled(g, state, tallies)) {
            void *own = memory_new(1, features[n]->size);
            set_pointer(g, features[n]->member, own);
            all = all && own != NULL;
        }
    EACH_FEATURE(f)
    {
        g->body_data = g->body_data || f->put != NULL;
        EACH_ARRAY(f, a) g->body_data = g->body_data || a->kind != ARRAY_SCRATCH;
    }
    return all;
}

static bool features_allocate_arrays(gas *g)
{
    bool all = true;
    EACH_FEATURE(f)
    EACH_ARRAY(f, a)
    {
        if (elements_of(g, f, a) == NULL) set_pointer(state_of(g, f), a->member, memory_new(g->count, a->size));
        all = all && elements_of(g, f, a) != NULL;
    }
    return all;
}

static void features_release_arrays(gas *g)
{
    EACH_FEATURE(f)
    EACH_ARRAY(f, a)
    {
        memory_free(elements_of(g, f, a));
        set_pointer(state_of(g, f), a->member, NULL);
    }
}

static carom_status features_create(gas *g, const initial_state *state, error *e)
{
    EACH_FEATURE(f)
    if (f->create != NULL) TRY(f->create(g, state, e));
    return CAROM_OK;
}

static carom_status features_place(gas *g, const initial_state *state, error *e)
{
    EACH_FEATURE(f)
    if (f->place != NULL) TRY(f->place(g, state, e));
    return CAROM_OK;
}

static void features_start(gas *g)
{
    EACH_FEATURE(f)
    if (f->start != NULL) f->start(g);
}

static void features_destroy(gas *g)
{
    EACH_FEATURE(f)
    {
        if (f->destroy != NULL) f->destroy(g);
        memory_free(state_of(g, f));
    }
}

static bool features_hold(const gas *g, int k)
{
    EACH_FEATURE(f)
    if (f->holds != NULL && f->holds(g, k)) return true;
    return false;
}

/* ---- changes from outside ---------------------------------------------------------------------------------------- */

static carom_status features_record(gas *g, unsigned tallies, error *e)
{
    for (int n = 0; n < FEATURES; n++) {
        const feature *f = features[n];
        if (state_of(g, f) != NULL || (f->tallies & tallies) == 0) continue;
        void *own = memory_new(1, f->size);
        if (own == NULL) return error_memory(e, f->name, f->size);
        set_pointer(g, f->member, own);
        if (f->create != NULL) TRY(f->create(g, NULL, e));
    }
    return CAROM_OK;
}

/* Parts of fixed size, for a loop over both states. */
static int parts_of(const gas *g, const feature *f, snapshot_part parts[MOST_FEATURE_PARTS])
{
    return f->saved != NULL && f->load == NULL ? f->saved((gas *)g, parts) : 0;
}

static const char *features_unlike(const gas *g, const gas *before)
{
    for (int n = 0; n < FEATURES; n++) {
        const feature *f = features[n];
        if ((state_of(g, f) == NULL) != (state_of(before, f) == NULL)) return f->name;
        if (state_of(g, f) != NULL && f->load != NULL) return f->name;
    }
    return NULL;
}

static void features_adopt(gas *g, const gas *before, const uint32_t *source)
{
    EACH_FEATURE(f)
    {
        snapshot_part to[MOST_FEATURE_PARTS], from[MOST_FEATURE_PARTS];
        const int parts = parts_of(g, f, to);
        (void)parts_of(before, f, from);
        for (int n = 0; n < parts; n++) memcpy(to[n].data, from[n].data, to[n].bytes);
        EACH_ARRAY(f, a)
        {
            char *elements = elements_of(g, f, a);
            const char *other = elements_of(before, f, a);
            for (uint32_t i = 0; a->kind != ARRAY_SCRATCH && i < g->count; i++)
                if (source[i] != UINT32_MAX) memcpy(elements + i * a->size, other + source[i] * a->size, a->size);
        }
    }
}

/* ---- re-basing --------------------------------------------------------------------------------------------------- */

static void features_rebase_arrays(gas *g, real t)
{
    EACH_FEATURE(f)
    EACH_ARRAY(f, a)
    {
        real *time = elements_of(g, f, a);
        for (uint32_t i = 0; a->kind == ARRAY_TIMES && time != NULL && i < g->count; i++) time[i] -= t;
    }
}

static void features_rebase(gas *g, real t)
{
    features_rebase_arrays(g, t);
    EACH_FEATURE(f)
    if (f->rebase != NULL) f->rebase(g, t);
}

static void rescale_array(const gas *g, const body_array *a, real *x, int bits)
{
    const size_t count = g->count * (a->size / sizeof *x);
    for (size_t k = 0; k < count; k++) x[k] = real_ldexp(x[k], a->kind == ARRAY_TIMES ? -bits : bits);
}

static void features_rescale(gas *g, int bits)
{
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        if (a->kind == ARRAY_TIMES || a->kind == ARRAY_VELOCITIES) rescale_array(g, a, elements_of(g, f, a), bits);
        if (f->rescale != NULL) f->rescale(g, bits);
    }
}

static void features_rebased(gas *g)
{
    EACH_FEATURE(f)
    if (f->rebased != NULL) f->rebased(g);
}

static void features_clear(gas *g, uint32_t i)
{
    EACH_FEATURE(f)
    EACH_ARRAY(f, a)
    if (a->kind != ARRAY_SCRATCH) memset((char *)elements_of(g, f, a) + i * a->size, 0, a->size);
}

static void features_reorder(gas *g, struct curve_place *from, void *held)
{
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        if (a->kind != ARRAY_SCRATCH) rearrange(elements_of(g, f, a), a->size, from, g->count, held);
        if (f->reorder != NULL) f->reorder(g, from);
    }
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static int features_saved(gas *g, bool loading, snapshot_part *parts)
{
    int n = 0;
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        if (a->kind != ARRAY_SCRATCH)
            parts[n++] = (snapshot_part){a->name, elements_of(g, f, a), a->size * all_bodies(g)};
        if (f->saved != NULL && (!loading || f->load == NULL)) n += f->saved(g, parts + n);
    }
    return n;
}

static bool is_sound(const gas *g, const body_array *a, const real *x)
{
    bool good = true;
    const size_t each = a->size / sizeof *x;
    for (uint32_t i = 0; a->kind == ARRAY_TIMES && i < g->count; i++) good = good && is_number(x[i]);
    for (uint32_t i = 0; a->kind == ARRAY_VELOCITIES && i < g->count; i++)
        good = good && within(x + each * i, (int)each, SPEED_MOST);
    return good;
}

static carom_status features_check(const gas *g, error *e)
{
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        if (!is_sound(g, a, elements_of(g, f, a))) return sound_not(a->name, e);
        const char *fault = f->fault != NULL ? f->fault(g) : NULL;
        if (fault != NULL) return sound_not(fault, e);
    }
    return CAROM_OK;
}

static carom_status features_load(gas *g, const snapshot *in, error *e)
{
    EACH_FEATURE(f)
    if (f->load != NULL) TRY(f->load(g, in, e));
    return CAROM_OK;
}

static void features_loaded(gas *g)
{
    EACH_FEATURE(f)
    if (f->loaded != NULL) f->loaded(g);
}

/* ---- hash and frames --------------------------------------------------------------------------------------------- */

/* Whether features_hash_body adds anything. */
static bool features_hash_bodies(const gas *g)
{
    EACH_FEATURE(f)
    EACH_ARRAY(f, a) if (a->hash == HASH_FLAG || a->hash == HASH_REALS) return true;
    return false;
}

static uint64_t features_hash_body(const gas *g, uint32_t i, uint64_t hash)
{
    EACH_FEATURE(f)
    EACH_ARRAY(f, a)
    {
        const real *x = elements_of(g, f, a);
        const size_t each = a->size / sizeof *x;
        if (a->hash == HASH_FLAG) hash = hash_u64(hash, ((const bool *)(const void *)x)[i]);
        for (size_t k = 0; a->hash == HASH_REALS && k < each; k++) hash = hash_real(hash, x[each * i + k]);
    }
    return hash;
}

static uint64_t features_hash(const gas *g, hash_place place, uint64_t hash)
{
    EACH_FEATURE(f)
    if (f->hash != NULL && f->hash_place == place) hash = f->hash(g, hash);
    return hash;
}

static void features_fill_frame(const gas *g, real t, carom_frame *f)
{
    f->tallies.fed = f->tallies.ledger.kept = false;
    EACH_FEATURE(one)
    {
        f->tallies.fed = f->tallies.fed || one->feeds;
        f->tallies.ledger.kept = f->tallies.ledger.kept || one->accounts;
        if (one->fill_frame != NULL) one->fill_frame(g, t, f);
    }
}

static void features_fill_columns(const gas *g, real t, unsigned columns, carom_frame *f)
{
    EACH_FEATURE(one)
    if (one->fill_columns != NULL) one->fill_columns(g, t, columns, f);
}

static bool features_fill(const gas *g)
{
    EACH_FEATURE(one)
    if (one->fill_columns != NULL) return true;
    return false;
}

/* ---- parallel runs ----------------------------------------------------------------------------------------------- */

static bool features_share(gas *g, const gas *whole)
{
    bool all = true;
    EACH_FEATURE(f)
    {
        void *own = memory_new(1, f->size);
        if (own != NULL) memcpy(own, state_of(whole, f), f->size);
        set_pointer(g, f->member, own);
        all = all && own != NULL;
        EACH_ARRAY(f, a) if (own != NULL) set_pointer(own, a->member, NULL);
    }
    EACH_FEATURE(f)
    if (f->divide != NULL) all = all && f->divide(g, whole);
    return all;
}

static void features_unshare(gas *g)
{
    EACH_FEATURE(f)
    {
        if (f->unite != NULL) f->unite(g);
        memory_free(state_of(g, f));
    }
}

static bool features_widen(gas *g, uint32_t before, uint32_t room)
{
    bool all = true;
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        {
            void *old = elements_of(g, f, a);
            void *more = old == NULL ? memory_new(room, a->size) : memory_resize(old, before, room, a->size);
            if (more != NULL) set_pointer(state_of(g, f), a->member, more);
            all = all && more != NULL;
        }
        if (f->widen != NULL) all = all && f->widen(g, before, room);
    }
    return all;
}

static void features_put(const gas *g, uint32_t i, buffer *out)
{
    if (!g->body_data) return;
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        if (a->kind != ARRAY_SCRATCH) buffer_put(out, (const char *)elements_of(g, f, a) + i * a->size, a->size);
        if (f->put != NULL) f->put(g, i, out);
    }
}

static const char *features_get(gas *g, uint32_t i, const char *from)
{
    if (!g->body_data) return from;
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        if (a->kind != ARRAY_SCRATCH) {
            memcpy((char *)elements_of(g, f, a) + i * a->size, from, a->size);
            from += a->size;
        }
        if (f->get != NULL) from = f->get(g, i, from);
    }
    return from;
}

static size_t features_bytes(const gas *g, const char *from)
{
    const char *at = from;
    if (!g->body_data) return 0;
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        if (a->kind != ARRAY_SCRATCH) at += a->size;
        if (f->bytes != NULL) at += f->bytes(at);
    }
    return (size_t)(at - from);
}

static void features_join(gas *g, uint32_t i)
{
    EACH_FEATURE(f)
    if (f->join != NULL) f->join(g, i);
}

static void features_leave(gas *g, uint32_t i)
{
    EACH_FEATURE(f)
    if (f->leave != NULL) f->leave(g, i);
}

static uint64_t features_chain(const gas *g, uint32_t i, uint64_t hash)
{
    if (!g->body_data) return hash;
    EACH_FEATURE(f)
    {
        EACH_ARRAY(f, a)
        if (a->kind != ARRAY_SCRATCH)
            hash = hash_bytes(hash, (const char *)elements_of(g, f, a) + i * a->size, a->size);
        if (f->chain != NULL) hash = f->chain(g, i, hash);
    }
    return hash;
}

static void features_collect(gas *g, gas *part)
{
    EACH_FEATURE(f)
    if (f->collect != NULL) f->collect(g, part);
}

static void features_settle(gas *g)
{
    EACH_FEATURE(f)
    if (f->settle != NULL) f->settle(g);
}

/* The parts of features that are tallies are those that they save. */
static void features_keep_tallies(gas *g, buffer *out)
{
    EACH_FEATURE(f)
    {
        snapshot_part parts[MOST_FEATURE_PARTS];
        const int count = f->tallies != 0 ? f->saved(g, parts) : 0;
        for (int n = 0; n < count; n++) buffer_put(out, parts[n].data, parts[n].bytes);
    }
}

static void features_restore_tallies(gas *g, const char *from)
{
    EACH_FEATURE(f)
    {
        snapshot_part parts[MOST_FEATURE_PARTS];
        const int count = f->tallies != 0 ? f->saved(g, parts) : 0;
        for (int n = 0; n < count; from += parts[n++].bytes) memcpy(parts[n].data, from, parts[n].bytes);
    }
}
