/* Clocks, and which is due next. */
#ifndef CAROM_VARIATIONAL_CLOCKS_H
#define CAROM_VARIATIONAL_CLOCKS_H

#include "variational/kernel/world.h"

/* A new clock at rest; NONE where there is no memory (and w->out_of_memory). `group` tells clocks of a kind apart:
 * see world.h. */
static uint32_t clock_add(world *w, clock_kind kind, uint32_t group, uint32_t layer, double step);

/* The clock of layer l >= 1 of pairs of a row, made where there is none yet. */
static uint32_t clock_of_layer(world *w, uint32_t row, uint32_t layer);

/* Where the clocks of a contact's layers are: those of its class; OWN_CLOCKS: its own. */
static inline uint32_t row_of(const world *w, uint32_t index)
{
    return OWN_CLOCKS ? index : w->contacts.contact[index].class;
}

/* Sets a clock at rest going: its next time is the first multiple of its step after t. False where t cannot be told
 * from that multiple: the step is too small for the time. */
static bool clock_start(world *w, uint32_t c, double t);

/* OWN_CLOCKS: the clock of a layer of a contact begins at t, and fires a step later; IMPULSES: at once. */
static bool clock_begin(world *w, uint32_t c, uint32_t index, double t);

/* Takes it to rest, with its touch. */
static void clock_rest(world *w, uint32_t c);

/* Goes on as it was. */
static void clock_set(world *w, uint32_t c, double from, double tick);

/* Room for the clocks of so many contacts more; false where there is no memory. */
static bool clocks_make_room(world *w, uint32_t rows, uint32_t more);

/* The clock on top has fired at its time: on to the next multiple, or to rest where it has nothing to do. */
static void clock_fired(world *w, uint32_t c);

static inline double clock_time(const clock *c)
{
    if (OWN_CLOCKS && c->kind == CLOCK_LAYER) return c->origin + c->tick * c->step;
    return c->tick * c->step;
}

/* The clock that fires next; NONE where all are at rest. */
static inline uint32_t clocks_next(const world *w)
{
    return w->schedule.heap_count > 0 ? w->schedule.heap[0] : NONE;
}

static void batch_add(world *w, batch *b, const touch *new);

/* Puts the touches in order, and takes out the dead. */
static void batch_sort(world *w, batch *b);
static inline void batch_tidy(world *w, batch *b)
{
    if (b->dead > 0 || b->sorted < b->count) batch_sort(w, b);
}

/* The step of the first clock of a kind; 0: there is no such clock. */
static double step_of_clock(const world *w, clock_kind kind);

static void clocks_destroy(world *w);

#endif
