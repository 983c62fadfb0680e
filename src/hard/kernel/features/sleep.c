/* The collapse policy `sleep`: a body at rest under gravity has no events until a disturbance.
 *
 * A body falls asleep after consecutive slow contacts, if walls, planes and sleeping bodies in contact can support its
 * weight (support.c). A sleeping body does not move, fall or rotate, and slow impacts on it are those on a wall. A fast
 * impact wakes it, and the bodies that it supports.
 *
 * A body without support also falls asleep if it remains at one position with repeated slow contacts. Slow contacts
 * dissipate no energy, except by friction: a sliding or rolling body continues with small bounces, whose impulses carry
 * its weight, and bodies that press on each other in flight do not collapse. A body on a driven boundary does not fall
 * asleep; an impact of a driven boundary wakes a body. */
#include "hard/kernel/features/sleep.h"
#include "hard/kernel/broad/rows.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/rotation.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/support.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/numbers.h"
#include "hard/kernel/response/record.h"
#include "hard/kernel/response/tallies.h"

#include "engine/sound.h"

static double least_radius(const gas *g)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < g->kind_count; k++) least = fmin(least, (double)g->radius[k]);
    return least;
}

/* Largest gaps of bodies that touch, and of bodies that may support each other: the height of a bounce at the sleeping
 * speed, and twice that height, at most the fractions of tuning.h of the smallest radius. */
static void sleep_start(gas *g)
{
    const double speed = g->settings->collapse.speed, pull = (double)real_sqrt(dot(g->gravity, g->gravity));
    g->sleep->touching = (real)fmin(speed * speed / (2 * pull), TOUCHING_GAP * least_radius(g));
    g->sleep->holding = (real)fmin(speed * speed / pull, HOLDING_GAP * least_radius(g));
}

/* The coefficient of friction of body i on a species, and on a surface (index of column in scene.surface_law). */
static double friction_of_pair(const gas *g, uint32_t i, uint32_t species)
{
    return support_friction(&g->scene->laws[g->scene->pair_law[species_of(g, i) * g->scene->species_count + species]]);
}

static double friction_of_surface(const gas *g, uint32_t i, uint32_t column)
{
    const uint32_t columns = (uint32_t)scene_surfaces(g->scene);
    return support_friction(&g->scene->laws[g->scene->surface_law[species_of(g, i) * columns + column]]);
}

typedef struct element_search {
    const gas *g;
    uint32_t i;
    supports *s;
} element_search;

static void add_element(const solid *of, uint32_t index, const gap_state *state, void *data)
{
    const element_search *e = data;
    real normal[DIM];
    for (int k = 0; k < DIM; k++) normal[k] = state->normal[k];
    e->s->moving = e->s->moving || of->motion != NULL;
    add_support(e->s, PARTNER_ELEMENT + index, normal, 1, friction_of_pair(e->g, e->i, of->species));
}

static void add_exact(const gas *g, uint32_t i, uint32_t index, real gap, supports *s)
{
    gap_state state;
    exact_gap(g, i, &g->exact->surface[index], g->now - g->body[i].t, &state);
    if (state.gap > gap) return;
    s->moving = s->moving || g->exact->surface[index].motion != NULL;
    const double friction = friction_of_surface(g, i, g->exact->surface[index].law);
    add_support(s, PARTNER_SURFACE + g->surface_count + index, state.normal, 1, friction);
}

static bool touches_surface(const gas *g, uint32_t i, const surface *s, const real r[DIM], real gap)
{
    real height = -radius_of(g, i), point[DIM];
    pose p;
    surface_pose(s, g->now, &p, point);
    for (int a = 0; a < DIM; a++) height += s->normal[a] * (r[a] - point[a]);
    return height <= gap;
}

/* Sleeping bodies and boundaries that touch i; with `all`, all bodies near enough to support it. */
static void find_supports(const gas *g, uint32_t i, bool all, supports *s)
{
    real gap = all ? g->sleep->holding : g->sleep->touching;
    uint32_t neighbors = g->lists != NULL ? g->plan[i].length : g->count;
    list_copy room;
    const uint32_t *list = g->lists != NULL ? lists_row(g, i, &room) : NULL;
    for (uint32_t n = 0; n < neighbors; n++) {
        uint32_t j = list != NULL ? list[n] : n;
        if (j == i || (!all && !g->sleep->asleep[j])) continue;
        real r[DIM], v[DIM];
        relative_at(g, i, j, g->now, g->now, r, v);
        real distance = real_sqrt(dot(r, r));
        if (distance > contact_distance(g, i, j, g->now) + gap) continue;
        s->awake = s->awake || !g->sleep->asleep[j];
        add_support(s, g->id[j], r, distance, friction_of_pair(g, i, species_of(g, j)));
    }
    real r[DIM];
    position_at(g, i, g->now, r);
    for (uint32_t k = 0; k < g->surface_count; k++) {
        if (!touches_surface(g, i, &g->surface[k], r, gap)) continue;
        s->moving = s->moving || g->surface[k].motion != NULL;
        add_support(s, PARTNER_SURFACE + k, g->surface[k].normal, 1, friction_of_surface(g, i, g->surface[k].law));
    }
    for (uint32_t k = 0; g->exact != NULL && k < g->exact->count; k++) add_exact(g, i, k, gap, s);
    element_search search = {g, i, s};
    if (g->solids != NULL) meshes_touching(g, i, gap, add_element, &search);
}

