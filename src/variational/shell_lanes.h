/* The forces of shell_math.h for LANES elements at once, with the same bits: the same operations in the same order. */
#ifndef CAROM_VARIATIONAL_SHELL_LANES_H
#define CAROM_VARIATIONAL_SHELL_LANES_H

#include "base/lanes.h"
#include "variational/shell_math.h"

#include <stddef.h>

#define SHELL_INLINE static inline __attribute__((always_inline))

/* Elements as rows of eight numbers: places of their members. The first are indices. */
enum { ELEMENT_ROW = 8 };
enum { TRIANGLE_INVERSE = 2, TRIANGLE_STIFF = 5, TRIANGLE_VISCOUS = 6, TRIANGLE_POISSON = 7 };
enum { HINGE_STIFF = 2, HINGE_VISCOUS = 3 };

_Static_assert(sizeof(shell_triangle) == 8 * ELEMENT_ROW && sizeof(shell_hinge) == 8 * ELEMENT_ROW, "row");
_Static_assert(offsetof(shell_triangle, inverse) == 8 * TRIANGLE_INVERSE, "row");
_Static_assert(offsetof(shell_triangle, poisson) == 8 * TRIANGLE_POISSON, "row");
_Static_assert(offsetof(shell_hinge, stiff) == 8 * HINGE_STIFF, "row");
_Static_assert(offsetof(shell_hinge, viscous) == 8 * HINGE_VISCOUS, "row");

/* ---- triangles: `row` has their numbers, x the corners ----------------------------------------------------------------- */

SHELL_INLINE void triangle_lanes_frame(const lanes *row, lanes x[3][ELEMENT_ROW], lanes frame[2][3])
{
    const lanes *inverse = row + TRIANGLE_INVERSE;
    for (int k = 0; k < 3; k++) {
        frame[0][k] = inverse[0] * (x[1][k] - x[0][k]);
        frame[1][k] = inverse[1] * (x[1][k] - x[0][k]) + inverse[2] * (x[2][k] - x[0][k]);
    }
}

SHELL_INLINE void triangle_lanes_pull(const lanes *row, lanes frame[2][3], const lanes strain[3], lanes modulus,
                                      lanes force[3][3])
{
    const lanes *inverse = row + TRIANGLE_INVERSE, poisson = row[TRIANGLE_POISSON];
    const lanes s11 = modulus * (strain[0] + poisson * strain[1]);
    const lanes s22 = modulus * (strain[1] + poisson * strain[0]);
    const lanes s12 = modulus * (1 - poisson) * strain[2];
    for (int k = 0; k < 3; k++) {
        const lanes along = frame[0][k] * s11 + frame[1][k] * s12, across = frame[0][k] * s12 + frame[1][k] * s22;
        force[1][k] = -(inverse[0] * along + inverse[1] * across);
        force[2][k] = -inverse[2] * across;
        force[0][k] = -(force[1][k] + force[2][k]);
    }
}

SHELL_INLINE void triangle_lanes_force(const lanes *row, lanes x[3][ELEMENT_ROW], lanes force[3][3])
{
    lanes frame[2][3];
    triangle_lanes_frame(row, x, frame);
    const lanes strain[3] = {0.5 * (lanes_dot(frame[0], frame[0]) - 1), 0.5 * (lanes_dot(frame[1], frame[1]) - 1),
                             0.5 * lanes_dot(frame[0], frame[1])};
    triangle_lanes_pull(row, frame, strain, row[TRIANGLE_STIFF], force);
}

SHELL_INLINE void triangle_lanes_drag(const lanes *row, lanes x[3][ELEMENT_ROW], lanes v[3][ELEMENT_ROW],
                                      lanes force[3][3])
{
    lanes frame[2][3], change[2][3];
    triangle_lanes_frame(row, x, frame);
    triangle_lanes_frame(row, v, change);
    const lanes rate[3] = {lanes_dot(frame[0], change[0]), lanes_dot(frame[1], change[1]),
                           0.5 * (lanes_dot(frame[0], change[1]) + lanes_dot(frame[1], change[0]))};
    triangle_lanes_pull(row, frame, rate, row[TRIANGLE_VISCOUS], force);
}

/* ---- hinges: x has the corners ----------------------------------------------------------------------------------------- */

/* The gradients of the angles, and sines and cosines times the same number. Returns one bit for each hinge with an angle; the
 * gradients of others, next to a triangle without area, are 0. */
SHELL_INLINE unsigned hinge_lanes_look(lanes x[4][ELEMENT_ROW], lanes gradient[4][3], lanes *sine, lanes *cosine)
{
    lanes edge[3], ac[3], bd[3], back[3], n[3], m[3], cross[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = x[1][k] - x[0][k];
        ac[k] = x[2][k] - x[0][k];
        bd[k] = x[3][k] - x[1][k];
        back[k] = -edge[k];
    }
    lanes_cross(edge, ac, n);
    lanes_cross(back, bd, m);
    lanes_cross(n, m, cross);
    const lanes nn = lanes_dot(n, n), mm = lanes_dot(m, m), square = lanes_dot(edge, edge), length = lanes_sqrt(square);
    const lanes c_foot = lanes_dot(ac, edge) / square, d_foot = 1 + lanes_dot(bd, edge) / square;
    const lanes by_n = length / nn, by_m = length / mm;
    *sine = lanes_dot(cross, edge);
    *cosine = lanes_dot(n, m) * length;
    for (int k = 0; k < 3; k++) {
        const lanes u = by_n * n[k], v = by_m * m[k];
        gradient[0][k] = (1 - c_foot) * u + (1 - d_foot) * v;
        gradient[1][k] = c_foot * u + d_foot * v;
        gradient[2][k] = -u;
        gradient[3][k] = -v;
    }
    const lanes zero = lanes_of(0), least = lanes_sooner(nn, mm);
    const unsigned sound = lanes_less(zero, least);
    for (int k = 0; sound != (1U << LANES) - 1 && k < 12; k++)
        gradient[k / 3][k % 3] = lanes_pick(zero, least, gradient[k / 3][k % 3], zero);
    return sound;
}

/* The rates of the angles at velocities v of the corners. */
SHELL_INLINE lanes hinge_lanes_rate(lanes gradient[4][3], lanes v[4][ELEMENT_ROW])
{
    lanes rate = lanes_of(0);
    for (int q = 0; q < 4; q++) rate += lanes_dot(gradient[q], v[q]);
    return rate;
}

#endif
