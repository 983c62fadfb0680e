/* Numbers of periodic boxes by which a body is displaced. They are exact up to 2^53, the precision of double; larger
 * values are set to this limit. */
#ifndef CAROM_FRAME_IMAGE_H
#define CAROM_FRAME_IMAGE_H

#include <stdint.h>

#define IMAGE_MOST (INT64_C(1) << 53)

static inline int64_t image_within(int64_t image)
{
    return image > IMAGE_MOST ? IMAGE_MOST : image < -IMAGE_MOST ? -IMAGE_MOST : image;
}

/* An integer number of boxes, of any size, as a count. */
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
