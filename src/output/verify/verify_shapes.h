#ifndef CAROM_OUTPUT_VERIFY_VERIFY_SHAPES_H
#define CAROM_OUTPUT_VERIFY_VERIFY_SHAPES_H

#include <stddef.h>

#include "frame/frame.h"

/* How deep two bodies of a frame, of which one is no sphere, reach into each other; negative: they are apart. */
double verify_shapes_depth(const carom_frame *f, size_t i, size_t j);

/* How far a body reaches from its centre along axis k of the box. */
double verify_shapes_reach(const carom_frame *f, size_t i, size_t k);

/* The radius of a ball within a body. */
double verify_shapes_within(const carom_frame *f, size_t i);

#endif
