/* Isolated clusters, far from all others: they are not in the grid, and need no check until another cluster may be
 * near.
 *
 * The particles of a cluster are inside its bounding box at the list origin, widened by its skin. While the widened
 * boxes of two clusters are a contact distance apart, the clusters cannot touch. This saves time once the number of
 * clusters is small. */
#ifndef CAROM_AGGREGATION_EVENTS_ISOLATED_H
#define CAROM_AGGREGATION_EVENTS_ISOLATED_H

#include "aggregation/kernel/events/state.h"

static carom_status isolated_create(cluster_state *s, error *e);
static void isolated_destroy(cluster_state *s);

/* Functions to call when all clusters have their list origins; when one list origin has changed; and after a merge, in
 * which cluster `stays` absorbs cluster `gone`. */
static void isolated_begin(cluster_state *s);
static void isolated_moved(cluster_state *s, uint32_t root);
static void isolated_merged(cluster_state *s, uint32_t stays, uint32_t gone);

/* For checkpoints; isolated_restore replaces isolated_begin. */
static carom_status isolated_save(const cluster_state *s, snapshot *out, error *e);
static carom_status isolated_restore(cluster_state *s, const snapshot *in, error *e);

/* The skin by which a cluster can move from its list origin without a contact, if all other clusters move by the same
 * skin; 0: not isolated. */
static double isolated_skin(const cluster_state *s, uint32_t root);

/* One of the isolated clusters that are too near a cluster in the grid; NONE if there is none. */
static uint32_t isolated_too_near(const cluster_state *s, uint32_t root);

#endif
