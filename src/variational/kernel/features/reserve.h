/* Particles that enter and leave during the run (`place: {inflow: ...}`, `outflow`). Those that are not in the system at present
 * are absent nodes: at the origin, at rest, without neighbours. A clump is absent with all its spheres. */
#ifndef CAROM_VARIATIONAL_RESERVE_H
#define CAROM_VARIATIONAL_RESERVE_H

#include "variational/kernel/features/feature.h"

static const feature reserve_feature;

/* The motion with which particles enter; that of clumps is kept with the bodies. */
struct reserve {
    double (*velocity)[DIM]; /* [count] */
    double (*spin)[3];       /* [count]; NULL: particles do not rotate */
    double *inverse_mass;    /* [count] world.inverse_mass of those that are present */
};

static carom_status world_enter(void *self, double time, uint32_t particle, const double position[3], bool *entered,
                                double *energy, error *e);
static carom_status world_leave(void *self, double time, size_t count, const uint32_t *particles, double *energy,
                                error *e);

#endif
