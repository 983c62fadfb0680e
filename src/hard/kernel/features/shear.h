/* Lees-Edwards boundaries: the images along y move along x. */
#ifndef CAROM_HARD_KERNEL_SHEAR_H
#define CAROM_HARD_KERNEL_SHEAR_H

#include "hard/kernel/gas.h"

typedef struct shear {
    real offset, slide; /* displacement of the images at local time 0, modulo the box; velocity of the images */
    real *list_time;    /* local time at which each body's list was built */
    real grid_time;     /* local time to which the positions in the grid of list origins refer */
} shear;

/* Reduces a difference of positions at local time t, and of velocities, to the image that is nearest after `ahead`. */
static void shear_nearest(const gas *g, real t, real ahead, real r[DIM], real v[DIM]);

/* Moves a position at local time t into the box, changes the velocity accordingly, and counts the images. */
static void shear_wrap(const gas *g, real t, real r[DIM], real v[DIM], int64_t image[DIM]);

/* As `fly`. */
static void shear_fly(gas *g, uint32_t i, real t);

/* List origins move with the flow; the grid contains their positions at shear.grid_time. Sets the list origin of i to
 * its present position; converts a list origin from now to that time; converts it back; strain since that time. */
static void shear_list_origin(gas *g, uint32_t i, real list_origin[DIM]);
static void shear_to_grid_time(const gas *g, real list_origin[DIM]);
static void shear_to_now(const gas *g, real list_origin[DIM]);
static real shear_strain(const gas *g);

/* Position d of i at its stored time relative to its list origin, for the image that is nearest now; makes v relative to
 * the velocity of the list origin. */
static void shear_from_origin(const gas *g, uint32_t i, const real list_origin[DIM], real d[DIM], real v[DIM]);

/* Local time at which list origins within `reach` of that of i have moved relative to it by `skin`. */
static real shear_due(const gas *g, uint32_t i, real skin, real reach);

/* A list origin relative to the image of the box above (above = 1) or below (-1). */
static void shear_displaced(const gas *g, const real list_origin[DIM], real above, real displaced[DIM]);

/* Change of the kinetic energy of i by a change of its velocity along x. */
static double shear_gain(const gas *g, uint32_t i, real before, real after);

/* Tallies the work of an impulse on i, whose velocity was `before`, in a contact with an image of its partner; `lead`:
 * velocity of the image minus that of the partner. */
static void shear_work(gas *g, uint32_t i, real before, real lead);

#endif
