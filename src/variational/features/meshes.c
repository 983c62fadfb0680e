/* Meshes as shells and obstacles. */
#include "variational/features/feature.h"

#include "scene/where.h"

static carom_status check_meshes(const scene *s, const initial_state *state, error *e)
{
    (void)state;
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < s->mesh_count; k++)
        if (!(s->meshes[k].thickness > 0))
            status = scene_refuse(scene_at(s, "meshes.%zu", k), e, "mesh '%s' has no 'thickness': give it one",
                                  s->meshes[k].name);
    return status;
}

const variational_feature variational_feature_meshes = {.check_state = check_meshes};
