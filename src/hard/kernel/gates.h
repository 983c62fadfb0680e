/* Meshes that appear or vanish, between two stretches of the run. */
#ifndef CAROM_HARD_KERNEL_GATES_H
#define CAROM_HARD_KERNEL_GATES_H

#include "hard/kernel/gas.h"

/* The trial or check that is due (presence_next): all events up to its time have taken place. */
static carom_status gates_change(gas *g, error *e);

#endif
