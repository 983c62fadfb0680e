/* How large the bodies are, and where. */
#ifndef CAROM_HARD_KERNEL_EXTENT_H
#define CAROM_HARD_KERNEL_EXTENT_H

#include "hard/kernel/gas.h"

/* The largest contact distance there is or, while spheres grow, will be; and the mean one of equals. */
static real largest_contact(const gas *g);
static real mean_contact(const gas *g);

/* How long the box is along an axis; in a compression, how short it may become: full of spheres. */
static real least_size(const gas *g, int k);

/* Where the bodies are along an axis: the box or, if the axis is open, from the first body to the last. */
static void span_of(const gas *g, int k, real *low, real *length);

#endif
