/* Settings that have no effect. */
#include "variational/features/feature.h"

#include "scene/where.h"
#include "variational/settings.h"

static bool has_material(const scene *s)
{
    bool some = s->springs_count + s->hinges_count + s->rods_count > 0;
    for (size_t k = 0; k < s->mesh_count; k++) some = some || !s->meshes[k].rigid;
    return some;
}

/* Settings without effect because of other settings or their absence. With all coefficients 1 both rules of
 * restitution are the same. This is the limit of a sweep over a coefficient, and not refused. */
static carom_status check_idle(const scene *s, error *e)
{
    const variational_settings *v = s->engine_settings;
    const bool kicks = v->gravity == GRAVITY_KICK, material = has_material(s);
    const struct {
        const char *key, *without;
        bool idle;
    } rows[] = {
        {"gravity_step", "variational.gravity: kick", v->gravity_step > 0 && !kicks},
        {"gravity", "fields.gravity", kicks && !scene_has_gravity(s)},
        {"material_step", "springs, hinges, rods or meshes that are not rigid", v->material_step > 0 && !material},
        {"exponent", "variational.contact: layers or realigned",
         v->contact == CONTACT_IMPULSES && settings_changed(&variational_table, v, "exponent")},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].idle)
            return scene_refuse(scene_at(s, "variational.%s", rows[k].key), e,
                                "variational.%s does nothing without %s" HINT "give that, too, or leave %s out",
                                rows[k].key, rows[k].without, rows[k].key);
    if (v->step == 0 || !settings_changed(&variational_table, v, "courant") || (material && v->material_step == 0))
        return CAROM_OK;
    return scene_refuse(scene_at(s, "variational.courant"), e,
                        "variational.courant does nothing beside variational.step%s, as all steps are given" HINT
                        "leave one of "
                        "them out",
                        material ? " and variational.material_step" : "");
}

const variational_feature variational_feature_idle = {.check = check_idle};
