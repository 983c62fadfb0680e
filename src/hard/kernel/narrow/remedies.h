/* What stands in for the rule where hard.detection says so. */
#ifndef CAROM_HARD_KERNEL_REMEDIES_H
#define CAROM_HARD_KERNEL_REMEDIES_H

#include "hard/kernel/gas.h"

/* As detect_pair, for a pair that is at r, v, contact distance s, at local time t. */
static real remedy_pair(const gas *g, uint32_t i, uint32_t j, real t, const real r[DIM], const real v[DIM], real s);

/* Local time of the next contact of i with a surface at `distance`, approached at -speed and -pull. */
static real remedy_surface(const gas *g, uint32_t i, const surface *s, real pull, real speed, real distance);

#endif
