/* Segments of a frame that are too close to particles or to each other. It shares no code with the engines. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_SEGMENTS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_SEGMENTS_H

#include "frame/frame.h"
#include "output/results/links.h"

/* Called for each segment a and particle or segment b with a distance below (1 - leeway) contact - tolerance. a and b
 * count segments from 0; particles follow. */
typedef void segment_found(size_t a, size_t b, double distance, double depth, void *data);

carom_status verify_segments(const carom_frame *f, const result_links *links, double tolerance, segment_found *found,
                             void *data, error *e);

#endif
