/* Counts of periodic boxes that a body has travelled. They are exact up to 2^53, where double precision ends; beyond it
 * they stay there. */
#ifndef CAROM_FRAME_IMAGE_H
#define CAROM_FRAME_IMAGE_H

#include <stdint.h>

#define IMAGE_MOST (INT64_C(1) << 53)

static inline int64_t image_within(int64_t image)
{
    return image > IMAGE_MOST ? IMAGE_MOST : image < -IMAGE_MOST ? -IMAGE_MOST : image;
}

/* A whole number of boxes, of any size, as a count. */
static inline int64_t image_of(double boxes)
{
    const double most = (double)IMAGE_MOST;
    return boxes < most ? boxes > -most ? (int64_t)boxes : -IMAGE_MOST : IMAGE_MOST;
}

static inline int64_t image_moved(int64_t image, double boxes)
{
    return image_within(image_within(image) + image_of(boxes));
}

#endif