static bool is_carried(const gas *g, uint32_t i)
{
    supports s = {.count = 0};
    find_supports(g, i, false, &s);
    return !s.moving && carried(g, &s);
}

static bool touches_moving(const gas *g, uint32_t i)
{
    supports s = {.count = 0};
    if (g->motions == NULL) return false;
    find_supports(g, i, false, &s);
    return s.moving;
}

/* Local time of the next check of a sleeping body without a support of its own: after the time of a fall by a twentieth
 * of the radius. */
static real next_check(const gas *g, uint32_t i)
{
    return g->now + real_sqrt(radius_of(g, i) / SUPPORT_CHECKS / real_sqrt(dot(g->gravity, g->gravity)));
}

static void sleep_now(gas *g, uint32_t i)
{
    body *b = &g->body[i];
    fly(g, i, g->now);
    record_rest(g, i, CAROM_EVENT_SLEEP);
    tally_dissipated(g, energy_of_motion(g, i));
    for (int k = 0; k < DIM; k++) b->v[k] = 0;
    for (int k = 0; k < TURN && g->rotation != NULL; k++) g->rotation->spin[i][k] = 0;
    g->sleep->asleep[i] = true;
    g->sleep->check[i] = is_carried(g, i) ? REAL_NEVER : next_check(g, i);
}

/* Square of the speed of the surface of body i relative to its centre, at most, and at the point of contact with a
 * support of this normal. A rotation about the normal does not slide there. */
static double rim_speed_squared(const gas *g, uint32_t i)
{
    double square = 0;
    for (int k = 0; k < TURN; k++) square += (double)(g->rotation->spin[i][k] * g->rotation->spin[i][k]);
    return square * (double)(radius_of(g, i) * radius_of(g, i));
}

static double rim_speed_squared_at(const gas *g, uint32_t i, const double normal[DIM])
{
    double along = 0;
    for (int k = 0; k < TURN && DIM == 3; k++) along += normal[k] * (double)g->rotation->spin[i][k];
    return fmax(rim_speed_squared(g, i) - along * along * (double)(radius_of(g, i) * radius_of(g, i)), 0);
}

static bool is_fast(const gas *g, uint32_t i)
{
    double fast = FAST * g->settings->collapse.speed;
    if (g->rotation != NULL && rim_speed_squared(g, i) > fast * fast) return true;
    return (double)dot(g->body[i].v, g->body[i].v) > fast * fast;
}

/* Whether body i rests on supports that can carry it: its centre is slow, and its surface at the rough ones. */
static bool rests(const gas *g, uint32_t i)
{
    const double speed = g->settings->collapse.speed;
    supports s = {.count = 0};
    if ((double)dot(g->body[i].v, g->body[i].v) > speed * speed || is_fast(g, i)) return false;
    find_supports(g, i, false, &s);
    for (int k = 0; k < s.count && g->rotation != NULL; k++)
        if (s.friction[k] > 0 && rim_speed_squared_at(g, i, s.normal[k]) > speed * speed) return false;
    return !s.moving && carried(g, &s);
}

/* Whether i has moved, in many consecutive slow contacts, at most by the gap of bodies that touch. */
static bool is_confined(gas *g, uint32_t i)
{
    if (g->sleep->slow[i] % CONFINED_ROW != 0 || is_fast(g, i)) return false;
    real way[DIM], gap = g->sleep->touching, *mark = g->sleep->mark[i];
    for (int k = 0; k < DIM; k++) {
        way[k] = g->body[i].r[k] - mark[k];
        mark[k] = g->body[i].r[k];
    }
    return dot(way, way) <= gap * gap && !touches_moving(g, i);
}

static void sleep_after_contact(gas *g, uint32_t i)
{
    if (g->sleep->asleep[i] || g->sleep->slow[i] < SLOW_CONTACTS) return;
    if (is_confined(g, i) || rests(g, i)) sleep_now(g, i);
}

