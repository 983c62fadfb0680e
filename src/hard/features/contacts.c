/* Contacts: laws that `hard` does not support. */
#include "hard/features/feature_checks.h"

#include "scene/where.h"

static carom_status check_laws(const scene *s, error *e)
{
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].stick_given)
            return scene_refuse(scene_at_law(s, k, "stick"), e,
                                "nothing sticks in the engine `hard`" HINT
                                "leave 'stick' out of contacts, or use `engine: "
                                "aggregation`");
    return CAROM_OK;
}

static carom_status check_friction(const scene *s, error *e)
{
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].friction > 0 && s->laws[k].tangential == -1)
            return scene_refuse(
                scene_at_law(s, k, "friction"), e,
                "contacts with friction %g have no 'tangential', which friction limits in `hard`: "
                "give that, too (tangential: 0: contacts that stick lose all of their sliding velocity)",
                s->laws[k].friction);
    return CAROM_OK;
}

static carom_status check_contacts(const scene *s, error *e)
{
    TRY(check_laws(s, e));
    TRY(scene_refuse_lasting(s, s->engine_table->name, e));
    return check_friction(s, e);
}

const feature_checks hard_feature_contacts = {.check = check_contacts};
