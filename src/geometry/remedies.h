/* Methods of event-driven codes before the stable rule (geometry/contact.h), for experiments that show the failure of
 * each: Bannerman, Strobl, Formella, Poeschel, Comput. Part. Mech. 1, 191 (2014), section 3, and the work cited there.
 * As there, f = a dt^2 + 2 b dt + c is the overlap function of a pair. */
#ifndef CAROM_GEOMETRY_REMEDIES_H
#define CAROM_GEOMETRY_REMEDIES_H

#include "base/real.h"

/* `naive`, `rewind`: the textbook quadratic formula. For a pair that overlaps and approaches the contact is at a dt <
 * 0. */
static inline real contact_naive(real a, real b, real c)
{
    real discriminant = b * b - a * c;
    if (a == 0) return b < 0 ? -c / (2 * b) : REAL_NEVER;
    if ((a > 0 && b >= 0) || discriminant < 0) return REAL_NEVER;
    return -(b + real_sqrt(discriminant)) / a;
}

/* Algorithm 1 without its second test: the root without cancellation, and also dt < 0 for a pair that overlaps and
 * approaches. */
static inline real contact_root(real a, real b, real c)
{
    real discriminant = b * b - a * c;
    if (b >= 0 || discriminant <= 0) return REAL_NEVER;
    return c / (-b + real_sqrt(discriminant));
}

/* `ignore_overlap`: pairs that overlap are skipped. */
static inline real contact_ignoring(real a, real b, real c)
{
    return c < 0 ? REAL_NEVER : contact_root(a, b, c);
}

/* `bias`: contact is at the larger distance s (1 + bias), or at s for a pair that is already closer than that: a
 * temporary change of the diameter. rr = r.r. */
static inline real contact_biased(real a, real b, real rr, real s, real bias)
{
    real wide = s * (1 + bias), c = rr - wide * wide;
    return contact_root(a, b, c > 0 ? c : rr - s * s);
}

#endif
