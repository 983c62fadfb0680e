#include "variational/kernel/features/reserve.h"

#include "variational/kernel/broad/clear.h"
#include "variational/kernel/broad/grid.h"
#include "variational/kernel/edit.h"
#include "variational/kernel/features/bodies.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contact_end.h"
#include "variational/kernel/schedule/flight_bound.h"
#include "variational/kernel/schedule/pending.h"

#include "base/memory.h"

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool reserve_enabled(const world *w)
{
    return scene_flows(w->scene);
}

static void set_absent(world *w, uint32_t i, double t)
{
    w->node[i] = (node){.t = t, .kind = NODE_ABSENT};
    w->inverse_mass[i] = 0;
}

static void set_aside(world *w, const initial_state *state)
{
    struct reserve *r = w->reserve;
    for (uint32_t i = 0; i < w->count; i++) {
        r->inverse_mass[i] = w->inverse_mass[i];
        if (state->absent == NULL || !state->absent[w->id[i]]) continue;
        memcpy(r->velocity[i], w->node[i].v, sizeof r->velocity[i]);
        if (r->spin != NULL) memcpy(r->spin[i], state->spin[w->id[i]], sizeof r->spin[i]);
        if (body_has(w, i) && clump_begins(w, i)) body_set_absent(w, w->rigid.body_of[i], w->now);
        set_absent(w, i, w->now);
    }
}

static carom_status reserve_create(world *w, const initial_state *state, error *e)
{
    struct reserve *r = w->reserve = NEW_ARRAY(1, struct reserve);
    if (r == NULL) return error_memory(e, "the reserve", sizeof *r);
    r->velocity = memory_new(w->count, sizeof *r->velocity);
    r->spin = state->spin != NULL ? memory_new(w->count, sizeof *r->spin) : NULL;
    r->inverse_mass = NEW_ARRAY(w->count, double);
    if (r->velocity == NULL || (state->spin != NULL && r->spin == NULL) || r->inverse_mass == NULL)
        return error_memory(e, "the reserve", w->count * (sizeof *r->velocity + sizeof *r->spin));
    set_aside(w, state);
    return CAROM_OK;
}

