#include "hard/kernel/features/reserve.h"
#include "hard/kernel/broad/order.h"
#include "hard/kernel/features/contact_duration.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/features/rotation.h"
#include "hard/kernel/images.h"

#include "base/memory.h"
#include "neighbors/curve.h"

/* ---- absent bodies ----------------------------------------------------------------------------------------------- */

static void set_absent(gas *g, uint32_t i)
{
    body *b = &g->body[i];
    const uint32_t stamp = b->stamp, kind = b->kind;
    *b = (body){.stamp = stamp + 1, .kind = kind};
    for (int k = 0; k < DIM; k++) image_put(g, i, k, 0);
    g->stall.time[i] = 0;
    g->stall.count[i] = 0;
    features_clear(g, i);
}

static void reserve_take(gas *g)
{
    _Static_assert(sizeof(plan) >= sizeof(curve_place), "plans are scratch");
    curve_place *from = (curve_place *)(void *)g->plan;
    const bool *leaving = g->reserve->leaving;
    uint32_t n = 0, present;
    for (uint32_t i = 0; i < g->count; i++)
        if (!leaving[i]) from[n++].item = i;
    present = n;
    for (uint32_t i = 0; i < g->count; i++)
        if (leaving[i]) from[n++].item = i;
    arrange_bodies(g, from);
    for (uint32_t i = present; i < g->count; i++) set_absent(g, i);
    memset(g->reserve->leaving, 0, g->count * sizeof *leaving);
    g->count = present;
}

static void reserve_begin(gas *g, const initial_state *state)
{
    for (uint32_t i = 0; i < g->count; i++) g->reserve->leaving[i] = state->absent != NULL && state->absent[g->id[i]];
    reserve_take(g);
}

static void reserve_adopt(gas *g, const gas *before)
{
    struct reserve *r = g->reserve;
    memcpy(r->velocity, before->reserve->velocity, g->room * sizeof *r->velocity);
    if (r->spin != NULL) memcpy(r->spin, before->reserve->spin, g->room * sizeof *r->spin);
    for (uint32_t i = 0; i < g->count; i++) r->index_of[g->id[i]] = i;
    for (uint32_t j = before->count; j < before->room; j++) r->leaving[r->index_of[before->id[j]]] = true;
    reserve_take(g);
}

/* ---- entering ---------------------------------------------------------------------------------------------------- */

static uint32_t reserve_give(gas *g, uint32_t number)
{
    uint32_t at = g->count;
    while (at < g->room && g->id[at] != number) at++;
    if (at == g->room) return at;
    const uint32_t i = g->count++, kind = g->body[at].kind;
    g->body[at].kind = g->body[i].kind;
    g->id[at] = g->id[i];
    g->id[i] = number;
    g->body[i].kind = kind;
    g->body[i].t = g->now;
    g->body[i].stamp++;
    if (g->contact_duration != NULL) g->contact_duration->last_contact[i] = -REAL_NEVER;
    plan_clear(&g->plan[i]);
    return i;
}

static void reserve_return(gas *g)
{
    set_absent(g, --g->count);
}

static void reserve_set_motion(gas *g, uint32_t i)
{
    const struct reserve *r = g->reserve;
    for (int k = 0; k < DIM; k++) g->body[i].v[k] = real_ldexp(r->velocity[g->id[i]][k], (int)g->scale);
    for (int k = 0; k < TURN && r->spin != NULL; k++)
        g->rotation->spin[i][k] = real_ldexp(r->spin[g->id[i]][k], (int)g->scale);
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool reserve_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return scene_flows(g->scene);
}

static carom_status reserve_create(gas *g, const initial_state *state, error *e)
{
    struct reserve *r = g->reserve;
    r->velocity = memory_new(g->room, sizeof *r->velocity);
    r->spin = state->spin != NULL ? memory_new(g->room, sizeof *r->spin) : NULL;
    r->leaving = NEW_ARRAY(g->room, bool);
    r->index_of = NEW_ARRAY(g->room, uint32_t);
    if (r->velocity == NULL || (state->spin != NULL && r->spin == NULL) || r->leaving == NULL || r->index_of == NULL)
        return error_memory(e, "inflow and outflow", g->room * (sizeof *r->velocity + sizeof *r->spin));
    for (uint32_t i = 0; i < g->room; i++) {
        for (int k = 0; k < DIM; k++) r->velocity[i][k] = (real)state->velocity[i][k];
        for (int k = 0; k < TURN && r->spin != NULL; k++) r->spin[i][k] = (real)state->spin[i][DIM == 3 ? k : 2];
    }
    return CAROM_OK;
}

static void reserve_destroy(gas *g)
{
    memory_free(g->reserve->velocity);
    memory_free(g->reserve->spin);
    memory_free(g->reserve->leaving);
    memory_free(g->reserve->index_of);
}

/* The frame of reference is that of the box: the centre of mass changes with the bodies. */
static bool reserve_holds(const gas *g, int k)
{
    (void)g;
    (void)k;
    return true;
}

static int reserve_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/present", &g->count, sizeof g->count};
    return 1;
}

static const feature feature_reserve = {.name = "inflow and outflow",
                                        FEATURE_STATE(reserve),
                                        .enabled = reserve_enabled,
                                        .accounts = true,
                                        .create = reserve_create,
                                        .destroy = reserve_destroy,
                                        .holds = reserve_holds,
                                        .saved = reserve_saved};
