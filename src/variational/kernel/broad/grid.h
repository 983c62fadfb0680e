/* Neighbours: lists, kept node by node.
 *
 * A node's list holds every node whose *reference position*, a place less than half a skin away when its own list was
 * made, lies within both radii and the skin of its own, and the surfaces that it can reach. It stays right while both
 * are within half a skin of their reference positions. Lists are symmetric. */
#ifndef CAROM_VARIATIONAL_GRID_H
#define CAROM_VARIATIONAL_GRID_H

#include "variational/kernel/world.h"

static carom_status grid_create(world *w, error *e);
static void grid_destroy(world *w);

/* Until when node i is certainly within half a skin of their reference positions, by its nominal motion; t or less
 * where its list is used up. */
static double list_valid_until(const world *w, uint32_t i, double t);

/* The largest tolerance of vertices that lists bear. */
static double lists_tolerance(const world *w);

/* Asks for what list_valid_until needs. */
static void grid_prefetch(const world *w, uint32_t i);

/* Until when the lists of these elements certainly hold all that may come near: recheck.next. Lists that will be used
 * up by `until` are made anew first; with several threads, if there are many. */
static carom_status lists_keep_valid(world *w, const uint32_t *elements, uint32_t count, double t, double until,
                                     error *e);

/* Enters an element at the reference position that it had when the run was stopped. */
static carom_status grid_restore(world *w, uint32_t i, error *e);

/* Puts a pair into the lists, with its certificates as seen from both; false where there is no memory. */
static bool lists_add_pair(world *w, uint32_t i, uint32_t partner, double until, double back);

/* Takes those that never touch element i, as they are both held by now, out of the lists. */
static void lists_remove_untouchable(world *w, uint32_t i);

/* The entry of `partner` in a list; NULL where there is none. */
static neighbour *list_seek(const list *l, uint32_t element);

/* The same in a list that has it. */
static neighbour *list_find(list *l, uint32_t element);

#endif
