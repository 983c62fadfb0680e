/* The method of contact, and properties of contacts that this engine does not support. */
#include "variational/features/feature.h"

#include "scene/where.h"
#include "variational/settings.h"

/* Impulses and realigned clocks are compared with layers in the most favourable case: without other losses of
 * energy. */
static carom_status check_alternatives(const scene *s, error *e)
{
    const variational_settings *settings = s->engine_settings;
    if (settings->contact == CONTACT_LAYERS) return CAROM_OK;
    const char *const name = settings->contact == CONTACT_IMPULSES ? "impulses" : "realigned";
    for (size_t k = 0; k < s->law_count; k++) {
        const restitution_law *l = &s->laws[k];
        const bool loses = restitution_loses(l);
        if (l->cohesion > 0)
            return scene_refuse(scene_at_law(s, k, "cohesion"), e,
                                "`contact: %s` is for contacts without cohesion" HINT
                                "leave 'cohesion' out, or use `contact: layers`",
                                name);
        if (loses || l->friction != 0)
            return scene_refuse(scene_at_law(s, k, loses ? "restitution" : "friction"), e,
                                "`contact: %s` is for elastic and smooth contacts" HINT
                                "leave '%s' out, or use `contact: "
                                "layers`",
                                name, loses ? "restitution" : "friction");
    }
    if (scene_has_bodies(s))
        return scene_refuse(scene_at(s, s->body_count > 0 ? "bodies" : "clumps"), e,
                            "`contact: %s` cannot have rigid bodies, whose corners do not fly straight" HINT
                            "leave '%s' "
                            "out, or use `contact: layers`",
                            name, s->body_count > 0 ? "bodies" : "clumps");
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.free)
            return scene_refuse(scene_at(s, "drives.%zu.start.free", d), e,
                                "`contact: %s` cannot have drive '%s' leave free what it moves" HINT
                                "leave 'free' out, or "
                                "use `contact: layers`",
                                name, s->drives[d].name);
    if (settings->reference)
        return scene_refuse(scene_at(s, "variational.reference"), e,
                            "the reference is for `contact: layers`" HINT "leave 'reference' out");
    return CAROM_OK;
}

static carom_status check_contacts(const scene *s, error *e)
{
    TRY(check_alternatives(s, e));
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].stick_given)
            return scene_refuse(scene_at_law(s, k, "stick"), e,
                                "nothing sticks in the engine `variational`" HINT
                                "leave 'stick' out of contacts, or use "
                                "`engine: aggregation`");
    return CAROM_OK;
}

const variational_feature variational_feature_contacts = {.check = check_contacts};
