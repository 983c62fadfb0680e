/* Clusters far from all others: they leave the grid, and need not look around until they may have come near someone.
 *
 * A cluster's particles lie within its box around the anchor, widened by its skin. As long as the widened boxes of two
 * clusters are a contact distance apart, the clusters cannot touch. Worth the while once there are few clusters. */
#ifndef CAROM_AGGREGATION_EVENTS_ISOLATED_H
#define CAROM_AGGREGATION_EVENTS_ISOLATED_H

#include "aggregation/kernel/events/state.h"

static carom_status isolated_create(cluster_state *s, error *e);
static void isolated_destroy(cluster_state *s);

/* To be called when all clusters have their anchors, when one has got another, and after a merge: cluster `gone` is no
 * more, `stays` has its particles. */
static void isolated_begin(cluster_state *s);
static void isolated_moved(cluster_state *s, uint32_t root);
static void isolated_merged(cluster_state *s, uint32_t stays, uint32_t gone);

/* For checkpoints; alone_restore is instead of alone_begin. */
static carom_status isolated_save(const cluster_state *s, snapshot *out, error *e);
static carom_status isolated_restore(cluster_state *s, const snapshot *in, error *e);

/* How far a cluster may stray from its anchor without coming near another, if all do the same; 0 where it is not
 * alone. */
static double isolated_skin(const cluster_state *s, uint32_t root);

/* One of the clusters that are alone but too near a cluster in the grid; NOBODY: none (left). */
static uint32_t isolated_too_near(const cluster_state *s, uint32_t root);

#endif
