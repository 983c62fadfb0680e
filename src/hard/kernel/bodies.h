/* The arrays with an element for each body. */
#ifndef CAROM_HARD_KERNEL_BODIES_H
#define CAROM_HARD_KERNEL_BODIES_H

#include "hard/kernel/gas.h"

/* Allocates the arrays that are missing, features included, for gas.count bodies; plans only if they are wanted. Returns
 * false without memory. */
static bool bodies_allocate(gas *g, bool plans);

/* Frees the plans; frees all of them. */
static void bodies_release_plans(gas *g);
static void bodies_release(gas *g);

#endif
