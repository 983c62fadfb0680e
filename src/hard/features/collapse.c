/* Inelastic collapse: settings, and refused combinations. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/where.h"

#include <math.h>

static const char *const policies[] = {"stop", "tc", "cutoff", "sleep", NULL};

#define FIELD(member) offsetof(hard_collapse, member)
static const setting collapse_entries[] = {
    {.name = "policy",
     .type = SETTING_CHOICE,
     .offset = FIELD(policy),
     .unit = "",
     .fallback = "stop",
     .choices = policies,
     .help =
         "what to do about inelastic collapse: stop with a report and a checkpoint; tc: a collision within the contact "
         "duration of the last one is elastic; cutoff: slow contacts are elastic; sleep: resting contacts leave the "
         "queue"},
    {.name = "count",
     .type = SETTING_INTEGER,
     .offset = FIELD(count),
     .unit = "",
     .fallback = "1000",
     .min = 10,
     .max = 1e9,
     .help = "collisions of one particle without progress of time that are called collapse"},
    {.name = "tc",
     .type = SETTING_REAL,
     .offset = FIELD(tc),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "contact duration; policy tc"},
    {.name = "speed",
     .type = SETTING_REAL,
     .offset = FIELD(speed),
     .unit = "speed",
     .fallback = "0",
     .max = INFINITY,
     .help = "impact speed below which a contact is elastic (cutoff) or counts as resting (sleep)"},
};
#undef FIELD
const settings_table hard_collapse_settings = {.name = "collapse",
                                               .help = "inelastic collapse",
                                               .size = sizeof(hard_collapse),
                                               .entries = collapse_entries,
                                               .count = sizeof collapse_entries / sizeof *collapse_entries};

static carom_status check_collapse(const scene *s, error *e)
{
    const hard_collapse *c = &((const hard_settings *)s->engine_settings)->collapse;
    if (c->policy == COLLAPSE_STOP && c->tc > 0)
        return scene_refuse(scene_at(s, "hard.collapse.tc"), e,
                            "hard.collapse.tc does nothing without hard.collapse.policy: tc" HINT
                            "give that, too, or leave "
                            "tc out");
    if (c->policy == COLLAPSE_STOP && c->speed > 0)
        return scene_refuse(scene_at(s, "hard.collapse.speed"), e,
                            "hard.collapse.speed does nothing without hard.collapse.policy: cutoff or sleep" HINT
                            "give that, "
                            "too, or leave speed out");
    if (c->policy == COLLAPSE_TC && c->tc <= 0)
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is tc: give hard.collapse.tc, the contact duration");
    if (c->policy == COLLAPSE_CUTOFF && c->speed <= 0)
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is cutoff: give hard.collapse.speed, the impact speed below "
                            "which contacts are elastic");
    if (c->policy == COLLAPSE_SLEEP && (c->speed <= 0 || !scene_has_gravity(s)))
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is sleep: give hard.collapse.speed, the impact speed below "
                            "which a contact rests, and fields.gravity");
    return CAROM_OK;
}

const feature_checks hard_feature_collapse = {.check = check_collapse};
