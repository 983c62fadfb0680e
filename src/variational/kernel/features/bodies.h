/* Rigid bodies: nodes that keep their distances. Between kicks a body's centre flies as a node does, and the body turns
 * with a constant angular velocity. */
#ifndef CAROM_VARIATIONAL_BODIES_H
#define CAROM_VARIATIONAL_BODIES_H

#include "variational/kernel/world.h"

carom_status bodies_create(world *w, const initial_state *state, error *e);
void bodies_destroy(world *w);

/* Of a node of a body. */
void body_place(const world *w, uint32_t i, double t, double x[DIM]);
void body_velocity(const world *w, uint32_t i, double t, double v[DIM]);
double body_bend(const world *w, uint32_t i); /* bound of its acceleration towards the centre */

/* Inverse mass of a body, for impulses along a unit vector at a place. */
double body_mobility(const world *w, uint32_t body, const double place[DIM], const double along[DIM], double t);

/* An impulse at node i of a body, at time t. */
void body_push(world *w, uint32_t i, const double impulse[DIM], double sign, double t);

/* A step of gravity where it acts in kicks: of solids as a whole; their nodes get none. */
void bodies_fall(world *w, double step, double t);
bool body_is_solid(const world *w, uint32_t i);

/* The clock of bodies that do not turn alike about all axes: their angular velocity follows their attitude. */
void bodies_fire(world *w, double step, double t);

/* What a checkpoint holds of them, and what is hashed. */
void bodies_state(const world *w, void **data, size_t *bytes);

#define bodies_are_sound HERE(bodies_are_sound)

/* Whether a state that has been loaded is one of these bodies, which were as in `before`. */
bool bodies_are_sound(const world *w, const void *before);

#endif
