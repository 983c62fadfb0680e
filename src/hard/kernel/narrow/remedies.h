/* Alternatives to the stable rule (scene key hard.detection). */
#ifndef CAROM_HARD_KERNEL_REMEDIES_H
#define CAROM_HARD_KERNEL_REMEDIES_H

#include "hard/kernel/gas.h"

/* As detect_pair, for a pair at r, v with contact distance s at local time t. */
static real remedy_pair(const gas *g, uint32_t i, uint32_t j, real t, const real r[DIM], const real v[DIM], real s);

/* Local time of the next contact of i with a surface at `distance`, with normal velocity `speed` and acceleration
 * `pull`. */
static real remedy_surface(const gas *g, uint32_t i, const surface *s, real pull, real speed, real distance);

#endif
