/* Changes of the state from outside: velocities, as kicks between two ticks; settings, by loading the state into a
 * kernel of the changed scene. */
#include "variational/kernel/edit.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/features/feature.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/schedule/flight_bound.h"

/* ---- velocities -------------------------------------------------------------------------------------------------- */

static carom_status check_free(const world *w, size_t count, const uint32_t *particles, error *e)
{
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = w->index_of[particles[n]];
        char name[ELEMENT_NAME];
        if (node_is_free(&w->node[i])) continue;
        element_name(w, i, name);
        return error_set(e, CAROM_USAGE, "error: the velocity of %s cannot be set: it %s", name,
                         node_is_driven(&w->node[i])   ? "is driven"
                         : node_is_absent(&w->node[i]) ? "is not in the system at present"
                                                       : "is part of a rigid body");
    }
    return CAROM_OK;
}

static void begin_moment(world *w, double time)
{
    w->now = w->last_event = greater(w->now, time);
    w->progress.quiet_since = UINT64_MAX;
}

static carom_status world_set_velocities(void *self, double time, size_t count, const uint32_t *particles,
                                         const double *velocities, error *e)
{
    world *w = self;
    TRY(check_free(w, count, particles, e));
    begin_moment(w, time);
    w->batch.block_count = 0;
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = w->index_of[particles[n]];
        kick out = {.i = i, .j = NONE};
        double v[DIM];
        velocity_at(w, &w->node[i], w->now, v);
        for (int k = 0; k < DIM; k++) out.impulse[k] = w->mass[i] * (velocities[n * DIM + (size_t)k] - v[k]);
        if (!add_kick(w, &out)) return error_memory(e, "the velocities", count * sizeof out);
    }
    give_kicks(w, w->now);
    for (size_t n = 0; n < count; n++) { /* without the rounding of the impulses */
        const uint32_t i = w->index_of[particles[n]];
        memcpy(w->node[i].v, velocities + n * DIM, sizeof w->node[i].v);
        if (w->observer != NULL) w->observer->moved(w, i);
    }
    return w->flights.pending.count > 0 ? flights_update(w, w->now, e) : CAROM_OK;
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* Thickness, stiffness and step are those of the saved contacts. */
static carom_status check_choice(const world *w, const world *before, error *e)
{
    const variational_choice *a = &w->choice, *b = &before->choice;
    if (a->eta == b->eta && a->stiffness == b->stiffness && a->step == b->step && a->coefficient == b->coefficient)
        return CAROM_OK;
    return error_set(e, CAROM_USAGE,
                     "error: the change alters the layers of contacts (eta %.9g to %.9g, stiffness %.9g to %.9g, step "
                     "%.9g to %.9g): set variational.eta, stiffness and step in the scene, so that they stay",
                     b->eta, a->eta, b->stiffness, a->stiffness, b->step, a->step);
}

/* Ends the flights of all nodes and bodies: their motion up to now is that of the gravity before the change. */
static void end_flights(world *w)
{
    static const double nothing[DIM];
    for (uint32_t i = 0; i < w->count; i++) {
        node *a = &w->node[i];
        double x[DIM], v[DIM];
        if (node_is_rigid(a)) body_push(w, i, nothing, 1, w->now);
        if (!node_is_free(a)) continue;
        position_at(w, a, w->now, x);
        velocity_at(w, a, w->now, v);
        memcpy(a->x, x, sizeof a->x);
        memcpy(a->v, v, sizeof a->v);
        a->t = w->now;
    }
}

static carom_status load_under(world *w, world *before, double time, error *e)
{
    const domain own = w->domain;
    snapshot state = {0};
    memcpy(w->domain.gravity, before->domain.gravity, sizeof own.gravity);
    memcpy(w->domain.half_gravity, before->domain.half_gravity, sizeof own.half_gravity);
    w->domain.gravity_magnitude = before->domain.gravity_magnitude;
    carom_status status = world_save(before, &state, e);
    if (status == CAROM_OK) status = world_load(w, &state, e);
    snapshot_free(&state);
    TRY(status);
    begin_moment(w, time);
    end_flights(w);
    memcpy(w->domain.gravity, own.gravity, sizeof own.gravity);
    memcpy(w->domain.half_gravity, own.half_gravity, sizeof own.half_gravity);
    w->domain.gravity_magnitude = own.gravity_magnitude;
    return CAROM_OK;
}

static carom_status world_adopt(void *self, void *from, double time, const uint32_t *numbers, error *e)
{
    world *w = self;
    world *before = from;
    if (numbers != NULL)
        return error_set(e, CAROM_USAGE,
                         "error: the engine `variational` cannot add or remove particles during a run: contacts, links "
                         "and bodies refer to them by number. Start a new simulation from the present positions");
    TRY(check_choice(w, before, e));
    TRY(load_under(w, before, time, e));
    for (uint32_t i = 0; w->observer != NULL && i < w->count; i++) w->observer->moved(w, i);
    return w->observer != NULL ? CAROM_OK : flights_renew_all(w, w->now, e);
}
