/* The relative motion of the two sides of a contact, and its reduced mass. */
#ifndef CAROM_VARIATIONAL_CONTACT_MOTION_H
#define CAROM_VARIATIONAL_CONTACT_MOTION_H

#include "variational/kernel/world.h"

/* Velocity of i with respect to j at the closest points. */
static void contact_velocity(const world *w, const contact *c, double t, double v[DIM]);

/* Reduced mass of a contact along a unit vector. */
static double contact_mass(const world *w, const contact *c, const double along[DIM], double t);

#endif
