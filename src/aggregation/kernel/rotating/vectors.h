/* Vectors and rotations in 2D and 3D. */
#ifndef CAROM_AGGREGATION_ROTATING_VECTORS_H
#define CAROM_AGGREGATION_ROTATING_VECTORS_H

#include "aggregation/kernel/events/state.h"
#include "base/vec.h"

#if CAROM_ROTATING

enum { TURN = DIM == 2 ? 1 : 3, ATTITUDE = DIM == 2 ? 2 : 4, MOMENTS = DIM == 2 ? 1 : 6 };

/* x = e y */
static inline void to_space(const double e[DIM][DIM], const double y[DIM], double x[DIM])
{
    for (int k = 0; k < DIM; k++) {
        x[k] = 0;
        for (int n = 0; n < DIM; n++) x[k] += e[k][n] * y[n];
    }
}

/* y = e^T x */
static inline void to_body(const double e[DIM][DIM], const double x[DIM], double y[DIM])
{
    for (int k = 0; k < DIM; k++) {
        y[k] = 0;
        for (int n = 0; n < DIM; n++) y[k] += e[n][k] * x[n];
    }
}

/* a x b, for two vectors in 2D or 3D */
static inline void moment(const double a[DIM], const double b[DIM], double m[TURN])
{
#if CAROM_DIM == 2
    m[0] = a[0] * b[1] - a[1] * b[0];
#else
    cross3(a, b, m);
#endif
}

/* w x r */
static inline void turning(const double w[TURN], const double r[DIM], double u[DIM])
{
#if CAROM_DIM == 2
    u[0] = -w[0] * r[1];
    u[1] = w[0] * r[0];
#else
    moment(w, r, u);
#endif
}

static inline double length_of(const double *x, int n)
{
    double square = 0;
    for (int k = 0; k < n; k++) square += x[k] * x[k];
    return sqrt(square);
}

/* Product of a symmetric matrix and a vector. */
static inline void moments_by(const double m[MOMENTS], const double x[TURN], double y[TURN])
{
#if CAROM_DIM == 2
    y[0] = m[0] * x[0];
#else
    y[0] = m[0] * x[0] + m[5] * x[1] + m[4] * x[2];
    y[1] = m[5] * x[0] + m[1] * x[1] + m[3] * x[2];
    y[2] = m[4] * x[0] + m[3] * x[1] + m[2] * x[2];
#endif
}

#endif
#endif
