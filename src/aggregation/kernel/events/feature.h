/* A feature of the state: its part of the operations outside the event loop. A NULL operation does nothing. The table
 * is in features.c. */
#ifndef CAROM_AGGREGATION_EVENTS_FEATURE_H
#define CAROM_AGGREGATION_EVENTS_FEATURE_H

#include "aggregation/kernel/events/state.h"

enum { FEATURE_PARTS = 8 }; /* maximum for one feature */

typedef struct state_feature {
    const char *name;
    bool (*enabled)(const cluster_state *s); /* NULL: always */
    size_t (*memory)(size_t particles);      /* bytes, approximately */
    carom_status (*create)(cluster_state *s, error *e);
    void (*destroy)(cluster_state *s); /* also after a `create` that has failed */

    /* Checkpoints. `parts` lists the arrays and numbers that are saved unchanged, and returns their number. `save`
     * saves the rest. `check` returns whether the loaded parts are valid; it runs after the parts of all features have
     * been loaded. `load` restores or derives the data outside the parts. */
    int (*parts)(cluster_state *s, snapshot_part parts[FEATURE_PARTS]);
    carom_status (*save)(const cluster_state *s, snapshot *out, error *e);
    carom_status (*check)(const cluster_state *s, error *e);
    carom_status (*load)(cluster_state *s, const snapshot *in, error *e);

    uint64_t (*hash_cluster)(const cluster_state *s, uint32_t root, uint64_t hash);
    void (*fill_spin)(const cluster_state *s, uint32_t i, double t, carom_frame *f); /* of particle i */
    void (*fill_frame)(const cluster_state *s, carom_frame *f);
} state_feature;

/* The next enabled feature, in the order of creation; NULL at the end. *n counts from 0. */
static const state_feature *feature_next(const cluster_state *s, size_t *n);

#endif
