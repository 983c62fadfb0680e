/* Are the clusters of a frame what they should be? */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_CLUSTERS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_CLUSTERS_H

#include "frame/frame.h"

/* Told about each particle that breaks a rule: its index, and what is wrong. */
typedef void cluster_fault(size_t particle, const char *what, void *data);

/* The merges up to the frame's time make its clusters, each named after its smallest id; the particles of a cluster
 * move as a rigid body: their distances do not change, and where clusters turn, v_i - v_j = w x (r_i - r_j). Frames as
 * stored: ids are indices. */
carom_status verify_clusters(const carom_frame *f, const frame_merge *merges, uint64_t merge_count,
                             cluster_fault *fault, void *data, error *e);

#endif
