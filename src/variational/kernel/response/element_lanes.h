/* Closest points of LANES pairs of elements at a time, and their relative motion. The results have the bits of `closest`,
 * `contact_velocity` and `contact_mass`, which treat all other pairs, and are the reference. */
#ifndef CAROM_VARIATIONAL_ELEMENT_LANES_H
#define CAROM_VARIATIONAL_ELEMENT_LANES_H

#include "variational/kernel/world.h"

#include "base/lanes.h"

/* One row of lanes_store. */
typedef struct element_motion {
    double apart[4]; /* from j to i, and 0 */
    double velocity[3];
    double mass; /* reduced, along any direction */
} element_motion;

/* Of the contacts of the next LANES touches, or of all `count` if these are fewer: two rods each, or a node and a face each.
 * Sets their shares. Returns false, and sets nothing, for any others, for ends that are not free, and in periodic boxes. */
static bool elements_motion(world *w, const touch *at, uint32_t count, double t, element_motion out[LANES]);

#endif
