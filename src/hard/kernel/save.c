/* The exact state, for checkpoints. Lists, queue and predictions are not part of it: they follow from it, but not when
 * lists were renewed, which is counted. At a re-basing all of them are made anew. So checkpoints hold the state of the last
 * one, of which a copy is kept, and how many events came since; what is loaded carries these out again. */

#include "hard/kernel/features/feature.h"

#include "engine/sound.h"

#define BYTES(g, field) (sizeof *(g)->field * (g)->count)

enum { CORE_PARTS = 19, MOST_PARTS = CORE_PARTS + MOST_SAVED };

/* `loading`: without parts whose sizes vary, which features load by themselves. */
static int parts_of(gas *g, bool loading, snapshot_part parts[MOST_PARTS])
{
    const snapshot_part core[CORE_PARTS] = {
        {"engine/body", g->body, BYTES(g, body)},
        {"engine/id", g->id, BYTES(g, id)},
        {"engine/image", g->image, BYTES(g, image)},
        {"engine/stall_time", g->stall.time, BYTES(g, stall.time)},
        {"engine/stall_count", g->stall.count, BYTES(g, stall.count)},
        {"engine/stalls", &g->stall.any, sizeof g->stall.any},
        {"engine/crawled", &g->stall.crawled, sizeof g->stall.crawled},
        {"engine/now", &g->now, sizeof g->now},
        {"engine/last_event", &g->last_event, sizeof g->last_event},
        {"engine/span", &g->stall.span, sizeof g->stall.span},
        {"engine/origin", &g->origin, sizeof g->origin},
        {"engine/origin_low", &g->origin_low, sizeof g->origin_low},
        {"engine/drift", g->drift, sizeof g->drift},
        {"engine/scale", &g->scale, sizeof g->scale},
        {"engine/base_exponent", &g->base_exponent, sizeof g->base_exponent},
        {"engine/since_rebase", &g->since_rebase, sizeof g->since_rebase},
        {"engine/far", &g->far, sizeof g->far},
        {"engine/events", g->events, sizeof g->events},
        {"engine/tallies", &g->tallies, sizeof g->tallies},
    };
    memcpy(parts, core, sizeof core);
    return CORE_PARTS + features_saved(g, loading, parts + CORE_PARTS);
}

struct base {
    snapshot_part part[MOST_PARTS]; /* in `bytes` */
    int count;
    size_t size;
    char *bytes;
};

/* What searches for the end of a run have found: frames may have looked, too. */
enum { SEARCH_PARTS = 5 };

static void search_parts(gas *g, snapshot_part parts[SEARCH_PARTS])
{
    parts[0] = (snapshot_part){"engine/idle", &g->ending.idle, sizeof g->ending.idle};
    parts[1] = (snapshot_part){"engine/idle_since", &g->ending.idle_since, sizeof g->ending.idle_since};
    parts[2] = (snapshot_part){"engine/idle_count", &g->ending.idle_count, sizeof g->ending.idle_count};
    parts[3] = (snapshot_part){"engine/witness", g->ending.witness, sizeof g->ending.witness};
    parts[4] = (snapshot_part){"engine/witness_stamps", &g->ending.witness_stamps, sizeof g->ending.witness_stamps};
}

static carom_status base_create(gas *g, error *e)
{
    if (g->base == NULL) g->base = NEW_ARRAY(1, struct base);
    return g->base != NULL ? CAROM_OK : error_memory(e, "a copy of the state", sizeof *g->base);
}

static carom_status gas_keep(gas *g, error *e)
{
    gas copy = *g;
    copy.tallies.impact = NULL;
    copy.tallies.impact_density = NULL;
    TRY(base_create(g, e));
    struct base *b = g->base;
    size_t size = 0;
    b->count = parts_of(&copy, false, b->part);
    for (int k = 0; k < b->count; k++) size += b->part[k].bytes;
    if (size > b->size) {
        char *more = memory_resize(b->bytes, b->size, size, 1);
        if (more == NULL) return error_memory(e, "a copy of the state", size);
        b->bytes = more;
        b->size = size;
    }
    char *at = b->bytes;
    for (int k = 0; k < b->count; at += b->part[k++].bytes) {
        if (b->part[k].bytes > 0) memcpy(at, b->part[k].data, b->part[k].bytes);
        b->part[k].data = at;
    }
    g->since_base = 0;
    return CAROM_OK;
}

static void base_destroy(gas *g)
{
    if (g->base != NULL) memory_free(g->base->bytes);
    memory_free(g->base);
    g->base = NULL;
}

static carom_status gas_save(const void *self, snapshot *out, error *e)
{
    const gas *g = self;
    gas copy = *g;
    snapshot_part parts[SEARCH_PARTS];
    search_parts(&copy, parts);
    TRY(snapshot_put_parts(out, g->base->part, g->base->count, NULL, 0, e));
    TRY(snapshot_put_parts(out, parts, SEARCH_PARTS, &copy, sizeof copy, e));
    return snapshot_put(out, "engine/since_base", SNAPSHOT_U64, 1, &g->since_base, e);
}

