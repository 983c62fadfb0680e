/* Checks of drives. */
#include "variational/features/feature.h"

#include "scene/where.h"
#include "variational/drive_collisions.h"

#include <math.h>

static carom_status check_drives(const scene *s, error *e)
{
    for (size_t d = 0; d < s->drive_count; d++)
        for (size_t k = 0; k < s->drives[d].motion_count; k++)
            if (s->drives[d].motion[k].frequency > 0)
                return scene_refuse(scene_at(s, "drives.%zu.motion.%zu.oscillate", d, k), e,
                                    "drive '%s' oscillates, which the engine `variational` cannot" HINT
                                    "give it a 'path', or "
                                    "use `engine: hard`",
                                    s->drives[d].name);
    return CAROM_OK;
}

static carom_status check_all_collisions(const scene *s, const initial_state *state, error *e)
{
    TRY(check_drive_collisions(s, state, e));
    return check_mesh_collisions(s, state, e);
}

const variational_feature variational_feature_drives = {.check = check_drives, .check_state = check_all_collisions};
