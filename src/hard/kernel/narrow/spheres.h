/* Contact time of two spheres. */
#ifndef CAROM_HARD_KERNEL_SPHERES_H
#define CAROM_HARD_KERNEL_SPHERES_H

#include "hard/kernel/gas.h"

/* As detect_pair, for spheres without potentials. */
static real detect_spheres(const gas *g, uint32_t i, uint32_t j, real now);

#endif