static void reserve_destroy(world *w)
{
    if (w->reserve == NULL) return;
    memory_free(w->reserve->velocity);
    memory_free(w->reserve->spin);
    memory_free(w->reserve->inverse_mass);
    memory_free(w->reserve);
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

/* What enters and leaves as one: a single particle, or a clump with its nodes. */
typedef struct item {
    uint32_t body, node, count; /* body NONE: node alone */
} item;

static item item_of(const world *w, uint32_t i)
{
    if (!body_has(w, i)) return (item){NONE, i, 1};
    return (item){w->rigid.body_of[i], i, body_size(w, w->rigid.body_of[i])};
}

static uint32_t item_node(const world *w, item of, uint32_t n)
{
    return of.body == NONE ? of.node : body_member(w, of.body, n);
}

static void begin_spin(world *w, uint32_t i, const double *spin, double t)
{
    if (w->spins == NULL) return;
    spinner *s = &w->spins->node[i];
    memset(s->turn, 0, sizeof s->turn);
    s->t = t;
    for (int k = 0; k < 3; k++) s->spin[k] = spin != NULL ? spin[k] : 0;
}

static void item_remove(world *w, item of, double t)
{
    for (uint32_t n = 0; n < of.count; n++) {
        set_absent(w, item_node(w, of, n), t);
        begin_spin(w, item_node(w, of, n), NULL, t);
    }
    if (of.body != NONE) body_set_absent(w, of.body, t);
}

/* The energy of a free node or of a clump: of its motion, its rotation and its height. */
static double item_energy(const world *w, item of)
{
    const node *a = &w->node[of.node];
    if (of.body != NONE) return body_energy(w, of.body);
    double energy = 0.5 * w->mass[of.node] * dot(a->v, a->v);
    for (int k = 0; k < DIM; k++) energy -= w->mass[of.node] * w->scene->gravity[k] * a->x[k];
    if (w->spins == NULL || w->spins->node[of.node].inverse_inertia == 0) return energy;
    const spinner *s = &w->spins->node[of.node];
    return energy + 0.5 * dot3(s->spin, s->spin) / s->inverse_inertia;
}

/* New nominal motions of its nodes. */
static carom_status item_begin_flight(world *w, item of, double t, error *e)
{
    for (uint32_t n = 0; n < of.count; n++) {
        const uint32_t i = item_node(w, of, n);
        if (w->observer != NULL) {
            w->observer->moved(w, i);
            continue;
        }
        nominal *path = &w->flights.nominal[i];
        *path = (nominal){.t = t, .straight = node_is_held(&w->node[i])};
        memcpy(path->x, w->node[i].x, sizeof path->x);
        memcpy(path->v, w->node[i].v, sizeof path->v);
        pending_add(w, i, TOLERANCE_TOO_LARGE);
    }
    return w->observer != NULL ? CAROM_OK : flights_update(w, t, e);
}

/* ---- entering ---------------------------------------------------------------------------------------------------- */

static void item_place(world *w, item of, const double position[3], double t)
{
    if (of.body != NONE) body_enter(w, of.body, position, t);
    for (uint32_t n = 0; n < of.count; n++) {
        const uint32_t i = item_node(w, of, n);
        node *a = &w->node[i];
        *a = (node){.t = t, .kind = of.body != NONE ? NODE_RIGID : NODE_FREE};
        if (of.body != NONE) {
            body_place(w, i, t, a->x);
            body_velocity(w, i, t, a->v);
        } else {
            memcpy(a->x, position, sizeof a->x);
            memcpy(a->v, w->reserve->velocity[i], sizeof a->v);
        }
        if (w->observer == NULL) grid_place(w, i, a->x);
    }
}

static carom_status item_is_clear(const world *w, item of, double t, bool *is_clear, error *e)
{
    *is_clear = true;
    for (uint32_t n = 0; n < of.count && *is_clear; n++) TRY(element_is_clear(w, item_node(w, of, n), t, is_clear, e));
    return CAROM_OK;
}

static carom_status world_enter(void *self, double time, uint32_t particle, const double position[3], bool *entered,
                                double *energy, error *e)
{
    world *w = self;
    const item of = item_of(w, w->index_of[particle]);
    begin_moment(w, time);
    item_place(w, of, position, time);
    TRY(item_is_clear(w, of, time, entered, e));
    if (!*entered) {
        item_remove(w, of, time);
        return CAROM_OK;
    }
    for (uint32_t n = 0; n < of.count; n++) {
        const uint32_t i = item_node(w, of, n);
        const bool spins = of.body == NONE && w->reserve->spin != NULL;
        w->inverse_mass[i] = w->reserve->inverse_mass[i];
        begin_spin(w, i, spins ? w->reserve->spin[i] : NULL, time);
    }
    *energy += item_energy(w, of);
    return item_begin_flight(w, of, time, e);
}

/* ---- leaving ----------------------------------------------------------------------------------------------------- */

/* What leaves stays at its place until its contacts have ended. */
static void item_hold(world *w, item of, double t, double *energy)
{
    node *a = &w->node[of.node];
    double x[DIM], v[DIM];
    if (of.body != NONE) {
        body_withdraw(w, of.body, t);
        *energy += item_energy(w, of);
        return;
    }
    position_at(w, a, t, x);
    velocity_at(w, a, t, v);
    memcpy(a->x, x, sizeof a->x);
    memcpy(a->v, v, sizeof a->v);
    a->t = t;
    *energy += item_energy(w, of);
    a->kind = NODE_ABSENT;
}

/* All spheres of a clump are among the particles. */
static carom_status world_leave(void *self, double time, size_t count, const uint32_t *particles, double *energy,
                                error *e)
{
    world *w = self;
    begin_moment(w, time);
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = w->index_of[particles[n]];
        if (clump_begins(w, i)) item_hold(w, item_of(w, i), time, energy);
    }
    *energy += contacts_end_absent(w, time);
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = w->index_of[particles[n]];
        const item of = item_of(w, i);
        if (!clump_begins(w, i)) continue;
        for (uint32_t m = 0; m < of.count && w->observer == NULL; m++) grid_remove(w, item_node(w, of, m));
        item_remove(w, of, time);
        if (w->observer == NULL) TRY(item_begin_flight(w, of, time, e));
    }
    if (w->observer != NULL) w->observer->pairs_ended(w);
    return CAROM_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Nodes that may enter or leave: whether they are present is part of the state, the same for all nodes of a clump. */
static void reserve_set_kinds(const world *w, node_kind *kind)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const bool clump = clump_number(w, i) >= 0;
        const node_kind loaded = w->node[clump ? body_member(w, w->rigid.body_of[i], 0) : i].kind,
                        present = clump ? NODE_RIGID : NODE_FREE;
        const bool may = kind[i] == NODE_ABSENT || (kind[i] == present && !is_vertex(w, i));
        if (may && (loaded == present || loaded == NODE_ABSENT)) kind[i] = loaded;
    }
}

static void reserve_loaded(world *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        if (node_is_absent(&w->node[i])) w->inverse_mass[i] = 0;
        if (node_is_free(&w->node[i])) w->inverse_mass[i] = 1 / w->mass[i];
        if (node_is_rigid(&w->node[i])) w->inverse_mass[i] = w->reserve->inverse_mass[i];
        if (body_has(w, i)) body_set_presence(w, w->rigid.body_of[i]);
    }
}

static const feature reserve_feature = {.name = "reserve",
                                        .enabled = reserve_enabled,
                                        .create = reserve_create,
                                        .destroy = reserve_destroy,
                                        .set_kinds = reserve_set_kinds,
                                        .loaded = reserve_loaded};
