#ifndef CAROM_OUTPUT_VERIFY_VERIFY_ELLIPSOIDS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_ELLIPSOIDS_H

#include <stddef.h>

/* Overlap of two ellipsoids with axes u and semi-axes (along, across, across), at relative position r: not positive
 * without overlap, and at most the displacement that separates them. */
double verify_ellipsoids_depth(const double u[2][3], const double semi[2][3], const double r[3]);

/* Half the extent of an ellipsoid along axis k. */
double verify_ellipsoids_reach(const double u[3], const double semi[3], const double n[3]);

#endif
