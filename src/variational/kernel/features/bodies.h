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

/* Inverse mass of a body for impulses along a unit vector at a position. */
static double body_mobility(const world *w, uint32_t body, const double place[DIM], const double along[DIM], double t);

/* An impulse at node i of a body, at time t. */
static void body_push(world *w, uint32_t i, const double impulse[DIM], double sign, double t);

/* A step of gravity, if it acts in kicks. It acts on solids as a whole; their nodes receive none. */
static void bodies_fall(world *w, double step, double t);
static bool body_is_solid(const world *w, uint32_t i);

#endif
