/* Blocks of points of a frame, for readers that need each point once. Large columns are filled a part at a time: no
 * memory for all of them is used. */
#ifndef CAROM_FRAME_BLOCKS_H
#define CAROM_FRAME_BLOCKS_H

#include "frame/frame.h"

typedef bool frame_block(void *context, const carom_frame *block);

/* Calls `use` for all points, in their order: with frames of consecutive points (first, count) that have these columns
 * (FRAME_). Their numbers of points, except the last, are multiples of `multiple`. The frame itself is the only block if
 * its columns are there, or cannot be filled in parts. Returns false after a call that has done so, which is the last. */
bool frame_each_block(const carom_frame *f, unsigned columns, size_t multiple, frame_block *use, void *context);

#endif
