/* The settings of the engine `aggregation`, from the scene key `aggregation`. */
#ifndef CAROM_AGGREGATION_SETTINGS_H
#define CAROM_AGGREGATION_SETTINGS_H

#include "aggregation/steps_settings.h"

typedef enum aggregation_method { METHOD_EVENTS, METHOD_STEPS } aggregation_method;

typedef struct aggregation_settings {
    int method;     /* aggregation_method */
    bool reference; /* events: all pairs */
    bool rotation;  /* events: clusters turn */
    double skin; /* events: distance that a cluster may move before its neighbours are searched again; 0: automatic */
    steps_settings steps;
    double patience; /* mean free paths without a merge that count as no progress */
} aggregation_settings;

#endif
