/* Firing of clocks. */
#ifndef CAROM_VARIATIONAL_FIRE_H
#define CAROM_VARIATIONAL_FIRE_H

#include "variational/kernel/response/contacts.h"

/* All potentials of a clock act on the same positions, those of time t, and on the velocities before any of them.
 * Then the kicks are applied in a fixed order. */
static carom_status fire(world *w, uint32_t clock, double t, error *e);

/* The kicks of a clock of a feature. */
static void fire_material(world *w, uint32_t clock, double t);

/* Updates the ledger of a clock's feature after its kicks. */
static void book_material(world *w, const clock *c, double t);

#endif
