/* The relative motion of the two sides of a contact, and its reduced mass. */
#ifndef CAROM_VARIATIONAL_CONTACT_MOTION_H
#define CAROM_VARIATIONAL_CONTACT_MOTION_H

#include "variational/kernel/world.h"

/* Velocity of i with respect to j at the closest points. */
static void contact_velocity(const world *w, const contact *c, double t, double v[DIM]);
static components linked_velocity(const world *w, const contact *c, double t);

static inline components relative_velocity(const world *w, const contact *c, double t)
{
    if (!c->linked && c->j < NODES)
        return node_flight_velocity(w, &w->node[c->i], t) - node_flight_velocity(w, &w->node[c->j], t);
    return linked_velocity(w, c, t);
}

/* Reduced mass of a contact along a unit vector. */
static double contact_mass(const world *w, const contact *c, const double along[DIM], double t);

/* Whether it is the same along all directions. */
static inline bool mass_is_the_same(const world *w, const contact *c)
{
    return !c->linked || w->rigid.bodies == NULL;
}

#endif
