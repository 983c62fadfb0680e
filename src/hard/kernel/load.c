/* Loading of checkpoints, with checks of all numbers. */
#include "hard/kernel/load.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/numbers.h"
#include "hard/kernel/response/tallies.h"
#include "hard/kernel/save.h"

#include "base/memory.h"
#include "engine/sound.h"

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* Whether the position along an axis is in the box, or so near that no overflow occurs. On a periodic axis re-basing
 * limits the number of crossings. */
static bool is_near(const gas *g, const body *b, int k)
{
    const real size = g->size[k] + g->radius[b->kind], dt = g->now - b->t;
    const real most = g->box[k] > 0 ? (real)0x1p30 * size : (real)0x1p60 * size;
    const real way = dt * (real_fabs(b->v[k]) + dt * real_fabs(g->gravity[k]));
    return real_fabs(b->r[k]) <= (g->box[k] > 0 ? 2 * size : most) && way <= most;
}

static bool is_body(const gas *g, uint32_t i)
{
    const body *b = &g->body[i];
    if (!(b->t <= g->now) || !within(&b->t, 1, REAL_MOST) || !within(b->v, DIM, SPEED_MOST)) return false;
    for (int k = 0; k < DIM; k++)
        if (!is_near(g, b, k)) return false;
    return is_number(g->stall.time[i]);
}

/* Whether the fastest body crosses a periodic box by no more than is_near permits until the next re-basing. A body that
 * was at rest at the last one has no limit. */
static bool is_far_sound(const gas *g)
{
    if (!(g->far >= g->now)) return false;
    real most = REAL_NEVER, fastest = 0;
    for (int k = 0; k < DIM; k++)
        if (g->box[k] > 0 && (real)0x1p30 * g->box[k] < most) most = (real)0x1p30 * g->box[k];
    for (uint32_t i = 0; i < g->count && g->far < REAL_NEVER; i++) fastest = later(fastest, fastest_of(g, i));
    return g->far == REAL_NEVER || fastest * (g->far - g->now) <= most;
}

/* Times, and other single values. */
static bool clock_is_sound(const gas *g)
{
    enum { MOST_SCALE = 1 << 30, MOST_EXPONENT = 1 << 15 };
    return within(&g->now, 1, REAL_MOST) && g->now >= 0 && within(&g->last_event, 1, REAL_MOST) &&
           g->last_event <= g->now && is_number(g->stall.span) && is_far_sound(g) && sound_flags(&g->stall.any, 1) &&
           sound_numbers(&g->origin, 1) && sound_numbers(&g->origin_low, 1) && sound_numbers(g->drift, DIM) &&
           isfinite(g->frame_since) && g->frame_since >= 0 && g->scale <= MOST_SCALE && g->scale >= -MOST_SCALE &&
           g->base_exponent <= MOST_EXPONENT && g->base_exponent >= -MOST_EXPONENT;
}

/* Bodies have the kinds of the bodies with the same numbers in the scene. */
static carom_status check_kinds(const gas *g, const uint32_t *kind_of, error *e)
{
    bool good = false;
    TRY(sound_ids(g->id, all_bodies(g), &good, e));
    for (uint32_t i = 0; i < all_bodies(g) && good; i++) good = g->body[i].kind == kind_of[g->id[i]];
    return good ? CAROM_OK : sound_not("engine/id", e);
}

static carom_status check(const gas *g, const uint32_t *kind_of, error *e)
{
    TRY(check_kinds(g, kind_of, e));
    if (!clock_is_sound(g)) return sound_not("engine/now", e);
    if (!tallies_are_sound(&g->tallies)) return sound_not("engine/tallies", e);
    for (uint32_t i = 0; i < g->count; i++)
        if (!is_body(g, i)) return sound_not("engine/body", e);
    return features_check(g, e);
}

/* The index of a body; without bodies any index. */
static bool is_witness(const gas *g, uint32_t i)
{
    return i < g->count || g->count == 0;
}

static carom_status load(gas *g, const uint32_t *kind_of, const snapshot *in, error *e)
{
    snapshot_part parts[MOST_PARTS];
    int n = state_parts(g, true, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    if (g->count > all_bodies(g)) {
        g->count = 0;
        return sound_not("engine/present", e);
    }
    TRY(load_images(g, in, e));
    TRY(check(g, kind_of, e));
    return features_load(g, in, e);
}

static carom_status load_checked(gas *g, const snapshot *in, error *e)
{
    const uint32_t count = all_bodies(g);
    uint32_t *kind_of = NEW_ARRAY(count, uint32_t);
    if (kind_of == NULL) return error_memory(e, "a checkpoint", count * sizeof *kind_of);
    for (uint32_t i = 0; i < count; i++) kind_of[g->id[i]] = g->body[i].kind;
    const carom_status status = load(g, kind_of, in, e);
    memory_free(kind_of);
    return status;
}

static carom_status load_search(gas *g, const snapshot *in, error *e)
{
    snapshot_part parts[SEARCH_PARTS];
    search_parts(g, parts);
    TRY(snapshot_get_parts(in, parts, SEARCH_PARTS, e));
    const bool good =
        is_number(g->ending.idle_since) && is_witness(g, g->ending.witness[0]) && is_witness(g, g->ending.witness[1]);
    return good ? CAROM_OK : sound_not("engine/witness", e);
}

static carom_status state_load(gas *g, const snapshot *in, error *e)
{
    TRY(load_checked(g, in, e));
    features_loaded(g);
    return load_search(g, in, e);
}
