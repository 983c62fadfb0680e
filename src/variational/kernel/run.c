/* The event loop: clocks fire, leashes and certificates fall due. */
#include "variational/kernel/run.h"

#include "variational/kernel/contacts.h"
#include "variational/kernel/fire.h"
#include "variational/kernel/leash.h"
#include "variational/kernel/reference.h"

static uint64_t physical(const world *w)
{
    uint64_t sum = 0;
    for (int k = 0; k < EVENT_KINDS; k++)
        if (k != EVENT_TRANSFER && k != EVENT_REBASE) sum += w->events[k];
    return sum;
}

static carom_stop limit_reached(const world *w, const engine_limits *limits)
{
    if (physical(w) >= limits->events) return CAROM_STOP_EVENTS;
    if (w->events[EVENT_COLLISION] + w->events[EVENT_WALL] >= limits->collisions) return CAROM_STOP_COLLISIONS;
    return CAROM_STOP_NONE;
}

carom_status world_squeezed(world *w, error *e)
{
    const contact *c = &w->contact[w->squeezed];
    double gap = c->reach > 0 ? thickness(w, c->n + 1) : 0;
    if (c->j < NODES)
        return error_set(e, CAROM_DYNAMICS,
                         "error: squeezed: at time %.9g particles %u and %u are pressed into layer %u, a gap of %.3g, and "
                         "no step is small enough for the next; something drives them together without end",
                         w->now, w->id[c->i], w->id[c->j], c->n, gap);
    return error_set(e, CAROM_DYNAMICS,
                     "error: squeezed: at time %.9g particle %u is pressed into layer %u of a wall or plane, a gap of %.3g, "
                     "and no step is small enough for the next; something drives them together without end",
                     w->now, w->id[c->i], c->n, gap);
}

/* Carries out what comes first, if it comes by `until`. */
static carom_status step(world *w, double until, bool *done, error *e)
{
    uint32_t at = clocks_next(w), i;
    double fires = at != NOBODY ? clock_time(&w->clock[at]) : INFINITY, due;
    if (!fel_peek(w->queue, &i, &due)) due = INFINITY;
    *done = fmin(fires, due) > until;
    if (*done) return CAROM_OK;
    w->now = fmin(fires, due);
    if (due <= fires) return leash_check(w, i, due, e);
    w->last_event = fires;
    return fire(w, at, fires, e);
}

carom_status world_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    world *w = self;
    bool done = false;
    for (uint64_t n = 0; n < limits->slice; n++) {
        if ((*stop = limit_reached(w, limits)) != CAROM_STOP_NONE) return CAROM_OK;
        TRY(w->settings->reference ? reference_step(w, limits->time, &done, e) : step(w, limits->time, &done, e));
        if (w->squeezed != NOBODY) {
            *stop = CAROM_STOP_SQUEEZED;
            return world_squeezed(w, e);
        }
        if (!done) continue;
        *stop = CAROM_STOP_TIME;
        return CAROM_OK;
    }
    *stop = CAROM_STOP_NONE;
    return CAROM_OK;
}
