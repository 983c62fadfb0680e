/* The particles of a frame as bodies: a clump is one of them, with its mass, and the place and velocity of its centre of mass. */
#ifndef CAROM_MEASURE_BODIES_H
#define CAROM_MEASURE_BODIES_H

#include "frame/frame.h"

typedef struct bodies {
    carom_frame f; /* its arrays of position, velocity, mass and species are here */
    size_t room;
} bodies;

/* A frame with one point for each body, and only the columns FRAME_POSITION, FRAME_VELOCITY, FRAME_MASS and FRAME_SPECIES; without
 * clumps the given frame itself. Centres of clumps may be outside of a periodic box. Valid until the next call. */
carom_status bodies_of(bodies *b, const carom_frame *f, const carom_frame **out, error *e);
void bodies_free(bodies *b);

/* Whether two particles belong to the same clump. */
static inline bool body_has_both(const carom_frame *f, size_t i, size_t j)
{
    return f->clump != NULL && f->clump[i] >= 0 && f->clump[i] == f->clump[j];
}

/* Its centre of mass, which may be outside of a periodic box. It reads FRAME_POSITION. */
void bodies_centre(const carom_frame *f, const frame_solid *clump, double x[3]);

/* Energy of rotation of a clump, times 2^(2 scale): that of its points relative to its centre, and of own_inertia. It reads
 * FRAME_VELOCITY and frame_spin_columns. */
double bodies_spin_energy(const carom_frame *f, const frame_solid *clump);

#endif
