/* The relative motion of the surfaces of two balls that rotate, or of one and another element, in their point of contact.
 *
 * The vector from j to i across a contact is divided between the sides in the ratio of the radii. The parts are the arms of
 * an impulse: their sum is the whole vector, so that the impulse and its torques conserve angular momentum exactly. Free rods
 * and meshes take up no torque; their arm is 0. */
#ifndef CAROM_VARIATIONAL_SURFACE_MOTION_H
#define CAROM_VARIATIONAL_SURFACE_MOTION_H

#include "variational/kernel/world.h"

/* The shares of i and j in the vector between them. */
static void arm_shares(const world *w, uint32_t i, uint32_t j, double share[2]);

/* The vector across a contact, to i. place: from j, or from any point of a surface, to i. */
static void contact_arm(uint32_t j, const double normal[DIM], const double place[DIM], double arm[3]);

/* The angular velocity of i with respect to j. */
static void relative_spin(const world *w, const contact *c, double rate[3]);

/* Adds the velocity of the surfaces by their rotation to that of i with respect to j. */
static void add_surface_velocity(const world *w, const contact *c, const double arm[3], double v[DIM]);

/* The inverse of the reduced mass for an impulse at the surfaces along a unit vector, less that for the centres. */
static double surface_mobility(const world *w, const contact *c, const double arm[3], const double along[DIM],
                               double t);

/* The same of balls that are not rigid, across the arm. */
static double balls_mobility(const world *w, const contact *c, const double arm[3]);

/* The rotations of both sides since the last tick, at which an impact begins (then they are 0). For linked contacts, which may
 * have a rigid body as a side, their difference is the first, by the mean of the rates after the last tick and before this one. */
static void turned_since(world *w, const contact *c, double step, double t, double out[2][3]);

/* The distance by which the surfaces have slid since the last tick. The contact must not be linked. */
static void slid_since(world *w, const contact *c, const double place[DIM], const double arm[3],
                       const double since[2][3], double out[DIM]);

/* The stiffness of the spring along the surfaces. Rotation makes the reduced mass smaller than that along the normal: with the
 * same frequency the steps of the layers suffice. */
static double sliding_stiffness(const world *w, const contact *c);

/* An impact begins, at a tick. */
static void contact_spin_begin(world *w, const contact *c, const double place[DIM], double t);

/* The torques of an impulse at the surfaces. on_i, on_j: those sides receive theirs now. */
static void turn_sides(world *w, const kick *q, bool on_i, bool on_j, double t);

#endif
