/* All features. */
#include "variational/kernel/features/bodies.h"
#include "variational/kernel/features/drives.h"
#include "variational/kernel/features/feature.h"
#include "variational/kernel/features/gravity.h"
#include "variational/kernel/features/potentials.h"
#include "variational/kernel/features/shells.h"
#include "variational/kernel/features/springs.h"
#include "variational/kernel/response/press.h"

static const feature *const FEATURES[FEATURE_COUNT] = {&gravity_feature,     &drives_feature,  &bodies_feature,
                                                       &springs_feature,     &shells_feature,  &potentials_feature,
                                                       &restitution_feature, &friction_feature};

static const feature *const FEATURE_OF_CLOCK[CLOCK_LAYER + 1] = {[CLOCK_GRAVITY] = &gravity_feature,
                                                                 [CLOCK_BODIES] = &bodies_feature,
                                                                 [CLOCK_SPRINGS] = &springs_feature,
                                                                 [CLOCK_SHELLS] = &shells_feature,
                                                                 [CLOCK_USER] = &potentials_feature};
