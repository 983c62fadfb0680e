/* What happens when a clock fires. */
#ifndef CAROM_VARIATIONAL_FIRE_H
#define CAROM_VARIATIONAL_FIRE_H

#include "variational/kernel/contacts.h"

/* All potentials of a clock act on the same positions, those of time t, and on the velocities before any of them; then the
 * kicks are given, in a fixed order. */
carom_status fire(world *w, uint32_t clock, double t, error *e);

/* The kicks of a clock of springs, or of gravity. */
void fire_material(world *w, uint32_t clock, double t);

typedef enum pressed { PRESSED_IDLE, PRESSED_FAR, PRESSED_ACTS } pressed;

/* One layer of one pair: whether it acts, and the kick. FAR: it does not and might sleep. */
pressed press_pair(world *w, const clock *c, touch *p, double t, kick *out);
pressed press_surface(world *w, const clock *c, touch *p, double t, kick *out);

/* What these do: a layer that does not act, and the impulse of one that does, were it elastic. */
pressed press_idle(world *w, const clock *c, touch *p, const double place[DIM], double distance);
double layer_impulse(world *w, const clock *c, touch *p, double gap);

/* Adds a kick to those of this moment; false where there is no memory. */
bool add_kick(world *w, const kick *new);

/* Gives the kicks of this moment, and lets go of them. */
void apply_kicks(world *w, double t);

/* A contact that is not elastic and smooth answers the impulse of one of its layers: the normal impulse that it gives. `place`:
 * from j to i. See restitution.c. */
double respond(world *w, uint32_t index, const double normal[DIM], const double place[DIM], double gap, double impulse,
               double t);

/* Its first layer does not act any more. */
pressed respond_parted(world *w, uint32_t index, const double place[DIM]);

/* Friction of the contacts that have responded to a layer's clock: more kicks, where it is the first layer's. See friction.c. */
void rub(world *w, const clock *c, double t);

/* When all these kicks have been given: what contacts have to remember, and what has become of the energy. */
void settle_responses(world *w, const clock *c, double t);

/* The same of friction; and what is left of it where a pair has parted. */
void settle_friction(world *w, const response *r, double t);
void part(world *w, response *r, double t);

#endif
