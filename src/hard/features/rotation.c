/* Rotating particles. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/where.h"

static carom_status check_rough(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    if (!s->rough || settings->collapse.policy != COLLAPSE_SLEEP) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                        "hard.collapse.policy is sleep, but the scene has rotating particles, which `sleep` "
                        "does not support; use tc or cutoff, or leave 'tangential' and 'angular_velocity' out");
}

const feature_checks hard_feature_rotation = {.check = check_rough};
