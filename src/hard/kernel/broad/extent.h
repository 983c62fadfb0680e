/* Sizes of bodies, and the region that they occupy. */
#ifndef CAROM_HARD_KERNEL_EXTENT_H
#define CAROM_HARD_KERNEL_EXTENT_H

#include "hard/kernel/gas.h"

/* Largest contact distance, at the end of a growth; mean contact distance of equal bodies. */
static real largest_contact(const gas *g);
static real mean_contact(const gas *g);

/* Length of the box along an axis; in a compression, its smallest possible length, at packing fraction 1. */
static real least_size(const gas *g, int k);

/* Region of the bodies along an axis: the box or, if the axis is open, from the first body to the last. */
static void span_of(const gas *g, int k, real *low, real *length);

#endif
