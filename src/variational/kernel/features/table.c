/* All features, from list.h. */
#include "variational/kernel/features/feature.h"

#define DECLARE(name) static const feature name##_feature;
#define LIST(name) &name##_feature,
#define OF_CLOCK(kind, name) [CLOCK_##kind] = &name##_feature,

VARIATIONAL_FEATURES(DECLARE)

static const feature *const FEATURES[FEATURE_COUNT] = {VARIATIONAL_FEATURES(LIST)};

static const feature *const FEATURE_OF_CLOCK[CLOCK_LAYER + 1] = {VARIATIONAL_CLOCKS(OF_CLOCK)};

#undef DECLARE
#undef LIST
#undef OF_CLOCK
