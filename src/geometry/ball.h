/* Balls; disks in 2D. */
#ifndef CAROM_GEOMETRY_BALL_H
#define CAROM_GEOMETRY_BALL_H

#include "base/pi.h"

/* Volume of a ball; 0.52 or 0.79 for a diameter of 1. */
static inline double ball_volume(int dimension, double diameter)
{
    return dimension == 2 ? PI / 4 * diameter * diameter : PI / 6 * diameter * diameter * diameter;
}

#endif
