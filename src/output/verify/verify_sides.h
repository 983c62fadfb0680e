/* On which side of closed meshes particles are, frame after frame: what has passed through since the one before is
 * found however its path went. The number of times that a mesh winds around a place is the sum of the solid angles of
 * its triangles (van Oosterom and Strackee, IEEE Trans. Biomed. Eng. 30, 125 (1983)) over 4 pi. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_SIDES_H
#define CAROM_OUTPUT_VERIFY_VERIFY_SIDES_H

#include "frame/frame.h"
#include "output/results/links.h"

typedef struct sides sides;
typedef void side_changed(size_t particle, size_t mesh, bool inside, void *data);

/* `f`: any frame of the run. */
carom_status sides_open(sides **out, const carom_frame *f, const result_links *links, error *e);
void sides_close(sides *s);

/* Tells of those that are not where they were in the frame before; nothing of the first frame. */
void sides_look(sides *s, const carom_frame *f, side_changed *changed, void *data);

#endif
