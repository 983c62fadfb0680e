/* The exact state, for checkpoints. Lists, queue and predictions are not part of it: they follow from it, but not when
 * lists were renewed, which is counted. At a re-basing all of them are made anew. So checkpoints hold the state of the last
 * one, of which a copy is kept, and how many events came since; what is loaded carries these out again. */
#include "hard/kernel/features/bath.h"
#include "hard/kernel/features/ellipsoids.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/squeeze.h"
#include "hard/kernel/features/steps.h"
#include "hard/kernel/features/transport.h"

#include "engine/sound.h"

/* No number of a state is larger: what is left is for the sums of some. */
#if CAROM_REAL == 3
#define REAL_MOST 0x1p120f
#else
#define REAL_MOST ((real)1e300)
#endif

#define BYTES(g, field) (sizeof *(g)->field * (g)->count)

enum { MOST_PARTS = 39 };

static int parts_of(gas *g, snapshot_part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (snapshot_part){"engine/body", g->body, BYTES(g, body)};
    parts[n++] = (snapshot_part){"engine/id", g->id, BYTES(g, id)};
    parts[n++] = (snapshot_part){"engine/image", g->image, BYTES(g, image)};
    parts[n++] = (snapshot_part){"engine/stall_time", g->stall_time, BYTES(g, stall_time)};
    parts[n++] = (snapshot_part){"engine/stall_count", g->stall_count, BYTES(g, stall_count)};
    if (g->spin != NULL) parts[n++] = (snapshot_part){"engine/spin", g->spin, BYTES(g, spin)};
    if (g->ellipsoids != NULL)
        parts[n++] = (snapshot_part){"engine/axis", g->ellipsoids->axis, sizeof *g->ellipsoids->axis * g->count};
    if (g->last_contact != NULL)
        parts[n++] = (snapshot_part){"engine/last_contact", g->last_contact, BYTES(g, last_contact)};
    if (g->emissions != NULL) parts[n++] = (snapshot_part){"engine/emissions", g->emissions, BYTES(g, emissions)};
    if (g->bath != NULL) {
        parts[n++] = (snapshot_part){"engine/next_kick", g->bath->next, BYTES(g, bath->next)};
        parts[n++] = (snapshot_part){"engine/kicks", g->bath->kicks, BYTES(g, bath->kicks)};
    }
    if (g->sheared) {
        parts[n++] = (snapshot_part){"engine/offset", &g->offset, sizeof g->offset};
        parts[n++] = (snapshot_part){"engine/slide", &g->slide, sizeof g->slide};
    }
    if (g->transport != NULL) parts[n++] = (snapshot_part){"engine/transport", g->transport, sizeof *g->transport};
    if (g->asleep != NULL) {
        parts[n++] = (snapshot_part){"engine/asleep", g->asleep, BYTES(g, asleep)};
        parts[n++] = (snapshot_part){"engine/slow", g->slow, BYTES(g, slow)};
        parts[n++] = (snapshot_part){"engine/check", g->check, BYTES(g, check)};
        parts[n++] = (snapshot_part){"engine/mark", g->mark, BYTES(g, mark)};
    }
    if (g->impact != NULL) {
        parts[n++] = (snapshot_part){"engine/impact", g->impact, IMPACT_BINS * sizeof *g->impact};
        parts[n++] = (snapshot_part){"engine/impact_density", g->impact_density, IMPACT_BINS * sizeof(double)};
    }
    if (is_squeezed(g)) {
        parts[n++] = (snapshot_part){"engine/size", g->size, sizeof g->size};
        parts[n++] = (snapshot_part){"engine/squeeze", &g->squeeze, sizeof g->squeeze};
    }
    parts[n++] = (snapshot_part){"engine/stalls", &g->stalls, sizeof g->stalls};
    parts[n++] = (snapshot_part){"engine/crawled", &g->crawled, sizeof g->crawled};
    parts[n++] = (snapshot_part){"engine/now", &g->now, sizeof g->now};
    parts[n++] = (snapshot_part){"engine/last_event", &g->last_event, sizeof g->last_event};
    parts[n++] = (snapshot_part){"engine/span", &g->span, sizeof g->span};
    parts[n++] = (snapshot_part){"engine/origin", &g->origin, sizeof g->origin};
    parts[n++] = (snapshot_part){"engine/origin_low", &g->origin_low, sizeof g->origin_low};
    parts[n++] = (snapshot_part){"engine/drift", g->drift, sizeof g->drift};
    parts[n++] = (snapshot_part){"engine/scale", &g->scale, sizeof g->scale};
    parts[n++] = (snapshot_part){"engine/base_exponent", &g->base_exponent, sizeof g->base_exponent};
    parts[n++] = (snapshot_part){"engine/since_rebase", &g->since_rebase, sizeof g->since_rebase};
    parts[n++] = (snapshot_part){"engine/far", &g->far, sizeof g->far};
    parts[n++] = (snapshot_part){"engine/events", g->events, sizeof g->events};
    parts[n++] = (snapshot_part){"engine/tallies", &g->tallies, sizeof g->tallies};
    return n;
}

