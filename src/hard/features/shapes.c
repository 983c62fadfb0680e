/* Particles that are not spheres. */
#include "hard/features/feature_checks.h"

#include "geometry/shape.h"
#include "hard/settings.h"
#include "scene/where.h"

static carom_status check_shapes(const scene *s, error *e)
{
    const hard_settings *h = s->engine_settings;
    const struct {
        bool given;
        const char *path, *what;
    } others[] = {{h->detection != DETECTION_STABLE, "hard.detection", " other than stable"},
                  {h->collapse.policy == COLLAPSE_SLEEP, "hard.collapse.policy", " sleep: use tc or cutoff"},
                  {h->thermostat.rate > 0, "hard.thermostat", ""},
                  {h->compression.rate > 0, "hard.compression", ""},
                  {h->shear.rate != 0, "hard.shear", ""}};
    for (size_t k = 0; s->shaped && k < sizeof others / sizeof *others; k++)
        if (others[k].given)
            return scene_refuse(scene_at(s, "%s", others[k].path), e,
                                "%s (species with '%s') cannot be combined with %s%s", scene_particle_shape(s)->plural,
                                scene_particle_shape(s)->key, others[k].path, others[k].what);
    return CAROM_OK;
}

const feature_checks hard_feature_shapes = {.check = check_shapes};
