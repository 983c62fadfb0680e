/* A feature of time stepping: what it adds to the operations that no step needs. NULL: nothing. The table is in
 * features.c. */
#ifndef CAROM_AGGREGATION_STEPS_FEATURE_H
#define CAROM_AGGREGATION_STEPS_FEATURE_H

#include "aggregation/kernel/steps/steps.h"

enum { FEATURE_PARTS = 8 }; /* at most, of one feature */

typedef struct steps_feature {
    const char *name;
    bool (*enabled)(const steps *s);    /* NULL: always */
    size_t (*memory)(size_t particles); /* bytes, about */
    carom_status (*create)(steps *s, error *e);
    void (*destroy)(steps *s); /* also of what `create` has left unfinished */

    /* Checkpoints. `parts`: lists the arrays and numbers that are saved as they are, and returns their number. `save`:
     * saves the rest. `check`: whether the parts that were loaded can be used; called after the parts of all features
     * have been loaded. `load`: restores or derives what is not among the parts. */
    int (*parts)(steps *s, snapshot_part parts[FEATURE_PARTS]);
    carom_status (*save)(const steps *s, snapshot *out, error *e);
    carom_status (*check)(const steps *s, error *e);
    carom_status (*load)(steps *s, const snapshot *in, error *e);

    void (*fill_frame)(const steps *s, carom_frame *f);
} steps_feature;

/* The next feature that the state has, in the order in which features are created; NULL at the end. *n counts from 0. */
static const steps_feature *feature_next(const steps *s, size_t *n);

#endif
