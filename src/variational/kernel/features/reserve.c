#include "variational/kernel/features/reserve.h"

#include "variational/kernel/broad/clear.h"
#include "variational/kernel/broad/grid.h"
#include "variational/kernel/edit.h"
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

static carom_status reserve_create(world *w, const initial_state *state, error *e)
{
    struct reserve *r = w->reserve = NEW_ARRAY(1, struct reserve);
    if (r == NULL) return error_memory(e, "the reserve", sizeof *r);
    r->velocity = memory_new(w->count, sizeof *r->velocity);
    r->spin = state->spin != NULL ? memory_new(w->count, sizeof *r->spin) : NULL;
    if (r->velocity == NULL || (state->spin != NULL && r->spin == NULL))
        return error_memory(e, "the reserve", w->count * (sizeof *r->velocity + sizeof *r->spin));
    for (uint32_t i = 0; i < w->count; i++) {
        if (state->absent == NULL || !state->absent[w->id[i]]) continue;
        memcpy(r->velocity[i], w->node[i].v, sizeof r->velocity[i]);
        if (r->spin != NULL) memcpy(r->spin[i], state->spin[w->id[i]], sizeof r->spin[i]);
        set_absent(w, i, w->now);
    }
    return CAROM_OK;
}

static void reserve_destroy(world *w)
{
    if (w->reserve == NULL) return;
    memory_free(w->reserve->velocity);
    memory_free(w->reserve->spin);
    memory_free(w->reserve);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* The energy of a free node: of its motion, its rotation and its height. */
static double energy_of(const world *w, uint32_t i)
{
    const node *a = &w->node[i];
    double energy = 0.5 * w->mass[i] * dot(a->v, a->v);
    for (int k = 0; k < DIM; k++) energy -= w->mass[i] * w->scene->gravity[k] * a->x[k];
    if (w->spins == NULL || w->spins->node[i].inverse_inertia == 0) return energy;
    const spinner *s = &w->spins->node[i];
    return energy + 0.5 * dot3(s->spin, s->spin) / s->inverse_inertia;
}

static void begin_spin(world *w, uint32_t i, const double *spin, double t)
{
    if (w->spins == NULL) return;
    spinner *s = &w->spins->node[i];
    memset(s->turn, 0, sizeof s->turn);
    s->t = t;
    for (int k = 0; k < 3; k++) s->spin[k] = spin != NULL ? spin[k] : 0;
}

/* ---- entering ---------------------------------------------------------------------------------------------------- */

static carom_status begin_flight(world *w, uint32_t i, double t, error *e)
{
    if (w->observer != NULL) {
        w->observer->moved(w, i);
        return CAROM_OK;
    }
    nominal *n = &w->flights.nominal[i];
    *n = (nominal){.t = t, .straight = node_is_held(&w->node[i])};
    memcpy(n->x, w->node[i].x, sizeof n->x);
    memcpy(n->v, w->node[i].v, sizeof n->v);
    pending_add(w, i, TOLERANCE_TOO_LARGE);
    return flights_update(w, t, e);
}

static carom_status world_enter(void *self, double time, uint32_t particle, const double position[3], bool *entered,
                                double *energy, error *e)
{
    world *w = self;
    const uint32_t i = w->index_of[particle];
    node *a = &w->node[i];
    begin_moment(w, time);
    *a = (node){.t = time, .kind = NODE_FREE};
    for (int k = 0; k < DIM; k++) {
        a->x[k] = position[k];
        a->v[k] = w->reserve->velocity[i][k];
    }
    if (w->observer == NULL) grid_place(w, i, a->x);
    TRY(element_is_clear(w, i, time, entered, e));
    if (!*entered) {
        set_absent(w, i, time);
        return CAROM_OK;
    }
    w->inverse_mass[i] = 1 / w->mass[i];
    begin_spin(w, i, w->reserve->spin != NULL ? w->reserve->spin[i] : NULL, time);
    *energy += energy_of(w, i);
    return begin_flight(w, i, time, e);
}

/* ---- leaving ----------------------------------------------------------------------------------------------------- */

/* A node that leaves stays at its place until its contacts have ended. */
static void hold_there(world *w, uint32_t i, double t, double *energy)
{
    node *a = &w->node[i];
    double x[DIM], v[DIM];
    position_at(w, a, t, x);
    velocity_at(w, a, t, v);
    memcpy(a->x, x, sizeof a->x);
    memcpy(a->v, v, sizeof a->v);
    a->t = t;
    *energy += energy_of(w, i);
    a->kind = NODE_ABSENT;
}

static carom_status world_leave(void *self, double time, size_t count, const uint32_t *particles, double *energy,
                                error *e)
{
    world *w = self;
    begin_moment(w, time);
    for (size_t n = 0; n < count; n++) hold_there(w, w->index_of[particles[n]], time, energy);
    *energy += contacts_end_absent(w, time);
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = w->index_of[particles[n]];
        if (w->observer == NULL) grid_remove(w, i);
        set_absent(w, i, time);
        begin_spin(w, i, NULL, time);
        if (w->observer == NULL) TRY(begin_flight(w, i, time, e));
    }
    if (w->observer != NULL) w->observer->pairs_ended(w);
    return CAROM_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Nodes that may enter or leave: whether they are present is part of the state. */
static void reserve_set_kinds(const world *w, node_kind *kind)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const node_kind loaded = w->node[i].kind;
        const bool may = kind[i] == NODE_ABSENT || (kind[i] == NODE_FREE && !is_vertex(w, i));
        if (may && (loaded == NODE_FREE || loaded == NODE_ABSENT)) kind[i] = loaded;
    }
}

static void reserve_loaded(world *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        if (node_is_absent(&w->node[i])) w->inverse_mass[i] = 0;
        if (node_is_free(&w->node[i])) w->inverse_mass[i] = 1 / w->mass[i];
    }
}

static const feature reserve_feature = {.name = "reserve",
                                        .enabled = reserve_enabled,
                                        .create = reserve_create,
                                        .destroy = reserve_destroy,
                                        .set_kinds = reserve_set_kinds,
                                        .loaded = reserve_loaded};
