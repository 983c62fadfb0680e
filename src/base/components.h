/* The components of a vector in one register: two numbers in kernels with CAROM_DIM 2; four with CAROM_DIM 3, of which
 * the last is arbitrary. Each component has the bits of the same operations on single numbers. */
#ifndef CAROM_BASE_COMPONENTS_H
#define CAROM_BASE_COMPONENTS_H

#include <string.h>

enum { COMPONENTS = CAROM_DIM == 2 ? 2 : 4 };

typedef double components __attribute__((vector_size(8 * COMPONENTS)));

/* In memory, aligned as numbers are. */
typedef double loose_components __attribute__((vector_size(8 * COMPONENTS), aligned(8), may_alias));

/* Of a member of a struct; in 3D a further number must follow. */
static inline components components_at(const double *first)
{
    return *(const loose_components *)first;
}

static inline components components_of(double x)
{
    return x - (components){0};
}

static inline void components_put(components a, double out[CAROM_DIM])
{
    memcpy(out, &a, CAROM_DIM * sizeof *out);
}

/* From the first component to the last, as `dot`. */
static inline double components_dot(components a, components b)
{
    const components product = a * b;
    double sum = product[0];
    for (int k = 1; k < CAROM_DIM; k++) sum += product[k];
    return sum;
}

/* base/nearest.h, for each component. */
static inline components components_whole(components x)
{
    const double rounder = 0x1.8p52;
    return (x + rounder) - rounder;
}

#endif
