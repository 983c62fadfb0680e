/* Motion of drives. A NULL drive does not move. */
#ifndef CAROM_VARIATIONAL_MOTIONS_H
#define CAROM_VARIATIONAL_MOTIONS_H

#include "scene/scene.h"

/* A relative motion from `from` to `to` with constant velocity. moved: displacement at its beginning. */
typedef struct motion_part {
    double from, to, moved[3], velocity[3];
} motion_part;

bool drive_moves(const scene_drive *d);

/* The part of the motion of a relative to b that begins at `from`; false: the run ends there. */
bool motion_piece(double end, const scene_drive *a, const scene_drive *b, double from, motion_part *p);

#endif
