/* Event detection: the next collision of two bodies, or of a body and a surface. */
#ifndef CAROM_HARD_KERNEL_DETECT_H
#define CAROM_HARD_KERNEL_DETECT_H

#include "hard/kernel/gas.h"

/* Local time of the next collision of i and j (REAL_NEVER: none), predicted at local time `now`. */
static real detect_pair(const gas *g, uint32_t i, uint32_t j, real now);

/* Local time of the next contact of i with a wall or plane. For a moving plane the search has a limited time. */
static real detect_surface(const gas *g, uint32_t i, uint32_t index);

/* Improves `best` by the next contact of i with a wall, plane or exact surface. */
static void detect_surfaces(const gas *g, uint32_t i, next_event *best);

#endif
