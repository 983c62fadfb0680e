/* Checks of the clusters of a frame. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_CLUSTERS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_CLUSTERS_H

#include "frame/frame.h"

/* Called for each particle with a violation: its index and the description. */
typedef void cluster_fault(size_t particle, const char *what, void *data);

/* The merges up to the time of the frame give its clusters, each with the smallest id of its particles. The
 * particles of a cluster move as a rigid body: their distances are constant, and for rotating clusters v_i - v_j = w
 * x (r_i - r_j). Frames as stored: ids are indices. */
carom_status verify_clusters(const carom_frame *f, const frame_merge *merges, uint64_t merge_count,
                             cluster_fault *fault, void *data, error *e);

#endif
