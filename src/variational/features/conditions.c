/* Checks of conditions for the start of a motion, and for a mesh to appear or vanish. */
#include "variational/features/feature.h"

#include "scene/where.h"

static carom_status check_conditions(const scene *s, const initial_state *state, error *e)
{
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.given)
            TRY(state_check_condition(state, &s->drives[d].start.when,
                                      scene_at(s, "drives.%zu.start.when.particles", d), e));
    for (size_t k = 0; k < s->mesh_count; k++) {
        const scene_mesh *m = &s->meshes[k];
        if (m->appear.waits)
            TRY(state_check_condition(state, &m->appear.when, scene_at(s, "meshes.%zu.appear.when.particles", k), e));
        if (m->vanish.waits)
            TRY(state_check_condition(state, &m->vanish.when, scene_at(s, "meshes.%zu.vanish.when.particles", k), e));
    }
    return CAROM_OK;
}

const variational_feature variational_feature_conditions = {.check_state = check_conditions};
