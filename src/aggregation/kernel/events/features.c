/* The features of a kernel. */
#include "aggregation/kernel/events/feature.h"

static const state_feature *const features[] = {
    &members_feature, /* before the features that iterate over members */
#if CAROM_ROTATING
    &rotation_feature, /* before the speeds are measured */
#endif
    &history_feature,  &progress_feature, &plan_feature,
};

static const state_feature *feature_next(const cluster_state *s, size_t *n)
{
    while (*n < sizeof features / sizeof *features) {
        const state_feature *f = features[(*n)++];
        if (f->enabled == NULL || f->enabled(s)) return f;
    }
    return NULL;
}
