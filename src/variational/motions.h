/* How drives move. NULL: nothing does. */
#ifndef CAROM_VARIATIONAL_MOTIONS_H
#define CAROM_VARIATIONAL_MOTIONS_H

#include "scene/scene.h"

/* From `from` to `to` with one velocity, `moved` at its beginning. */
typedef struct motion_part {
    double from, to, moved[3], velocity[3];
} motion_part;

bool drive_moves(const scene_drive *d);

/* The part of the motion of a with respect to b that begins at `from`; false where the run ends there. */
bool motion_piece(double end, const scene_drive *a, const scene_drive *b, double from, motion_part *p);

#endif
