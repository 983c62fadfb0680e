/* A feature of the engine `variational` in scenes: conditions for its refusal. Its part in a run is in
 * kernel/features. */
#ifndef CAROM_VARIATIONAL_FEATURES_FEATURE_H
#define CAROM_VARIATIONAL_FEATURES_FEATURE_H

#include "scene/state.h"

typedef struct variational_feature {
    /* Each may be NULL. They run for all scenes. */
    carom_status (*check)(const scene *s, error *e); /* incompatible settings and features */
    carom_status (*check_state)(const scene *s, const initial_state *state, error *e);
} variational_feature;

extern const variational_feature variational_feature_conditions, variational_feature_contacts,
    variational_feature_drives, variational_feature_idle, variational_feature_layers, variational_feature_loads,
    variational_feature_materials, variational_feature_meshes, variational_feature_rotation;

#endif
