/* Side of closed meshes on which particles are in each frame: finds passages between frames for any path. The
 * winding number of a mesh about a position is the sum of the solid angles of its triangles (van Oosterom and
 * Strackee, IEEE Trans. Biomed. Eng. 30, 125 (1983)) over 4 pi. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_SIDES_H
#define CAROM_OUTPUT_VERIFY_VERIFY_SIDES_H

#include "frame/frame.h"
#include "output/results/links.h"

typedef struct sides sides;
typedef void side_changed(size_t particle, size_t mesh, bool inside, void *data);

/* `f`: any frame of the run. */
carom_status sides_open(sides **out, const carom_frame *f, const result_links *links, error *e);
void sides_close(sides *s);

/* Reports particles that have changed sides since the previous frame. */
void sides_check(sides *s, const carom_frame *f, side_changed *changed, void *data);

#endif
