/* Decomposition of space into domains by recursive bisection. A domain is a region: an interval on each axis, without
 * limit at the outer faces of axes that are not periodic. */
#ifndef CAROM_PARALLEL_CUTS_H
#define CAROM_PARALLEL_CUTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Cuts that are being made: a table of counts for those of one level of the tree. */
typedef struct cutting cutting;

/* The bodies that are divided. */
typedef struct cuts_bodies {
    double low[3], high[3]; /* extent, along axes that are not periodic */
    void *context;
    carom_status (*count)(void *context, const cutting *k, uint64_t *table,
                          error *e); /* counts all bodies; the table is 0 before */
} cuts_bodies;

/* Of the table; a sum of tables is that of all bodies that were counted. */
size_t cutting_numbers(const cutting *k);

/* Counts a body; coordinates on periodic axes are in [0, box). */
void cutting_count(const cutting *k, uint64_t *table, const double r[3], uint64_t weight);

/* Bisects the box, along the longest side of each part, such that all domains have about the same weight. before: cuts
 * whose axes are kept, unless others are much longer; or NULL. *c is overwritten. */
carom_status cuts_make(cuts *c, int dimension, const double box[3], int domains, const cuts *before,
                       const cuts_bodies *bodies, error *e);
void cuts_free(cuts *c);

/* The domain that contains a point; coordinates on periodic axes are in [0, box). */
int cuts_domain(const cuts *c, const double r[3]);

/* Squared distance of a point from a region, or its nearest image. */
double cuts_distance_squared(const cuts *c, int domain, const double r[3]);

/* A distance of a point of the region from all other domains, at most the least. */
double cuts_depth(const cuts *c, int domain, const double r[3]);

/* Squared distance of a region from that of a domain, or its nearest image. */
double cuts_between_squared(const cuts *c, const region *from, int domain);

#endif
