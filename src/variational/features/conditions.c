/* Checks of conditions for the start of a motion, and for a mesh to appear or vanish. */
#include "variational/features/feature.h"

#include "scene/gates.h"

const variational_feature variational_feature_conditions = {.check_state = gates_check_state};
