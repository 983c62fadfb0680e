/* Rigid meshes that appear or vanish during the run (`meshes: appear, vanish`). The vertices of an absent mesh follow its drive;
 * its elements have no contacts. */
#ifndef CAROM_VARIATIONAL_PRESENCE_H
#define CAROM_VARIATIONAL_PRESENCE_H

#include "variational/kernel/features/conditions.h"
#include "variational/kernel/features/feature.h"

static const feature presence_feature;

struct presence {
    gate *gate; /* in the order of the meshes */
    uint32_t count;
    uint32_t *element;      /* of the mesh that changes */
    frame_moments *moments; /* [count], for frames */
};

/* The time of the next trial or check. */
static double presence_next(const world *w);
static carom_status presence_change(world *w, error *e);

#endif
