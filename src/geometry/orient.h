/* Orientation tests. The signs of determinants of coordinates are exact if no product of three coordinates overflows or
 * loses bits to underflow. */
#ifndef CAROM_GEOMETRY_ORIENT_H
#define CAROM_GEOMETRY_ORIENT_H

/* 1, 0 or -1: d lies above, in or below the plane through a, b, c, which run counterclockwise seen from above. */
int orient_3d(const double a[3], const double b[3], const double c[3], const double d[3]);

/* 1, 0 or -1: a, b, c run counterclockwise, on a line or clockwise, in the plane of the axes x and y (0 to 2). */
int orient_2d(const double a[3], const double b[3], const double c[3], int x, int y);

#endif
