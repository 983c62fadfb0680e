/* Firing of clocks. */
#ifndef CAROM_VARIATIONAL_FIRE_H
#define CAROM_VARIATIONAL_FIRE_H

#include "variational/kernel/response/contacts.h"

/* All potentials of a clock act on the same positions, those of time t, and on the velocities before any of them; then
 * the kicks are given, in a fixed order. */
static carom_status fire(world *w, uint32_t clock, double t, error *e);

/* The kicks of a clock of a feature. */
static void fire_material(world *w, uint32_t clock, double t);

/* What a clock's feature books, now that the kicks have been given. */
static void book_material(world *w, const clock *c, double t);

#endif
