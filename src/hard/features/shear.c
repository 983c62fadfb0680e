/* Sheared boxes: settings, and refused combinations. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/exact.h"
#include "scene/where.h"

#include <stdio.h>

#define FIELD(member) offsetof(hard_shear, member)
static const setting shear_entries[] = {
    {.name = "rate",
     .type = SETTING_REAL,
     .offset = FIELD(rate),
     .unit = "1 / time",
     .fallback = "0",
     .help = "shear rate: the flow along x is rate (y - height / 2); 0: none"},
    {.name = "profile",
     .type = SETTING_BOOL,
     .offset = FIELD(profile),
     .unit = "",
     .fallback = "true",
     .help = "add this flow to the initial velocities"},
};
#undef FIELD
const settings_table hard_shear_settings = {.name = "shear",
                                            .help =
                                                "a sheared box (Lees and Edwards): the images above it move along x",
                                            .size = sizeof(hard_shear),
                                            .entries = shear_entries,
                                            .count = sizeof shear_entries / sizeof *shear_entries};

static carom_status check_shear(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    const char *fault = NULL;
    char boundaries[300];
    snprintf(boundaries, sizeof boundaries, "there are planes%s or meshes",
             scene_exact_words(s, true, ", ", ", ", "").text);
    if (settings->shear.rate == 0 && !settings->shear.profile)
        return scene_refuse(scene_at(s, "hard.shear.profile"), e,
                            "hard.shear.profile does nothing without hard.shear.rate" HINT
                            "give that, too, or leave profile "
                            "out");
    if (settings->shear.rate == 0) return CAROM_OK;
    if (scene_has_gravity(s)) fault = "fields.gravity is not zero";
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] != BOUNDARY_PERIODIC) fault = "box.boundary is not periodic everywhere";
    if (scene_surfaces(s) - 1 + s->mesh_count > 0) fault = boundaries;
    if (settings->compression.rate > 0) fault = "hard.compression shrinks the box";
    if (settings->thermostat.rate > 0) fault = "the bath of hard.thermostat is at rest";
    if (settings->collapse.policy == COLLAPSE_SLEEP) fault = "hard.collapse.policy is sleep";
    if (s->potential_count + s->bonds_count > 0) fault = "there are potentials or bonds";
    if (fault == NULL) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.shear"), e, "hard.shear maintains a flow between periodic boundaries, but %s",
                        fault);
}

const feature_checks hard_feature_shear = {.check = check_shear};
