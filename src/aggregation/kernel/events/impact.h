/* Impacts: code common to clusters with and without rotation. */
#ifndef CAROM_AGGREGATION_EVENTS_IMPACT_H
#define CAROM_AGGREGATION_EVENTS_IMPACT_H

#include "aggregation/kernel/events/state.h"

typedef struct impact {
    double normal[DIM]; /* from j to i */
    double speed;       /* closing speed along the normal */
    const restitution_law *law;
} impact;

static impact impact_of(const cluster_state *s, uint32_t i, uint32_t j);

/* Applies the impulse of a bounce with restitution e to the clusters of i and j. Returns their effective mass along the
 * normal. */
static double bounce_impulse(cluster_state *s, uint32_t i, uint32_t j, const impact *m, double e);

#endif
