/* Decomposition of space into domains by recursive bisection. A domain is a region: an interval on each axis, without
 * limit at the outer faces of axes that are not periodic. */
#ifndef CAROM_PARALLEL_CUTS_H
#define CAROM_PARALLEL_CUTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { DOMAINS_MOST = 1 << 16 };

typedef struct cut {
    int axis;
    double at;
    int below, above; /* index of a cut, or of a domain as -1 - domain */
} cut;

typedef struct region {
    double low[3], high[3];
} region;

typedef struct cuts {
    int dimension, domains;
    double box[3];  /* length of periodic axes, 0 of others */
    cut *cut;       /* [domains - 1]; the first is the root */
    region *region; /* [domains] */
} cuts;

/* Bisects the box, along the longest side of each part, such that all domains have about the same number of points.
 * Reorders `points`. Periodic axes begin at 0. */
carom_status cuts_make(cuts *c, int dimension, const double box[3], int domains, size_t count, double (*points)[3],
                       error *e);
void cuts_free(cuts *c);

/* The domain that contains a point; coordinates on periodic axes are in [0, box). */
int cuts_domain(const cuts *c, const double r[3]);

/* Squared distance of a point from a region, or its nearest image. */
double cuts_distance_squared(const cuts *c, int domain, const double r[3]);

/* Whether a point of the region is at least `depth` away from all other domains. */
bool cuts_is_deep(const cuts *c, int domain, const double r[3], double depth);

/* Squared distance of two regions. */
double cuts_between_squared(const cuts *c, int domain, int other);

#endif
