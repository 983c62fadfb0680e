/* Boxes whose images along y slide along x (Lees and Edwards). */
#ifndef CAROM_HARD_KERNEL_SHEAR_H
#define CAROM_HARD_KERNEL_SHEAR_H

#include "hard/kernel/gas.h"

typedef struct shear {
    real offset, slide; /* image offset at local time 0, less whole boxes, and image velocity */
    real *list_time;    /* local time when each body's list was built */
    real grid_time;     /* local time at which the grid of list references stood upright */
} shear;

/* Takes a difference of positions at local time t, and of velocities, to the image that is nearest after `ahead`. */
static void shear_nearest(const gas *g, real t, real ahead, real r[DIM], real v[DIM]);

/* Takes something at local time t back into the box, and counts the images. */
static void shear_wrap(const gas *g, real t, real r[DIM], real v[DIM], int64_t image[DIM]);

/* As `fly`. */
static void shear_fly(gas *g, uint32_t i, real t);

/* List origins of lists go with the flow; they are kept where they were at `upright`. Makes where i is now its list origin; from now
 * back to then, and forth; how far what was upright leans. */
static void shear_list_origin(gas *g, uint32_t i, real list_origin[DIM]);
static void shear_to_grid_time(const gas *g, real list_origin[DIM]);
static void shear_to_now(const gas *g, real list_origin[DIM]);
static real shear_strain(const gas *g);

/* Makes the position d of i that from its list origin, v that relative to it; local time when list origins within reach of each other
 * have slid by `skin`. */
static real shear_due(const gas *g, uint32_t i, const real list_origin[DIM], real skin, real reach, real d[DIM],
                      real v[DIM]);

/* Where a list origin lies as the box `above` (1, or -1: below) sees it. */
static void shear_displaced(const gas *g, const real list_origin[DIM], real above, real displaced[DIM]);

/* What a change of the velocity along x does to the energy of i. */
static double shear_gain(const gas *g, uint32_t i, real before, real after);

/* The work of an impulse on i, faster `before` it, on a body whose image moves `lead` slower than itself. */
static void shear_work(gas *g, uint32_t i, real before, real lead);

#endif
