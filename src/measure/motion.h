/* Moments of the velocities of a frame. */
#ifndef CAROM_MEASURE_MOTION_H
#define CAROM_MEASURE_MOTION_H

#include "frame/frame.h"

/* In the frame's scaled units, velocity * 2^scale. */
typedef struct motion {
    double mass;         /* of all particles */
    double velocity[3];  /* of the centre of mass */
    double stress[3][3]; /* sum of m c_a c_b, c the velocity relative to the centre of mass */
    double temperature;  /* granular: trace of stress / (D (N - 1)); 0 for fewer than two particles */
} motion;

/* Sums in index order, compensated. D (N - 1) counts the freedoms that are left without the centre of mass, so that
 * the temperature of thermal particles is unbiased, whether their momentum is conserved or not. */
motion motion_of(const carom_frame *f);

/* Velocity along x of the flow where particle i is, in a box that is sheared; else 0. Moments are relative to it. */
double motion_flow(const carom_frame *f, size_t i);

/* A quantity of `power` velocities in true units: x * 2^(-power * scale); 0 or infinity beyond a double's range. */
double motion_unscaled(const carom_frame *f, double x, int power);

/* log10 of the same, which has no such bounds; x > 0 (-infinity for 0). */
double motion_log10(const carom_frame *f, double x, int power);

#endif
