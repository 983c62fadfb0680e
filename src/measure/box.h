/* The box of a frame. */
#ifndef CAROM_MEASURE_BOX_H
#define CAROM_MEASURE_BOX_H

#include "frame/frame.h"
#include "scene/scene.h"

static inline double box_volume(const carom_frame *f) /* area in 2D */
{
    double volume = 1.0;
    for (int a = 0; a < f->dimension; a++) volume *= f->box[a];
    return volume;
}

/* Whether some axis has that boundary. */
static inline bool box_has(const carom_frame *f, scene_boundary boundary)
{
    for (int a = 0; a < f->dimension; a++)
        if (f->boundary[a] == (int)boundary) return true;
    return false;
}

#endif
