/* Rigid bodies: nodes at fixed distances. Between kicks the centre of a body follows the same path as a node, and
 * the body turns with a constant angular velocity. */
#ifndef CAROM_VARIATIONAL_BODIES_H
#define CAROM_VARIATIONAL_BODIES_H

#include "variational/kernel/features/feature.h"

static const feature bodies_feature;

/* Position, velocity and acceleration of a node of a body. */
static void body_place(const world *w, uint32_t i, double t, double x[DIM]);
static void body_velocity(const world *w, uint32_t i, double t, double v[DIM]);
static double body_acceleration(const world *w, uint32_t i); /* bound of its acceleration towards the centre */

/* Stores the attitudes of all bodies at time t, before a firing computes the places of their nodes. */
static void bodies_prepare(world *w, double t);

/* Inverse mass of a body for impulses along a unit vector at a position. */
static double body_mobility(const world *w, uint32_t body, const double place[DIM], const double along[DIM], double t);

/* An impulse at node i of a body, at time t. */
static void body_push(world *w, uint32_t i, const double impulse[DIM], double sign, double t);

/* An impulse of a torque on the body of node i. */
static void body_twist(world *w, uint32_t i, const double torque[3], double t);

/* The angular velocity of the body of node i, and the inverse of its moment of inertia about a unit vector. */
static void body_spin(const world *w, uint32_t i, double spin[3]);
static double body_yield(const world *w, uint32_t i, const double axis[3]);

/* Of a sphere of a clump: the body's yield (scene/state.h); of other elements negative. */
static double clump_yield(const world *w, uint32_t i);

/* From the centre of its clump to a sphere; false of other elements. */
static bool clump_arm(const world *w, uint32_t i, double t, double arm[3]);

/* Number of the clump of a sphere, in the order of the scene, also of an absent one; -1: in none. */
static int32_t clump_number(const world *w, uint32_t i);

/* Whether a ball belongs to a body, also an absent one; whether it is the first of its clump, or in none. */
static bool body_has(const world *w, uint32_t i);
static bool clump_begins(const world *w, uint32_t i);

/* Bodies that are clumps may be absent (features/reserve.h): at the origin, at rest, out of all loops over bodies. The kinds of
 * their nodes are not changed here.
 *
 * It is absent from now on, until a call of body_enter: its centre is then at `position`, and it moves as in the initial state. */
static void body_set_absent(world *w, uint32_t body, double t);
static void body_enter(world *w, uint32_t body, const double position[DIM], double t);
/* It takes no further part, but stays at its place, with its motion. */
static void body_withdraw(world *w, uint32_t body, double t);
static bool body_is_absent(const world *w, uint32_t body);
/* After the kinds of its nodes have been loaded. */
static void body_set_presence(world *w, uint32_t body);

/* The nodes of a body. */
static uint32_t body_size(const world *w, uint32_t body);
static uint32_t body_member(const world *w, uint32_t body, uint32_t n);

/* Of its motion, its rotation and its height, at the time of its last change. */
static double body_energy(const world *w, uint32_t body);

/* A step of gravity, if it acts in kicks. It acts on solids as a whole; their nodes receive none. */
static void bodies_fall(world *w, double step, double t);
static bool body_is_solid(const world *w, uint32_t i);

#endif
