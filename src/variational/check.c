/* Scenes and initial states that the engine `variational` refuses. */
#include "variational/check.h"

#include "scene/planes.h"
#include "variational/features/feature.h"

/* In the order of the checks. The thickness of meshes comes before that of layers, which depends on it. Collisions
 * of drives come last, as their search costs most. */
static const variational_feature *const features[] = {
    &variational_feature_contacts,   &variational_feature_materials, &variational_feature_rotation,
    &variational_feature_conditions, &variational_feature_idle,      &variational_feature_meshes,
    &variational_feature_layers,     &variational_feature_loads,     &variational_feature_drives,
};
enum { FEATURES = sizeof features / sizeof *features };

carom_status variational_check(const scene *s, error *e)
{
    for (int k = 0; k < FEATURES; k++)
        if (features[k]->check != NULL) TRY(features[k]->check(s, e));
    TRY(scene_refuse_thermal(s, s->engine_table->name, e));
    TRY(scene_refuse_exact(s, s->engine_table->name, e));
    return scene_refuse_leaning(s, e);
}

carom_status variational_check_state(const scene *s, const initial_state *state, error *e)
{
    if (state->count >= 0x7fff0000u)
        return error_set(e, CAROM_BAD_DATA, "error: %zu particles are more than the engine can number", state->count);
    for (int k = 0; k < FEATURES; k++)
        if (features[k]->check_state != NULL) TRY(features[k]->check_state(s, state, e));
    return CAROM_OK;
}
