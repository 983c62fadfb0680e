/* Elastic constants of species. */
#include "variational/features/feature.h"

#include "scene/where.h"
#include "variational/settings.h"

/* Keys that the elastic constants replace. */
static carom_status check_settings(const scene *s, error *e)
{
    const variational_settings *v = s->engine_settings;
    const char *const given = v->stiffness > 0                                      ? "stiffness"
                              : settings_changed(&variational_table, v, "exponent") ? "exponent"
                                                                                    : NULL;
    if (given != NULL)
        return scene_refuse(scene_at(s, "variational.%s", given), e,
                            "variational.%s beside elastic constants of species, which determine it" HINT
                            "leave it out, or leave 'young' and 'poisson' out of the species",
                            given);
    if (v->contact == CONTACT_LAYERS) return CAROM_OK;
    return scene_refuse(scene_at(s, "variational.contact"), e,
                        "elastic constants are for `contact: layers`" HINT
                        "leave 'contact' out, or leave 'young' and 'poisson' out of the species");
}

static carom_status check_materials(const scene *s, error *e)
{
    const scene_species *with = NULL, *without = NULL;
    for (size_t k = s->species_count; k-- > 0;) *(s->species[k].young > 0 ? &with : &without) = &s->species[k];
    if (with == NULL) return CAROM_OK;
    if (without != NULL)
        return scene_refuse(scene_at(s, "species.%s", without->name), e,
                            "species '%s' has no elastic constants, and '%s' has" HINT
                            "give 'young' and 'poisson' to all species, or to none",
                            without->name, with->name);
    if (s->dimension != 3)
        return scene_refuse(scene_at(s, "species.%s.young", with->name), e,
                            "elastic constants are for spheres: disks of 2 dimensions have no contacts of Hertz" HINT
                            "use `dimension: 3`, or leave 'young' and 'poisson' out");
    return check_settings(s, e);
}

const variational_feature variational_feature_materials = {.check = check_materials};
