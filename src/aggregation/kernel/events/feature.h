/* A feature of the state: what it adds to the operations that no event needs. NULL: nothing. The table is in features.c. */
#ifndef CAROM_AGGREGATION_EVENTS_FEATURE_H
#define CAROM_AGGREGATION_EVENTS_FEATURE_H

#include "aggregation/kernel/events/state.h"

enum { FEATURE_PARTS = 8 }; /* at most, of one feature */

typedef struct state_feature {
    const char *name;
    bool (*enabled)(const cluster_state *s); /* NULL: always */
    size_t (*memory)(size_t particles);      /* bytes, about */
    carom_status (*create)(cluster_state *s, error *e);
    void (*destroy)(cluster_state *s); /* also of what `create` has left unfinished */

    /* Checkpoints. `parts`: lists the arrays and numbers that are saved as they are, and returns their number. `save`:
     * saves the rest. `check`: whether the parts that were loaded can be used; called after the parts of all features
     * have been loaded. `load`: restores or derives what is not among the parts. */
    int (*parts)(cluster_state *s, snapshot_part parts[FEATURE_PARTS]);
    carom_status (*save)(const cluster_state *s, snapshot *out, error *e);
    carom_status (*check)(const cluster_state *s, error *e);
    carom_status (*load)(cluster_state *s, const snapshot *in, error *e);

    uint64_t (*hash_cluster)(const cluster_state *s, uint32_t root, uint64_t hash);
    void (*fill_particle)(const cluster_state *s, uint32_t i, double t, carom_frame *f);
    void (*fill_frame)(const cluster_state *s, carom_frame *f);
} state_feature;

/* The next feature that the state has, in the order in which features are created; NULL at the end. *n counts from 0. */
static const state_feature *feature_next(const cluster_state *s, size_t *n);

#endif
