/* Velocities that are given to clusters from outside, by their particles. */
#ifndef CAROM_AGGREGATION_VELOCITIES_H
#define CAROM_AGGREGATION_VELOCITIES_H

#include "base/error.h"

/* Checks that all named particles of a cluster have the same velocity. cluster_of: [count], that of each named particle;
 * ids: [count]; given[cluster]: 0 before, then 1 + index of the first particle that is named. */
static carom_status velocities_of_clusters(size_t count, const uint32_t *cluster_of, const uint32_t *ids,
                                           const double *velocities, size_t *given, error *e)
{
    for (size_t n = 0; n < count; n++) {
        if (given[cluster_of[n]] == 0) given[cluster_of[n]] = n + 1;
        const size_t first = given[cluster_of[n]] - 1;
        for (size_t k = 0; k < CAROM_DIM; k++)
            if (velocities[first * CAROM_DIM + k] != velocities[n * CAROM_DIM + k])
                return error_set(e, CAROM_USAGE,
                                 "error: particles %u and %u are in one cluster, which has one velocity: give both "
                                 "the same",
                                 ids[first], ids[n]);
    }
    return CAROM_OK;
}

#endif
