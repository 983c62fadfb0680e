/* A feature of time stepping: its part of the operations outside the loop over steps. A NULL operation does nothing.
 * The table is in features.c. */
#ifndef CAROM_AGGREGATION_STEPS_FEATURE_H
#define CAROM_AGGREGATION_STEPS_FEATURE_H

#include "aggregation/kernel/steps/steps.h"

enum { FEATURE_PARTS = 8 }; /* maximum for one feature */

typedef struct steps_feature {
    const char *name;
    bool (*enabled)(const steps *s);    /* NULL: always */
    size_t (*memory)(size_t particles); /* bytes, approximately */
    carom_status (*create)(steps *s, error *e);
    void (*destroy)(steps *s); /* also after a `create` that has failed */

    /* Checkpoints. `parts` lists the arrays and numbers that are saved unchanged, and returns their number. `save`
     * saves the rest. `check` returns whether the loaded parts are valid; it runs after the parts of all features have
     * been loaded. `load` restores or derives the data outside the parts. */
    int (*parts)(steps *s, snapshot_part parts[FEATURE_PARTS]);
    carom_status (*save)(const steps *s, snapshot *out, error *e);
    carom_status (*check)(const steps *s, error *e);
    carom_status (*load)(steps *s, const snapshot *in, error *e);

    void (*fill_frame)(const steps *s, carom_frame *f);
} steps_feature;

/* The next enabled feature, in the order of creation; NULL at the end. *n counts from 0. */
static const steps_feature *feature_next(const steps *s, size_t *n);

#endif
