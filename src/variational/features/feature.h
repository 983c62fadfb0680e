/* A feature of the engine `variational` as scenes ask for it: what it refuses and why. What it does in a run is in
 * kernel/features. */
#ifndef CAROM_VARIATIONAL_FEATURES_FEATURE_H
#define CAROM_VARIATIONAL_FEATURES_FEATURE_H

#include "scene/state.h"

typedef struct variational_feature {
    /* Each may be NULL; they are called for all scenes. */
    carom_status (*check)(const scene *s, error *e); /* settings and features that do not go with it */
    carom_status (*check_state)(const scene *s, const initial_state *state, error *e);
} variational_feature;

extern const variational_feature variational_feature_contacts, variational_feature_drives, variational_feature_idle,
    variational_feature_layers, variational_feature_meshes;

#endif
