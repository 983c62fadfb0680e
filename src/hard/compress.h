/* Compression to a given packing fraction (Lubachevsky and Stillinger, J. Stat. Phys. 60, 561 (1990)): spheres grow
 * during elastic collisions. */
#ifndef CAROM_HARD_COMPRESS_H
#define CAROM_HARD_COMPRESS_H

#include "scene/state.h"

/* Receives the present fraction of the final diameters. Returns false to stop (CAROM_EARLY). */
typedef bool compress_watch(double factor, void *user);

/* Grows the spheres of a state with compress_to > 0 to their final diameters. Positions change; velocities are not
 * drawn here. CAROM_BAD_DATA if the spheres jam before. */
carom_status hard_compress(initial_state *state, const scene *s, compress_watch *watch, void *user, error *e);

#endif
