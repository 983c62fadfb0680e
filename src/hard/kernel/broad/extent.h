/* Sizes of bodies, and the region that they occupy. */
#ifndef CAROM_HARD_KERNEL_EXTENT_H
#define CAROM_HARD_KERNEL_EXTENT_H

#include "hard/kernel/gas.h"

/* Largest contact distance, at the end of a growth; mean contact distance of equal bodies. */
static real largest_contact(const gas *g);
static real mean_contact(const gas *g);

/* Mean number of bodies in a cube of three largest contact distances. */
static double bodies_around(const gas *g);

/* Length of the box along an axis; in a compression, its smallest possible length, at packing fraction 1. */
static real least_size(const gas *g, int k);

/* Region of the bodies along an axis: the box or, if the axis is open, from the first body to the last. */
static void span_of(const gas *g, int k, real *low, real *length);

/* The part of an axis that the cells of a gas cover: this region; of a domain, only its own region and its halo. Bodies
 * beyond it - copies on wrong paths, and bodies on an open axis - belong to the outermost cells. */
typedef struct coverage {
    real low, length;
    real first; /* on a periodic axis, of the image of a position that belongs to the coverage: from here on */
    bool ring;  /* all of a periodic axis: the outermost cells are neighbours */
} coverage;
static coverage coverage_of(const gas *g, int k);

/* The coordinate, on axis k, of the image that belongs to the coverage. */
static inline real image_from(const gas *g, int k, real first, real x)
{
    return x - real_floor((x - first) * g->inverse_box[k]) * g->box[k];
}

#endif
