/* Rotating particles. */
#include "hard/features/feature_checks.h"

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

const feature_checks hard_feature_rotation = {.check = check_inertia};
