/* Rotating particles. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/where.h"

/* Where nothing turns, moments of inertia have no effect. */
static carom_status check_inertia(const scene *s, error *e)
{
    for (size_t k = 0; k < s->species_count && !s->rough && !s->shaped; k++)
        if (s->species[k].inertia > 0)
            return scene_refuse(scene_at(s, "species.%s.inertia", s->species[k].name), e,
                                "species.%s.inertia does nothing without particles that turn" HINT "give contacts a "
                                "'tangential', too, or leave inertia out",
                                s->species[k].name);
    return CAROM_OK;
}

static carom_status check_rough(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    TRY(check_inertia(s, e));
    if (!s->rough || settings->collapse.policy != COLLAPSE_SLEEP) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                        "hard.collapse.policy is sleep, but the scene has rotating particles, which `sleep` "
                        "does not support" HINT "use tc or cutoff, or leave 'tangential' and 'angular_velocity' out");
}

const feature_checks hard_feature_rotation = {.check = check_rough};
