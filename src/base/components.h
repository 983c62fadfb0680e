/* The components of a vector in one register: two numbers in kernels with CAROM_DIM 2; four with CAROM_DIM 3, of which
 * the last is arbitrary. Each component has the bits of the same operations on single numbers. */
#ifndef CAROM_BASE_COMPONENTS_H
#define CAROM_BASE_COMPONENTS_H

enum { COMPONENTS = CAROM_DIM == 2 ? 2 : 4 };

typedef double components __attribute__((vector_size(8 * COMPONENTS)));

/* In memory, aligned as numbers are. */
typedef double loose_components __attribute__((vector_size(8 * COMPONENTS), aligned(8), may_alias));
typedef double loose_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Of a member of a struct; in 3D a further number must follow. */
static inline components components_at(const double *first)
{
    return *(const loose_components *)first;
}

/* Of a vector without a further number: the last is 0. */
static inline components components_from(const double a[CAROM_DIM])
{
#if CAROM_DIM == 2
    return components_at(a);
#else
    const loose_pair plane = *(const loose_pair *)a;
    return (components){plane[0], plane[1], a[2], 0};
#endif
}

static inline components components_of(double x)
{
    return x - (components){0};
}

static inline void components_put(components a, double out[CAROM_DIM])
{
    *(loose_pair *)out = (loose_pair){a[0], a[1]};
    if (CAROM_DIM == 3) out[2] = a[CAROM_DIM - 1];
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
