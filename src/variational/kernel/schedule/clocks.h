/* Clocks, and the next one to fire. */
#ifndef CAROM_VARIATIONAL_CLOCKS_H
#define CAROM_VARIATIONAL_CLOCKS_H

#include "variational/kernel/world.h"

/* A new clock, stopped; NONE: no memory (and w->out_of_memory). `group` distinguishes clocks of a kind: see world.h. */
static uint32_t clock_add(world *w, clock_kind kind, uint32_t group, uint32_t layer, double step);

/* The clock of layer l >= 1 of pairs of a row. Creates it if necessary. */
static uint32_t clock_of_layer(world *w, uint32_t row, uint32_t layer);

/* The row of the clocks of a contact's layers: its class; OWN_CLOCKS: its own row. */
static inline uint32_t row_of(const world *w, uint32_t index)
{
    return OWN_CLOCKS ? index : w->contacts.contact[index].class;
}

/* Starts a stopped clock: its next time is the first multiple of its step after t. False if t and that multiple are
 * equal by rounding: the step is too small for the time. */
static bool clock_start(world *w, uint32_t c, double t);

/* OWN_CLOCKS: starts the clock of a layer of a contact at t. It fires a step later; IMPULSES: at once. */
static bool clock_begin(world *w, uint32_t c, uint32_t index, double t);

/* Stops the clock, and removes its touch. */
static void clock_rest(world *w, uint32_t c);

/* Restores a running clock. */
static void clock_set(world *w, uint32_t c, double from, double tick);

/* Reserves room for the clocks of so many more contacts; false: no memory. */
static bool clocks_make_room(world *w, uint32_t rows, uint32_t more);

/* After firing: moves the clock on top of the heap to its next multiple, or stops it if it is empty. */
static void clock_fired(world *w, uint32_t c);

static inline double clock_time(const clock *c)
{
    if (OWN_CLOCKS && c->kind == CLOCK_LAYER) return c->origin + c->tick * c->step;
    return c->tick * c->step;
}

/* The clock that fires next; NONE: all are stopped. */
static inline uint32_t clocks_next(const world *w)
{
    return w->schedule.heap_count > 0 ? w->schedule.heap[0] : NONE;
}

static void batch_add(world *w, batch *b, const touch *new);

/* Sorts the touches, and drops the removed ones. */
static void batch_sort(world *w, batch *b);
static inline void batch_tidy(world *w, batch *b)
{
    if (b->dead > 0 || b->sorted < b->count) batch_sort(w, b);
}

/* The step of the first clock of a kind; 0: there is no such clock. */
static double step_of_clock(const world *w, clock_kind kind);

static void clocks_destroy(world *w);

#endif
