/* Steps of a stepped potential, by the stable rule (geometry/contact.h): the next crossing of one of two concentric
 * spheres around one particle by the other particle. Inwards f = r.r - inner^2, outwards f = outer^2 - r.r. The set of
 * crossed spheres is part of the state. It does not follow from the distance, which equals that of a step up to
 * rounding. */
#ifndef CAROM_GEOMETRY_STEP_H
#define CAROM_GEOMETRY_STEP_H

#include <stdbool.h>

#include "geometry/contact.h"

/* Time until a pair that finally separates leaves the outer sphere: f = c - 2 b dt - a dt^2 with a = v.v, b = v.r, c =
 * outer^2 - r.r; discriminant = b^2 + a c = a outer^2 - |r x v|^2. If it is outside by rounding, and does not enter the
 * sphere, it leaves at the closest approach. */
static inline real step_leaving(real a, real b, real c, real discriminant)
{
    if (a == 0) return REAL_NEVER;
    real root = discriminant > 0 ? real_sqrt(discriminant) : 0;
    if (b < 0) return (root - b) / a;
    return c > 0 ? c / (b + root) : 0;
}

/* Time until the pair crosses a sphere, and the index of this sphere; rr = r.r, moment = |r x v|^2, the spheres given
 * by their squares. */
static inline real step_next(real a, real b, real rr, real moment, real inner, real outer, bool *outward)
{
    real inwards = contact_meeting(b, rr - inner, a * inner - moment);
    *outward = !(inwards < REAL_NEVER);
    return *outward ? step_leaving(a, b, outer - rr, a * outer - moment) : inwards;
}

/* The effect of a step on the pair: energy `rise` (inwards or outwards, by the direction of motion), reduced mass m,
 * with q = b^2 - 2 rise rr / m. Impulse = *impulse times r; false if the energy is insufficient and the pair is
 * reflected. This form has no cancellation. */
static inline bool step_cross(real b, real rr, real m, real rise, real *impulse)
{
    real q = b * b - 2 * rise * rr / m;
    bool crosses = q > 0 || rise <= 0;
    real speed = real_fabs(b) + real_sqrt(q > 0 ? q : 0);
    real change = speed > 0 ? 2 * rise / speed : 0;
    *impulse = !crosses ? -2 * b * m / rr : b < 0 ? change : -change;
    return crosses;
}

#endif
