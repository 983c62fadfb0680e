/* Frames without the particles that are absent (FRAME_PRESENT). */
#ifndef CAROM_FRAME_COMPACT_H
#define CAROM_FRAME_COMPACT_H

#include "frame/frame.h"

/* Sets `out` to the points of a frame that are there, in their order, with their ids; its arrays are those of `room`, which is
 * created on first use (zeroed before) and destroyed by the caller. */
carom_status frame_compact(const carom_frame *f, carom_frame *room, carom_frame *out, error *e);

#endif
