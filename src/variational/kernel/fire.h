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

/* Adds a kick to those of this moment; false where there is no memory. */
bool add_kick(world *w, const kick *new);

/* Gives the kicks of this moment, and lets go of them. */
void apply_kicks(world *w, double t);

/* The impulse of a contact that loses energy, from that of its layer; v: normal velocity before, positive where the pair
 * separates. See restitution.c. */
double temper(world *w, contact *c, double gap, double impulse, double v);

#endif
