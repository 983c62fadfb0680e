/* Steps of a pair's energy, by the stable rule (geometry/contact.h): which of two concentric spheres around one
 * particle does the other cross next? Inwards f = r.r - inner^2, outwards f = outer^2 - r.r. Which spheres have been
 * crossed is part of the state, and does not follow from the distance, which equals that of a step up to rounding. */
#ifndef CAROM_GEOMETRY_STEP_H
#define CAROM_GEOMETRY_STEP_H

#include <stdbool.h>

#include "geometry/contact.h"

/* Time until a pair that moves apart, in the end, leaves the outer sphere: f = c - 2 b dt - a dt^2 with a = v.v,
 * b = v.r, c = outer^2 - r.r; discriminant = b^2 + a c = a outer^2 - |r x v|^2. Where it is outside by rounding, and
 * never comes in, it leaves when it is closest. */
static inline real step_leaving(real a, real b, real c, real discriminant)
{
    if (a == 0) return REAL_NEVER;
    real root = discriminant > 0 ? real_sqrt(discriminant) : 0;
    if (b < 0) return (root - b) / a;
    return c > 0 ? c / (b + root) : 0;
}

/* Time until the pair crosses a sphere, and which; rr = r.r, moment = |r x v|^2, the spheres given by their squares. */
static inline real step_next(real a, real b, real rr, real moment, real inner, real outer, bool *outward)
{
    real inwards = contact_meeting(b, rr - inner, a * inner - moment);
    *outward = !(inwards < REAL_NEVER);
    return *outward ? step_leaving(a, b, outer - rr, a * outer - moment) : inwards;
}

/* What a step does to the pair: energy `rise` (inwards or outwards, as it moves), reduced mass m, with q = b^2 -
 * 2 rise rr / m. Impulse = *impulse times r; false where the energy does not suffice and it turns round. In this form
 * nothing cancels. */
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