static void wake(gas *g, uint32_t i)
{
    fly(g, i, g->now);
    g->sleep->asleep[i] = false;
    g->sleep->slow[i] = 0;
    record_rest(g, i, CAROM_EVENT_WAKE);
}

/* Inserts a body into `awakened`, in the order of ids from the place `from` on. */
static void add_awakened(gas *g, uint32_t i, uint32_t from)
{
    uint32_t *all = g->sleep->awakened, at = g->sleep->awakened_count++;
    for (; at > from && g->id[all[at - 1]] > g->id[i]; at--) all[at] = all[at - 1];
    all[at] = i;
}

/* Wakes the bodies that w supported and that are no longer carried. All are found before the first wakes up. */
static void wake_supported(gas *g, uint32_t w)
{
    const real gap = g->sleep->holding;
    const uint32_t from = g->sleep->awakened_count;
    const uint32_t neighbors = g->lists != NULL ? g->plan[w].length : g->count;
    list_copy room;
    const uint32_t *list = g->lists != NULL ? lists_row(g, w, &room) : NULL;
    for (uint32_t n = 0; n < neighbors; n++) {
        uint32_t j = list != NULL ? list[n] : n;
        if (j == w || !g->sleep->asleep[j]) continue;
        real r[DIM], v[DIM];
        relative_at(g, w, j, g->now, g->now, r, v);
        real reach = contact_distance(g, w, j, g->now) + gap;
        if (dot(r, r) <= reach * reach && !is_carried(g, j)) add_awakened(g, j, from);
    }
    for (uint32_t k = from; k < g->sleep->awakened_count; k++) wake(g, g->sleep->awakened[k]);
}

/* Wakes what the awakened bodies support, and what that supports. */
static void wake_onward(gas *g, uint32_t from)
{
    for (uint32_t k = from; k < g->sleep->awakened_count; k++) wake_supported(g, g->sleep->awakened[k]);
}

static void sleep_wake(gas *g, uint32_t i)
{
    const uint32_t from = g->sleep->awakened_count;
    wake(g, i);
    add_awakened(g, i, from);
    wake_onward(g, from);
}

static void sleep_release(gas *g, uint32_t i)
{
    const uint32_t from = g->sleep->awakened_count;
    wake_supported(g, i);
    wake_onward(g, from);
}

/* All are found before the first wakes up. */
static void sleep_release_all(gas *g, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = g->sleep->awakened[k];
        if (!is_carried(g, i)) add_awakened(g, i, 0);
    }
    for (uint32_t k = 0; k < g->sleep->awakened_count; k++) wake(g, g->sleep->awakened[k]);
    wake_onward(g, 0);
    g->sleep->awakened_count = 0;
}

static void sleep_check(gas *g, uint32_t i, real t)
{
    supports s = {.count = 0};
    g->now = t;
    find_supports(g, i, true, &s);
    if (s.count > 0 && !s.awake && !s.moving)
        g->sleep->check[i] = REAL_NEVER; /* the wake-up of a support checks it */
    else if (s.moving || !carried(g, &s)) {
        g->last_event = t; /* states before this time are lost */
        sleep_wake(g, i);
    } else
        g->sleep->check[i] = next_check(g, i);
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool sleep_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return g->settings->collapse.policy == COLLAPSE_SLEEP;
}

/* The rest frame of sleeping bodies breaks the symmetry under boosts. */
static bool sleep_holds(const gas *g, int k)
{
    (void)g;
    (void)k;
    return true;
}

static const char *sleep_fault(const gas *g)
{
    if (!sound_flags(g->sleep->asleep, g->count)) return "engine/asleep";
    return within(g->sleep->mark[0], (int)(DIM * g->count), REAL_MOST) ? NULL : "engine/mark";
}

static const body_array sleep_arrays[] = {
    {"engine/asleep", BODY_ARRAY(sleepers, asleep), .hash = HASH_FLAG}, {"engine/slow", BODY_ARRAY(sleepers, slow)},
    {"engine/check", BODY_ARRAY(sleepers, check), .kind = ARRAY_TIMES}, {"engine/mark", BODY_ARRAY(sleepers, mark)},
    {NULL, BODY_ARRAY(sleepers, awakened), .kind = ARRAY_SCRATCH},
};

static const feature feature_sleep = {.name = "sleep",
                                      FEATURE_STATE(sleep),
                                      .enabled = sleep_enabled,
                                      FEATURE_ARRAYS(sleep_arrays),
                                      .start = sleep_start,
                                      .holds = sleep_holds,
                                      .fault = sleep_fault};
