#ifndef CAROM_OUTPUT_VERIFY_VERIFY_ELLIPSOIDS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_ELLIPSOIDS_H

#include <stddef.h>

/* How deep two ellipsoids of axes u and semi-axes (along, across, across), the second's centre at r from the
 * first's, reach into each other: not positive where they are apart, and never more than what would have to be moved
 * to part them. */
double verify_ellipsoids_depth(const double u[2][3], const double semi[2][3], const double r[3]);

/* Half the width of one along axis k. */
double verify_ellipsoids_reach(const double u[3], const double semi[3], const double n[3]);

#endif
