/* Recording of events: merges, bounces, walls. The impulse on particle i acts on its cluster as a whole. */
#ifndef CAROM_AGGREGATION_EVENTS_RECORD_H
#define CAROM_AGGREGATION_EVENTS_RECORD_H

#include "aggregation/kernel/events/impact.h"

/* The two clusters of a merge before it. */
typedef struct merge_before {
    uint32_t i, j;      /* particles in contact, the one with the smaller number first */
    double normal[DIM]; /* from j to i */
    double v[DIM];      /* velocity of the cluster of i */
    double mass;        /* and its mass */
} merge_before;

/* m: their impact, with the normal from j to i. */
static merge_before record_before_merge(const cluster_state *s, uint32_t i, uint32_t j, const impact *m);

/* After it, with the velocity of the centre of mass of the part that was the cluster of i. */
static void record_merged(cluster_state *s, const merge_before *before, const double v[DIM]);

static void record_bounce(cluster_state *s, uint32_t i, uint32_t j, const impact *m, double impulse);

/* Of the cluster that contains particle `id` of the scene, at a wall across an axis. */
static void record_wall(cluster_state *s, uint32_t id, int axis, double impulse);

static carom_status state_record(void *self, event_log *log, error *e);

#endif
