/* Rotation of particles, and settings that need it. */
#include "variational/features/feature.h"

#include "scene/where.h"
#include "variational/settings.h"

#include <math.h>

static carom_status refuse_without(scene_spot at, const char *what, error *e)
{
    return scene_refuse(at, e, "%s, and particles do not rotate" HINT "set variational.rotation: true, or leave it out",
                        what);
}

/* What needs rotation. */
static carom_status check_needs(const scene *s, error *e)
{
    for (size_t k = 0; k < s->particles_count; k++)
        if (s->particles[k].spin != SPIN_ZERO && (s->particles[k].spin != SPIN_FILE || s->particles[k].spin_given))
            return refuse_without(scene_at(s, "particles.%zu.angular_velocity", k), "this is an angular velocity", e);
    for (size_t k = 0; k < s->particles_count; k++)
        if (s->particles[k].clump != SIZE_MAX)
            return scene_refuse(scene_at(s, "particles.%zu.clump", k), e,
                                "clumps rotate, and their contacts act at the surfaces of their spheres" HINT
                                "set variational.rotation: true");
    for (size_t k = 0; k < s->species_count; k++)
        if (s->species[k].inertia > 0)
            return refuse_without(scene_at(s, "species.%s.inertia", s->species[k].name), "this is a moment of inertia",
                                  e);
    return CAROM_OK;
}

static carom_status check_laws(const scene *s, bool rotation, error *e)
{
    for (size_t k = 0; k < s->law_count; k++) {
        const restitution_law *l = &s->laws[k];
        if (restitution_is_rough(l))
            return scene_refuse(scene_at_law(s, k, "tangential"), e,
                                "'tangential' is for instantaneous impacts (`hard`), not for the lasting contacts of "
                                "`variational`" HINT "leave it out, or give 'friction'");
        if (!restitution_resists_rolling(l)) continue;
        const char *key = restitution_rolling_key(l);
        if (!rotation) return refuse_without(scene_at_law(s, k, key), "this contact resists rolling or twisting", e);
        if (l->friction == 0)
            return scene_refuse(
                scene_at_law(s, k, key), e,
                "%s does nothing in a contact without friction: nothing makes a smooth particle roll" HINT
                "give 'friction', too",
                key);
    }
    return CAROM_OK;
}

static carom_status check_rotation(const scene *s, error *e)
{
    const variational_settings *v = s->engine_settings;
    TRY(check_laws(s, v->rotation, e));
    if (!v->rotation) return check_needs(s, e);
    if (v->contact == CONTACT_LAYERS) return CAROM_OK;
    return scene_refuse(scene_at(s, "variational.rotation"), e,
                        "`rotation` is for `contact: layers`: other contacts are smooth" HINT "leave it out");
}

const variational_feature variational_feature_rotation = {.check = check_rotation};
