/* Balls: disks in the plane. */
#ifndef CAROM_GEOMETRY_BALL_H
#define CAROM_GEOMETRY_BALL_H

/* How much of space a ball takes; 0.52 or 0.79 for a diameter of 1. */
static inline double ball_volume(int dimension, double diameter)
{
    const double pi = 3.141592653589793;
    return dimension == 2 ? pi / 4 * diameter * diameter : pi / 6 * diameter * diameter * diameter;
}

#endif
