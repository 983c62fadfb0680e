/* The relative motion of the surfaces of two balls that rotate, or of one and another element, in their point of contact.
 *
 * The vector from j to i across a contact is divided between the sides in the ratio of the radii. The parts are the arms of
 * an impulse: their sum is the whole vector, so that the impulse and its torques conserve angular momentum exactly. Free rods
 * and meshes take up no torque; their arm is 0. */
#ifndef CAROM_VARIATIONAL_SURFACE_MOTION_H
#define CAROM_VARIATIONAL_SURFACE_MOTION_H

#include "variational/kernel/world.h"

/* Both sides of a contact at one time. */
typedef struct contact_sides {
    bool linked;       /* that of the contact */
    double share[2];   /* of i and j in the vector across the contact */
    double arm[3];     /* that vector, to i */
    double spin[2][3]; /* angular velocities of i and j */
} contact_sides;

/* place: from j, or from any point of a surface, to i. linked: as in the contact. */
HOT void sides_at(const world *w, const contact *c, const double normal[DIM], const double place[DIM], bool linked,
                  contact_sides *s);

/* The present angular velocities. */
HOT void sides_spins(const world *w, const contact *c, contact_sides *s);

/* The angular velocity of i with respect to j. */
HOT void relative_spin(const contact_sides *s, double rate[3]);

/* Adds the velocity of the surfaces by their rotation to that of i with respect to j. */
HOT void add_surface_velocity(const contact_sides *s, double v[DIM]);

/* The inverse of the reduced mass for an impulse at the surfaces along a unit vector, less that for the centres. */
static double surface_mobility(const world *w, const contact *c, const contact_sides *s, const double along[DIM],
                               double t);

/* The same of balls that are not rigid, across the arm. */
HOT double balls_mobility(const world *w, const contact *c, const contact_sides *s);

/* The rotations of both sides since the last tick, at which an impact begins (then they are 0). For linked contacts, which may
 * have a rigid body as a side, their difference is the first, by the mean of the rates after the last tick and before this one. */
HOT void turned_since(world *w, const contact *c, const contact_sides *s, double step, double t, double out[2][3]);

/* The distance by which the surfaces have slid since the last tick. The contact must not be linked. */
HOT void slid_since(world *w, const contact *c, const double place[DIM], const contact_sides *s,
                    const double since[2][3], double out[DIM]);

/* The stiffness of the spring along the surfaces. Rotation makes the reduced mass smaller than that along the normal: with the
 * same frequency the steps of the layers suffice. */
HOT double sliding_stiffness(const world *w, const contact *c);

/* An impact begins, at a tick. */
static void contact_spin_begin(world *w, const contact *c, const double place[DIM], const contact_sides *s, double t);

/* The torques of an impulse at the surfaces. on_i, on_j: those sides receive theirs now. */
HOT void turn_sides(world *w, const kick *q, bool on_i, bool on_j, double t);

#endif
