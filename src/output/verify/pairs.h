/* All overlapping pairs of spheres of a frame, by a cell grid that shares no code with the engines. */
#ifndef CAROM_OUTPUT_VERIFY_PAIRS_H
#define CAROM_OUTPUT_VERIFY_PAIRS_H

#include "frame/frame.h"

/* Called for each pair i < j (positions in the frame, not ids) with distance < sum of radii - tolerance. */
typedef void pair_found(size_t i, size_t j, double distance, void *data);

/* Positions must be finite. CAROM_INTERNAL: no memory. */
carom_status pairs_overlapping(const carom_frame *f, double tolerance, pair_found *found, void *data, error *e);

#endif
