/* Meshes that appear or vanish, and drives that start, between two stretches of the run. */
#ifndef CAROM_HARD_KERNEL_GATES_H
#define CAROM_HARD_KERNEL_GATES_H

#include "hard/kernel/gas.h"

/* True time of the next trial or check; INFINITY: none. */
static double gates_next(const gas *g);

/* The trial or check that is due: all events up to its time have taken place. */
static carom_status gates_change(gas *g, error *e);

#endif
