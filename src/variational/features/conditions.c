/* Checks of conditions for the start of a motion, and for a mesh to appear or vanish. */
#include "variational/features/feature.h"

#include "scene/gates.h"

static carom_status check_conditions(const scene *s, const initial_state *state, error *e)
{
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.given)
            TRY(state_check_condition(state, &s->drives[d].start.when,
                                      scene_at(s, "drives.%zu.start.when.particles", d), e));
    return gates_check_state(s, state, e);
}

const variational_feature variational_feature_conditions = {.check_state = check_conditions};