struct base {
    snapshot_part part[MOST_PARTS + STEPS_PARTS]; /* in `bytes` */
    int count;
    size_t size;
    char *bytes;
};

/* What searches for the end of a run have found: frames may have looked, too. */
enum { SEARCH_PARTS = 5 };

static void search_parts(gas *g, snapshot_part parts[SEARCH_PARTS])
{
    parts[0] = (snapshot_part){"engine/idle", &g->idle, sizeof g->idle};
    parts[1] = (snapshot_part){"engine/idle_since", &g->idle_since, sizeof g->idle_since};
    parts[2] = (snapshot_part){"engine/idle_count", &g->idle_count, sizeof g->idle_count};
    parts[3] = (snapshot_part){"engine/witness", g->witness, sizeof g->witness};
    parts[4] = (snapshot_part){"engine/witness_stamps", &g->witness_stamps, sizeof g->witness_stamps};
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
    b->count = parts_of(&copy, b->part);
    if (g->steps != NULL) b->count += steps_parts(g, b->part + b->count);
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

/* Clocks are such that speeds are near one: products of squares are numbers up to here. */
#define SPEED_MOST ((real)(CAROM_REAL == 3 ? 1e15 : 1e50))

static bool is_body(const gas *g, uint32_t i)
{
    const body *b = &g->body[i];
    if (!(b->t <= g->now) || !within(&b->t, 1, REAL_MOST) || !within(b->v, DIM, SPEED_MOST)) return false;
    for (int k = 0; k < DIM; k++)
        if (!is_near(g, b, k)) return false;
    return is_number(g->stall_time[i]) && (g->spin == NULL || within(g->spin[i], TURN, SPEED_MOST)) &&
           (g->last_contact == NULL || is_number(g->last_contact[i])) &&
           (g->bath == NULL || is_number(g->bath->next[i])) &&
           (g->asleep == NULL || (is_number(g->check[i]) && within(g->mark[i], DIM, REAL_MOST)));
}

static bool is_unit(const real *axis)
{
    real square = 0;
    for (int k = 0; k < DIM; k++) square += axis[k] * axis[k];
    return square > (real)0.99 && square < (real)1.01;
}

/* Times, and all that there is one of. */
static bool clock_is_sound(const gas *g)
{
    enum { MOST_SCALE = 1 << 30, MOST_EXPONENT = 1 << 15 };
    bool good = within(&g->now, 1, REAL_MOST) && g->now >= 0 && within(&g->last_event, 1, REAL_MOST) &&
                g->last_event <= g->now && is_number(g->span) && is_number(g->far) && sound_flags(&g->stalls, 1) &&
                sound_numbers(&g->origin, 1) && sound_numbers(&g->origin_low, 1) && sound_numbers(g->drift, DIM) &&
                g->scale <= MOST_SCALE && g->scale >= -MOST_SCALE && g->base_exponent <= MOST_EXPONENT &&
                g->base_exponent >= -MOST_EXPONENT;
    for (int k = 0; k < DIM && is_squeezed(g); k++) good = good && g->size[k] > 0 && within(&g->size[k], 1, REAL_MOST);
    if (is_squeezed(g))
        good = good && g->squeeze.kinetic > 0 && isfinite(g->squeeze.kinetic) && isfinite(g->squeeze.virial) &&
               isfinite(g->squeeze.pressure);
    if (g->sheared) good = good && within(&g->offset, 1, 2 * g->size[0]) && within(&g->slide, 1, REAL_MOST);
    if (g->transport != NULL)
        good = good && is_number(g->transport->since) && sound_numbers(&g->transport->flow[0][0], DIM * DIM) &&
               sound_numbers(g->transport->heat_flow, DIM) && isfinite(g->transport->energy);
    return good;
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
    if (g->asleep != NULL && !sound_flags(g->asleep, g->count)) return sound_not("engine/asleep", e);
    for (uint32_t i = 0; i < g->count; i++) {
        if (!is_body(g, i)) return sound_not("engine/body", e);
        if (g->ellipsoids != NULL && !is_unit(g->ellipsoids->axis[i])) return sound_not("engine/axis", e);
    }
    return CAROM_OK;
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
    int n = parts_of(g, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    keep_known(&g->tallies, &known);
    g->tallies.impact = g->impact;
    g->tallies.impact_density = g->impact_density;
    TRY(check(g, kind_of, e));
    return g->steps != NULL ? steps_load(g, in, e) : CAROM_OK;
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
    const bool good = is_number(g->idle_since) && is_witness(g, g->witness[0]) && is_witness(g, g->witness[1]);
    return good ? CAROM_OK : sound_not("engine/witness", e);
}

static carom_status gas_load(void *self, const snapshot *in, error *e)
{
    gas *g = self;
    uint64_t count = 0;
    TRY(load_checked(g, in, e));
    motions_rebase(g);
    if (is_squeezed(g)) squeeze_fit(g);
    if (g->far != far_flight(g)) return sound_not("engine/far", e);
    TRY(gas_find_events(g, e));
    TRY(gas_keep(g, e));
    TRY(snapshot_get(in, "engine/since_base", SNAPSHOT_U64, 1, &count, e));
    TRY(go_over_again(g, count, e));
    return load_search(g, in, e);
}
