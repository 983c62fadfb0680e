/* The settings of the engine `hard`: what the scene's key `hard` fills. */
#ifndef CAROM_HARD_SETTINGS_H
#define CAROM_HARD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* The stable rule, and what it replaces (geometry/remedies.h). */
typedef enum hard_detection {
    DETECTION_STABLE,
    DETECTION_NAIVE,
    DETECTION_REWIND,
    DETECTION_IGNORE_OVERLAP,
    DETECTION_BIAS,
    DETECTION_RETROSPECTIVE
} hard_detection;
extern const char *const hard_detections[]; /* their names */

typedef enum hard_precision { PRECISION_FLOAT, PRECISION_DOUBLE, PRECISION_LONG_DOUBLE, PRECISION_QUAD } hard_precision;
typedef enum hard_policy { COLLAPSE_STOP, COLLAPSE_TC, COLLAPSE_CUTOFF, COLLAPSE_SLEEP } hard_policy;

/* What to do about inelastic collapse: infinitely many collisions in finite time. */
typedef struct hard_collapse {
    int policy;     /* hard_policy */
    uint64_t count; /* collisions of one particle without progress of time that are called collapse */
    double tc;      /* TC: contact duration */
    double speed;   /* CUTOFF, SLEEP: impact speed below which a contact is elastic, or counts as resting */
} hard_collapse;

/* A heat bath, after Andersen. */
typedef struct hard_thermostat {
    double temperature, rate; /* rate 0: none */
} hard_thermostat;

/* A run that compresses. */
typedef struct hard_compression {
    double rate; /* growth of the mean diameter over the thermal speed; 0: none */
} hard_compression;

/* Lees and Edwards' boundaries along y. */
typedef struct hard_shear {
    double rate;  /* 0: none */
    bool profile; /* the flow is added to the velocities of the start */
} hard_shear;

typedef struct hard_settings {
    bool reference;
    int detection; /* hard_detection */
    double bias;   /* DETECTION_BIAS: by how much of it the contact distance is widened */
    int precision; /* hard_precision */
    hard_collapse collapse;
    hard_compression compression;
    hard_thermostat thermostat;
    hard_shear shear;
} hard_settings;

#endif
