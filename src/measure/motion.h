/* Moments of the velocities of a frame. */
#ifndef CAROM_MEASURE_MOTION_H
#define CAROM_MEASURE_MOTION_H

#include "frame/frame.h"

/* In the scaled units of the frame, velocity * 2^scale. */
typedef struct motion {
    double mass;         /* of all particles */
    double velocity[3];  /* of the centre of mass */
    double stress[3][3]; /* sum of m c_a c_b, c the velocity relative to the centre of mass */
    double temperature;  /* granular: trace of stress / (D (N - 1)); 0 for fewer than two particles */
} motion;

/* Compensated sums in index order. D (N - 1) is the number of degrees of freedom without the centre of mass, so that
 * the temperature of thermal particles is unbiased with and without conserved momentum. */
motion motion_of(const carom_frame *f);

/* While particles enter and leave, a frame with fewer than two particles or clumps has no temperature. */
static inline bool motion_is_thermal(const carom_frame *f, size_t number)
{
    return f->present == NULL || number > 1;
}

/* Temperature of one species, relative to the centre of mass of all particles: sum m (v - V)^2 / (D (N_s - M_s / M)), N_s
 * and M_s the number and mass of the species, M the mass of all. Unbiased for thermal particles, as the number of degrees
 * of freedom is that of the species without its part of the centre of mass. NAN without particles of the species. */
double motion_temperature_of(const carom_frame *f, const motion *all, uint32_t species);

/* Velocity along x of the flow at particle i in a sheared box; else 0. Moments are relative to it. */
double motion_flow(const carom_frame *f, size_t i);

/* A quantity of `power` velocities in true units: x * 2^(-power * scale); 0 or infinity beyond the range of double. */
double motion_unscaled(const carom_frame *f, double x, int power);

/* log10 of the same, without these limits; x > 0 (-infinity for 0). */
double motion_log10(const carom_frame *f, double x, int power);

#endif
