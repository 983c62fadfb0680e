/* Checks of the engine `hard`: scenes and initial states that it refuses. */
#include "hard/check.h"

#include "hard/features/feature_checks.h"
#include "scene/exact.h"
#include "scene/planes.h"
#include "scene/where.h"

/* In the order of the checks. Shapes precede rotation, because a shape implies rotating particles. The precision comes
 * last: its limits refuse values that are valid in other precisions. */
static const feature_checks *const features[] = {
    &hard_feature_meshes,   &hard_feature_potentials, &hard_feature_contacts,   &hard_feature_shapes,
    &hard_feature_rotation, &hard_feature_thermal,    &hard_feature_thermostat, &hard_feature_compression,
    &hard_feature_shear,    &hard_feature_collapse,   &hard_feature_flows,      &hard_feature_precision,
};
enum { FEATURES = sizeof features / sizeof *features };

carom_status hard_check(const scene *s, error *e)
{
    TRY(scene_refuse_forces(s, hard_settings_table.name, e));
    for (int k = 0; k < FEATURES; k++)
        if (features[k]->check != NULL) TRY(features[k]->check(s, e));
    TRY(scene_refuse_leaning(s, e));
    return scene_refuse_crossing(s, e);
}

carom_status hard_check_state(const scene *s, const initial_state *state, error *e)
{
    if (state->count >= 0x80000000u)
        return error_set(e, CAROM_BAD_DATA, "error: %zu particles are more than the engine can number", state->count);
    for (int k = 0; k < FEATURES; k++)
        if (features[k]->check_state != NULL) TRY(features[k]->check_state(s, state, e));
    return CAROM_OK;
}
