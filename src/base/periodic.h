/* Coordinates in periodic boxes. */
#ifndef CAROM_BASE_PERIODIC_H
#define CAROM_BASE_PERIODIC_H

#include <math.h>

/* The image of x in [0, size). */
static inline double periodic_image(double x, double size)
{
    x -= floor(x / size) * size;
    return x < 0 || x >= size ? 0 : x; /* by rounding */
}

#endif
