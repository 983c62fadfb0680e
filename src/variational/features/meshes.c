/* Meshes as shells and obstacles. */
#include "variational/features/feature.h"

#include "scene/gates.h"
#include "variational/settings.h"

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

static carom_status check_contacts(const scene *s, size_t k, const scene_moment *m, const char *key, error *e)
{
    const variational_settings *settings = s->engine_settings;
    if (!m->given || settings->contact == CONTACT_LAYERS) return CAROM_OK;
    return scene_refuse(scene_at(s, "meshes.%zu.%s", k, key), e,
                        "`contact: %s` cannot have meshes that appear or vanish" HINT
                        "leave '%s' out, or use `contact: layers`",
                        settings->contact == CONTACT_IMPULSES ? "impulses" : "realigned", key);
}

static carom_status check_moments(const scene *s, error *e)
{
    for (size_t k = 0; k < s->mesh_count; k++) {
        TRY(check_contacts(s, k, &s->meshes[k].appear, "appear", e));
        TRY(check_contacts(s, k, &s->meshes[k].vanish, "vanish", e));
    }
    return gates_check(s, e);
}

const variational_feature variational_feature_meshes = {.check = check_moments, .check_state = check_meshes};
