/* The part of space in which a domain has bodies. */
#ifndef CAROM_HARD_KERNEL_REACH_H
#define CAROM_HARD_KERNEL_REACH_H

#include "hard/kernel/gas.h"

/* The interval of axis k that contains the region of the domain and its halo at the start of an epoch; beyond the box on
 * periodic axes, without limit at outer faces. */
static void domain_reach(const struct domain *d, int k, double *low, double *high);

#endif
