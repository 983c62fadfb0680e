/* Relative motion of LANES pairs of elements at a time, at the times of their contacts' layers. The results have the bits of
 * `closest`, `contact_velocity` and `contact_mass`, which treat all other pairs, and are the reference. */
#ifndef CAROM_VARIATIONAL_ELEMENT_LANES_H
#define CAROM_VARIATIONAL_ELEMENT_LANES_H

#include "variational/kernel/world.h"

#include "base/lanes.h"

/* Of the closest points of a contact. One row of lanes_store. */
typedef struct element_motion {
    double apart[4]; /* and 0 */
    double velocity[3];
    double mass;
} element_motion;

/* Of the contacts of the next LANES touches, or of all `count` if these are fewer. Sets their shares. Returns false, and does
 * nothing, for pairs that it does not treat. */
static bool move_elements(world *w, const touch *at, uint32_t count, double t, element_motion out[LANES]);

#endif
