/* The scene side of a feature of the engine `hard`: its settings, and the scenes that it refuses, with reasons. Its
 * effect on a run is in kernel/features. */
#ifndef CAROM_HARD_FEATURES_FEATURE_CHECKS_H
#define CAROM_HARD_FEATURES_FEATURE_CHECKS_H

#include "scene/settings.h"
#include "scene/state.h"
#include "scene/where.h"

typedef struct feature_checks {
    /* Each may be NULL. They are called for all scenes. */
    carom_status (*check)(const scene *s, error *e); /* refuses settings and features that cannot be combined with it */
    carom_status (*check_state)(const scene *s, const initial_state *state, error *e);
} feature_checks;

/* Tables of settings: that of the key `hard`, and those below it. */
extern const settings_table hard_settings_table, hard_collapse_settings, hard_compression_settings,
    hard_thermostat_settings, hard_shear_settings;

/* The time in which a particle moves by a millionth of its diameter, by its velocity or by a fall; INFINITY: none moves. */
double hard_least_interval(const scene *s, const initial_state *state);

/* Refuses an interval below that: more frequent checks would only take time. */
carom_status hard_check_interval(scene_spot at, double every, double least, error *e);

extern const feature_checks hard_feature_collapse, hard_feature_compression, hard_feature_contacts, hard_feature_flows,
    hard_feature_meshes, hard_feature_precision, hard_feature_rotation, hard_feature_shapes, hard_feature_shear,
    hard_feature_potentials, hard_feature_thermal, hard_feature_thermostat;

#endif
