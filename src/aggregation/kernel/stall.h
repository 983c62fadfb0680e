/* The end of a run without merges, with one definition for all methods. A run ends when the clusters have moved by
 * `patience` mean free paths since the last merge, at the root mean square of their speeds. It ends at once if all
 * clusters have the same velocity. */
#ifndef CAROM_AGGREGATION_STALL_H
#define CAROM_AGGREGATION_STALL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/pi.h"

/* Fraction of the mean square of the speeds: the square of the rounding of relative speeds, 1e-14 of a speed. Lower: a
 * run with clusters of the same velocity does not end; higher: a run ends although slow clusters would touch. */
static const double DRIFT_ROUNDING = 1e-28;

/* Mean squares of the speeds of clusters, weighted by mass; `relative`: along axes without walls, relative to the
 * centre of mass. */
typedef struct drift {
    double mass, momentum[CAROM_DIM];
    double square, relative;
} drift;

/* First pass over all clusters. */
static inline void drift_weigh(drift *d, double mass, const double momentum[CAROM_DIM])
{
    d->mass += mass;
    for (int k = 0; k < CAROM_DIM; k++) d->momentum[k] += momentum[k];
}

/* Second pass over all clusters. Periods are 0 on axes with walls. */
static inline void drift_measure(drift *d, double mass, const double velocity[CAROM_DIM],
                                 const double period[CAROM_DIM])
{
    for (int k = 0; k < CAROM_DIM; k++) {
        const double v = velocity[k], u = period[k] > 0 ? v - d->momentum[k] / d->mass : v;
        d->square += mass * v * v / d->mass;
        d->relative += mass * u * u / d->mass;
    }
}

/* Whether no two clusters can ever touch. */
static inline bool drift_is_idle(const drift *d)
{
    return d->relative <= DRIFT_ROUNDING * d->square;
}

/* Mean free path of clusters of the size of the smallest particle, at the present number; at least the size of the
 * box. */
static inline double stall_path(const double size[CAROM_DIM], double smallest_radius, uint64_t clusters)
{
    const double wide = 2 * smallest_radius;
    double volume = 1, longest = 0;
    for (int k = 0; k < CAROM_DIM; k++) {
        volume *= size[k];
        longest = fmax(longest, size[k]);
    }
    return fmax(longest, 2 * volume / ((double)clusters * (CAROM_DIM == 2 ? 2 * wide : PI * wide * wide)));
}

/* Waiting time after the last merge; 0: no merge is possible. */
static inline double stall_wait(const drift *d, double patience, double path)
{
    return drift_is_idle(d) ? 0 : patience * path / sqrt(d->relative);
}

#endif
