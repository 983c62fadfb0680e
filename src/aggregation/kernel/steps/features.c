/* The features of time stepping. */
#include "aggregation/kernel/steps/feature.h"

static const steps_feature *const features[] = {
    &walls_feature, &bound_feature, &links_feature, &pair_list_feature, &history_feature, &solver_feature,
};

static const steps_feature *feature_next(const steps *s, size_t *n)
{
    while (*n < sizeof features / sizeof *features) {
        const steps_feature *f = features[(*n)++];
        if (f->enabled == NULL || f->enabled(s)) return f;
    }
    return NULL;
}
