/* The contact of two spheres with different accelerations, such as a sleeping and a falling one: their overlap function
 * |r + v t + a t^2/2|^2 - s^2 is a polynomial of degree four. */
#ifndef CAROM_GEOMETRY_QUARTIC_H
#define CAROM_GEOMETRY_QUARTIC_H

/* The smallest t >= 0 with f(t) = c[0] + c[1] t + ... + c[4] t^4 <= 0 and f'(t) < 0: the event of Bannerman et al.,
 * Comput. Part. Mech. 1, 191 (2014). It is 0 if that holds at the start; the turning point if f <= 0 and f' becomes
 * negative later; INFINITY for never. A minimum at exactly zero is no event.
 *
 * There is no tolerance: the result is the first double at which the sign computed in double precision is right,
 * between neighbouring extrema that are found in the same way, for coefficients of any finite size, including zero
 * leading ones. */
double quartic_contact(const double c[5]);

#endif
