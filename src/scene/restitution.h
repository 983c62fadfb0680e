/* The coefficient of normal restitution as a function of the impact speed. */
#ifndef CAROM_SCENE_RESTITUTION_H
#define CAROM_SCENE_RESTITUTION_H

#include "scene/scene.h"

/* e(g) for impact speed g >= 0 (units of the scene): constant; a table with linear interpolation, constant outside; or
 * viscoelastic spheres, for which value is the A of e = 1 - C1 A g^(1/5) + C2 A^2 g^(2/5) + ..., as a Pade approximant
 * that is valid at all speeds. */
double restitution(const restitution_law *law, double speed);

#endif
