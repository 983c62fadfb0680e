/* The box of a frame. */
#ifndef CAROM_MEASURE_BOX_H
#define CAROM_MEASURE_BOX_H

#include <float.h>
#include <math.h>

#include "frame/frame.h"
#include "scene/scene.h"

static inline double box_volume(const carom_frame *f) /* area in 2D */
{
    double volume = 1.0;
    for (int a = 0; a < f->dimension; a++) volume *= f->box[a];
    return volume;
}

/* x / by, for a volume or an area `by`; NAN if the quotient is out of range. */
static inline double box_ratio(double x, double by)
{
    const double ratio = x / by;
    const bool lost = !isfinite(by) || isinf(ratio) || (fabs(x) >= DBL_MIN && fabs(ratio) < DBL_MIN);
    return lost ? NAN : ratio;
}

/* Whether an axis has that boundary. */
static inline bool box_has(const carom_frame *f, scene_boundary boundary)
{
    for (int a = 0; a < f->dimension; a++)
        if (f->boundary[a] == (int)boundary) return true;
    return false;
}

#endif