static carom_status wrong_count(error *e)
{
    error_clear(e);
    return error_set(e, CAROM_BAD_DATA,
                     "error: the checkpoint's count of events does not fit its state; start again with --force");
}

/* Some of them may have ended a run, which was then resumed; but not thousands. */
static carom_status go_over_again(gas *g, uint64_t count, error *e)
{
    enum { MOST_ENDS = 1000 };
    int ends = 0;
    const engine_limits one = {
        .time = INFINITY, .events = UINT64_MAX, .collisions = UINT64_MAX, .slice = 1, .clusters = 1};
    const uint64_t rebased = g->events[EVENT_REBASE];
    for (uint64_t n = 1; n <= count; n++) {
        carom_stop stop;
        carom_status status = gas_advance(g, &one, &stop, e);
        if (g->since_base != n || g->events[EVENT_REBASE] != rebased) return wrong_count(e);
        if (status == CAROM_OK) continue;
        if (status != CAROM_DYNAMICS) return status;
        error_clear(e);
        if (++ends > MOST_ENDS) return wrong_count(e);
    }
    return CAROM_OK;
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

static bool is_number(real x)
{
    return x == x;
}

static bool within(const real *x, int count, real most)
{
    for (int k = 0; k < count; k++)
        if (!(real_fabs(x[k]) <= most)) return false;
    return true;
}

/* Along an axis a body is in the box, or not so far from it that numbers fail; where the box repeats, clocks are re-based
 * long before it has crossed it so often. */
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

/* Times, and all that there is one of. */
static bool clock_is_sound(const gas *g)
{
    enum { MOST_SCALE = 1 << 30, MOST_EXPONENT = 1 << 15 };
    return within(&g->now, 1, REAL_MOST) && g->now >= 0 && within(&g->last_event, 1, REAL_MOST) &&
           g->last_event <= g->now && is_number(g->stall.span) && is_number(g->far) && sound_flags(&g->stall.any, 1) &&
           sound_numbers(&g->origin, 1) && sound_numbers(&g->origin_low, 1) && sound_numbers(g->drift, DIM) &&
           g->scale <= MOST_SCALE && g->scale >= -MOST_SCALE && g->base_exponent <= MOST_EXPONENT &&
           g->base_exponent >= -MOST_EXPONENT;
}

static bool tallies_are_sound(const frame_tallies *t)
{
    return sound_numbers(&t->virial[0][0], 9) && sound_numbers(&t->wall_impulse[0][0], 6) && isfinite(t->dissipated) &&
           isfinite(t->supplied) && isfinite(t->max_overlap) && isfinite(t->ledger.work);
}

/* Kinds, as those of the bodies with the same ids were when the scene was read. */
static carom_status check_kinds(const gas *g, const uint32_t *kind_of, error *e)
{
    bool good = false;
    TRY(sound_ids(g->id, g->count, &good, e));
    for (uint32_t i = 0; i < g->count && good; i++) good = g->body[i].kind == kind_of[g->id[i]];
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

/* What of the tallies is not counted, but known from the scene, stays. */
static void keep_known(frame_tallies *t, const frame_tallies *known)
{
    t->fed = known->fed;
    t->impact = known->impact;
    t->impact_density = known->impact_density;
    t->merges = known->merges;
    t->merge_count = known->merge_count;
    t->layers = known->layers;
    t->ledger.kept = known->ledger.kept;
    t->ledger.shells = known->ledger.shells;
}

/* A body; without bodies there is none. */
static bool is_witness(const gas *g, uint32_t i)
{
    return i < g->count || g->count == 0;
}

static carom_status load(gas *g, const uint32_t *kind_of, const snapshot *in, error *e)
{
    const frame_tallies known = g->tallies;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(g, true, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    keep_known(&g->tallies, &known);
    TRY(check(g, kind_of, e));
    return features_load(g, in, e);
}

static carom_status load_checked(gas *g, const snapshot *in, error *e)
{
    uint32_t *kind_of = NEW_ARRAY(g->count, uint32_t);
    if (kind_of == NULL) return error_memory(e, "a checkpoint", g->count * sizeof *kind_of);
    for (uint32_t i = 0; i < g->count; i++) kind_of[g->id[i]] = g->body[i].kind;
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

static carom_status gas_load(void *self, const snapshot *in, error *e)
{
    gas *g = self;
    uint64_t count = 0;
    TRY(load_checked(g, in, e));
    features_loaded(g);
    if (g->far != far_flight(g)) return sound_not("engine/far", e);
    TRY(gas_find_events(g, e));
    TRY(gas_keep(g, e));
    TRY(snapshot_get(in, "engine/since_base", SNAPSHOT_U64, 1, &count, e));
    TRY(go_over_again(g, count, e));
    return load_search(g, in, e);
}
