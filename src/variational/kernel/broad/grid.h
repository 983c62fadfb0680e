/* Neighbour lists, one per node.
 *
 * Each list has a *reference position* of its node, less than half a skin away at the creation of the list. The list
 * contains every node whose reference position lies within both radii and the skin of its own, and the surfaces
 * within reach. It is valid while both nodes are within half a skin of their reference positions. Lists are
 * symmetric. */
#ifndef CAROM_VARIATIONAL_GRID_H
#define CAROM_VARIATIONAL_GRID_H

#include "variational/kernel/world.h"

static carom_status grid_create(world *w, error *e);
static void grid_destroy(world *w);

/* The time until which node i is certainly within half a skin of its reference position, by its nominal motion; t or
 * less if its list has expired. */
static double list_valid_until(const world *w, uint32_t i, double t);

/* The largest tolerance of vertices for which lists are efficient. */
static double lists_tolerance(const world *w);

/* Prefetches the data of list_valid_until. */
static void grid_prefetch(const world *w, uint32_t i);

/* Sets recheck.next: the time until which the lists of these elements certainly contain all elements that may come
 * near. Lists that expire by `until` are renewed first, with several threads if there are many. */
static carom_status lists_keep_valid(world *w, const uint32_t *elements, uint32_t count, double t, double until,
                                     error *e);

/* Enters an element at its reference position of a checkpoint. */
static carom_status grid_restore(world *w, uint32_t i, error *e);

/* Removes a ball from the grid and from all lists. */
static void grid_remove(world *w, uint32_t i);

/* Sets the reference position of a ball that is not in the grid, for grid_is_clear. */
static void grid_place(const world *w, uint32_t i, const double x[DIM]);

/* Whether an element touches no other near its reference position; false: no memory. */
static bool grid_is_clear(const world *w, uint32_t element, double t, bool *is_clear);

/* Makes new lists of these elements, at their reference positions. */
static carom_status lists_renew(world *w, const uint32_t *elements, uint32_t count, double t, error *e);

/* Adds a pair to the lists, with the certificates of both sides; false: no memory. */
static bool lists_add_pair(world *w, uint32_t i, uint32_t partner, double until, double back);

/* Removes from the lists the pairs of element i that never touch. */
static void lists_remove_untouchable(world *w, uint32_t i);

/* The entry of an element in a list; NULL: none. */
static neighbour *list_seek(const list *l, uint32_t element);

/* The same in a list that contains it. */
static neighbour *list_find(list *l, uint32_t element);

#endif
