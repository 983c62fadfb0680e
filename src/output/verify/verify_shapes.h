#ifndef CAROM_OUTPUT_VERIFY_VERIFY_SHAPES_H
#define CAROM_OUTPUT_VERIFY_VERIFY_SHAPES_H

#include <stddef.h>

#include "frame/frame.h"

/* Overlap of two bodies of a frame, at least one of which is not a sphere; negative: separated. */
double verify_shapes_depth(const carom_frame *f, size_t i, size_t j);

/* Half the extent of a body along axis k of the box. */
double verify_shapes_reach(const carom_frame *f, size_t i, size_t k);

/* The radius of a ball inside a body. */
double verify_shapes_within(const carom_frame *f, size_t i);

#endif
