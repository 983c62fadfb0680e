/* Impacts: what is common to clusters that turn and clusters that do not. */
#ifndef CAROM_AGGREGATION_EVENTS_IMPACT_H
#define CAROM_AGGREGATION_EVENTS_IMPACT_H

#include "aggregation/kernel/events/state.h"

typedef struct impact {
    double normal[DIM]; /* from j to i */
    double speed;       /* of approach, along it */
    const restitution_law *law;
} impact;

/* Pushes the clusters of i and j apart with restitution e. Gives their effective mass, along the normal. */
static double bounce_impulse(cluster_state *s, uint32_t i, uint32_t j, const impact *m, double e);

#endif
