/* Compression to a wanted packing fraction (Lubachevsky and Stillinger, J. Stat. Phys. 60, 561 (1990)): spheres that
 * grow while they collide elastically. */
#ifndef CAROM_HARD_COMPRESS_H
#define CAROM_HARD_COMPRESS_H

#include "scene/state.h"

/* Tells how far it has come: the fraction of the diameters wanted. Returns false to give up (CAROM_EARLY). */
typedef bool compress_watch(double factor, void *user);

/* Grows the spheres of a state with compress_to > 0 until they have their diameters; positions change, velocities are
 * left to be drawn. CAROM_BAD_DATA where they jam before. */
carom_status hard_compress(initial_state *state, const scene *s, compress_watch *watch, void *user, error *e);

#endif
