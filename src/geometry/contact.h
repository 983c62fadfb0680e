/* The stable event-detection rule (Bannerman, Strobl, Formella, Poeschel, Comput. Part. Mech. 1, 191 (2014)): with an
 * overlap function f, negative while two bodies overlap, the next event is at the smallest dt >= 0 with f(dt) <= 0 and
 * f'(dt) < 0. There are no tolerances: the same code is valid in every precision (base/real.h). */
#ifndef CAROM_GEOMETRY_CONTACT_H
#define CAROM_GEOMETRY_CONTACT_H

#include "base/real.h"

/* Algorithm 1, spheres under equal acceleration: f = a dt^2 + 2 b dt + c with a = v.v, b = v.r, c = r.r - s^2. Returns
 * dt, REAL_NEVER if there is no contact; 0 is a stabilising collision. The discriminant b^2 - a c loses all its digits
 * by cancellation at r = 1e8 s. It equals a s^2 - |r x v|^2 (Lagrange), which loses eight of them. */
static inline real contact_meeting(real b, real c, real discriminant)
{
    if (b >= 0) return REAL_NEVER;
    if (c <= 0) return 0;
    if (discriminant <= 0) return REAL_NEVER;
    return c / (-b + real_sqrt(discriminant));
}

static inline real contact_spheres(real a, real b, real c)
{
    return contact_meeting(b, c, b * b - a * c);
}

/* The rule for f = a dt^2 + 2 b dt + c with a of any sign: growing spheres (a = v.v - s'^2), and a sphere above a plane
 * in a uniform field (Algorithm 2: f = 2 x, that is a = n.g, b = v, c = 2 x). If f is concave and not positive at its
 * maximum, the event is at the maximum. */
static inline real contact_on_parabola(real a, real b, real c, real discriminant)
{
    if (c <= 0 && b < 0) return 0;
    if (a == 0) return b < 0 ? -c / (2 * b) : REAL_NEVER;
    if (a > 0) {
        if (b >= 0 || discriminant <= 0) return REAL_NEVER;
        return c / (-b + real_sqrt(discriminant));
    }
    if (discriminant < 0) return -b / a;
    real root = real_sqrt(discriminant);
    if (b > 0) return -(b + root) / a;
    return root - b > 0 ? c / (root - b) : 0;
}

static inline real contact_parabola(real a, real b, real c)
{
    return contact_on_parabola(a, b, c, b * b - a * c);
}

/* About the time in which a body covers a way at this speed and acceleration: within a factor of 2. 0: it does not move. */
static inline real time_of_way(real way, real speed, real pull)
{
    const real moving = speed > 0 ? way / speed : REAL_NEVER, falling = pull > 0 ? real_sqrt(way / pull) : REAL_NEVER;
    const real time = moving < falling ? moving : falling;
    return time < REAL_NEVER ? time : 0;
}

#endif
