/* The settings of the engine `hard`: what the scene's key `hard` fills. */
#ifndef CAROM_HARD_SETTINGS_H
#define CAROM_HARD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum hard_detection { DETECTION_STABLE, DETECTION_NAIVE } hard_detection;
typedef enum hard_precision { PRECISION_DOUBLE, PRECISION_LONG_DOUBLE, PRECISION_QUAD } hard_precision;
typedef enum hard_policy { COLLAPSE_STOP, COLLAPSE_TC, COLLAPSE_CUTOFF, COLLAPSE_SLEEP } hard_policy;

/* What to do about inelastic collapse: infinitely many collisions in finite time. */
typedef struct hard_collapse {
    int policy;     /* hard_policy */
    uint64_t count; /* collisions of one particle without progress of time that are called collapse */
    double tc;      /* TC: contact duration */
    double speed;   /* CUTOFF, SLEEP: impact speed below which a contact is elastic, or counts as resting */
} hard_collapse;

typedef struct hard_settings {
    bool reference;
    int detection; /* hard_detection */
    int precision; /* hard_precision */
    hard_collapse collapse;
} hard_settings;

#endif
