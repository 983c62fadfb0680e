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

/* What follows particles or compares images has no means for a box that is sheared. */
static inline carom_status box_refuse_shear(const carom_frame *f, const char *what, error *e)
{
    if (f->shear == 0) return CAROM_OK;
    return error_set(e, CAROM_BAD_DATA, "error: %s is not made for a box that is sheared; leave it out", what);
}

#endif
