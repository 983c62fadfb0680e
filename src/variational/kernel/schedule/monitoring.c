#include "variational/kernel/schedule/monitoring.h"

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"

#include "base/memory.h"

/* So large that kicks seldom need new nominal motions. If layers are so stiff that contacts last only a small part
 * of eta, so small that approaching pairs have few ticks before contact. */
static double choose_tau(const world *w)
{
    if (OWN_CLOCKS) return w->flights.margin;
    double tau = TAU_OF_ETA * w->choice.eta, way = TAU_STEPS * w->choice.step * w->choice.speed;
    return way > 0 ? greater(lesser(tau, way), w->flights.margin) : tau;
}

/* The lists of several threads, each with room for all nodes. */
static bool make_thread_pending(world *w)
{
    w->flights.pending.at = NEW_ARRAY(w->count, uint32_t);
    w->flights.thread_pending = NEW_ARRAY((size_t)w->team.most, pending_nodes);
    bool made = w->flights.pending.at != NULL && w->flights.thread_pending != NULL;
    for (int k = 0; made && w->team.most > 1 && k < w->team.most; k++) {
        w->flights.thread_pending[k].at = NEW_ARRAY(w->count, uint32_t);
        made = w->flights.thread_pending[k].at != NULL;
    }
    return made;
}

static void free_thread_pending(world *w)
{
    for (int k = 0; w->flights.thread_pending != NULL && k < w->team.most; k++)
        memory_free(w->flights.thread_pending[k].at);
    memory_free(w->flights.thread_pending);
    memory_free(w->flights.pending.at);
    w->flights.thread_pending = NULL;
    w->flights.pending = (pending_nodes){0};
}

static carom_status begin_flight_bounds(world *w, error *e)
{
    w->flights.tau = choose_tau(w);
    w->flights.flight_bound = NEW_ARRAY(w->count, flight_bound);
    w->flights.recheck = NEW_ARRAY(w->elements, recheck);
    w->flights.nominal = NEW_ARRAY(w->count, nominal);
    w->flights.pending_reason = NEW_ARRAY(w->count, uint8_t);
    w->flights.outcome = NEW_ARRAY(w->count, uint8_t);
    w->flights.renewed = NEW_ARRAY(w->elements, uint32_t);
    w->flights.is_renewed = NEW_ARRAY(w->elements - w->count, bool);
    if (w->flights.outcome == NULL || w->flights.renewed == NULL || w->flights.is_renewed == NULL ||
        w->flights.flight_bound == NULL || w->flights.recheck == NULL || w->flights.nominal == NULL ||
        w->flights.pending_reason == NULL || !make_thread_pending(w))
        return error_memory(e, "flight bounds", w->count * sizeof *w->flights.flight_bound);
    TRY(fel_create(&w->flights.queue, w->elements, NULL, NULL, e));
    fel_reset(w->flights.queue, w->now);
    for (uint32_t i = 0; i < w->count; i++) { /* no tolerance yet; checks of other nodes may read it before that */
        nominal *n = &w->flights.nominal[i];
        *n = (nominal){.t = w->now, .straight = node_is_held(&w->node[i])};
        node_place(w, i, w->now, n->x);
        node_velocity(w, i, w->now, n->v);
    }
    for (uint32_t i = 0; i < w->elements; i++) w->flights.recheck[i].due = INFINITY;
    return grid_create(w, e);
}

static carom_status monitoring_begin(world *w, error *e)
{
    double longest = 0;
    for (int k = 0; k < DIM; k++) longest = greater(longest, w->domain.size[k]);
    w->flights.margin = MARGIN_OF_ETA * w->choice.eta + MARGIN_OF_BOX * longest;
    w->schedule.heap_count = 0;
    for (uint32_t c = 0; c < w->schedule.clock_count; c++) {
        clock *k = &w->schedule.clock[c];
        k->place = NONE;
        k->pairs.count = k->pairs.sorted = k->pairs.dead = 0;
        k->surfaces.count = k->surfaces.sorted = k->surfaces.dead = 0;
        k->linked.count = k->linked.sorted = k->linked.dead = 0;
        if (k->kind != CLOCK_LAYER) clock_start(w, c, w->now);
    }
    contacts_forget(w);
    return w->observer != NULL ? w->observer->begin(w, e) : begin_flight_bounds(w, e);
}

static void monitoring_end(world *w)
{
    grid_destroy(w);
    if (w->observer != NULL) w->observer->end(w);
    if (w->flights.queue != NULL) fel_destroy(w->flights.queue);
    memory_free(w->flights.flight_bound);
    memory_free(w->flights.recheck);
    memory_free(w->flights.nominal);
    free_thread_pending(w);
    memory_free(w->flights.pending_reason);
    memory_free(w->flights.outcome);
    memory_free(w->flights.renewed);
    memory_free(w->flights.is_renewed);
    w->neighbours.grid = NULL;
    w->neighbours.list = NULL;
    w->flights.queue = NULL;
    w->flights.flight_bound = NULL;
    w->flights.recheck = NULL;
    w->flights.nominal = NULL;
    w->flights.pending_reason = NULL;
    w->flights.outcome = NULL;
    w->flights.renewed = NULL;
    w->flights.is_renewed = NULL;
}
