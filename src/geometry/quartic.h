/* The contact of two spheres whose accelerations differ, as of a sleeping and a falling one: their overlap function
 * |r + v t + a t^2/2|^2 - s^2 is a polynomial of degree four. */
#ifndef CAROM_GEOMETRY_QUARTIC_H
#define CAROM_GEOMETRY_QUARTIC_H

/* The smallest t >= 0 where f(t) = c[0] + c[1] t + ... + c[4] t^4 overlaps and still closes, f <= 0 and f' < 0: the
 * event of Bannerman et al., Comput. Part. Mech. 1, 191 (2014). 0 where that is so from the start; where f <= 0 and
 * f' turns negative only later, the turning point; INFINITY for never. A minimum that only touches zero is no event.
 *
 * There is no tolerance: the answer is the first double where the sign computed in double precision is right, between
 * neighbouring extrema that are found in the same way, for coefficients of any finite size and zero leading ones. */
double quartic_contact(const double c[5]);

#endif
