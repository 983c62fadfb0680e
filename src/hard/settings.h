/* Settings of the engine `hard`: the values of the scene key `hard`. */
#ifndef CAROM_HARD_SETTINGS_H
#define CAROM_HARD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* The stable rule, and its historic alternatives (geometry/remedies.h). */
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

/* Inelastic collapse: infinitely many collisions in a finite time. */
typedef struct hard_collapse {
    int policy;     /* hard_policy */
    uint64_t count; /* collisions of one particle without progress of time that count as collapse */
    double tc;      /* TC: contact duration */
    double speed;   /* CUTOFF, SLEEP: impact speed below which a contact is elastic, or counts as resting */
} hard_collapse;

/* A heat bath (Andersen). */
typedef struct hard_thermostat {
    double temperature, rate; /* rate 0: none */
} hard_thermostat;

/* Compression during a run. */
typedef struct hard_compression {
    double rate; /* growth rate of the mean diameter over the thermal speed; 0: none */
} hard_compression;

/* Lees-Edwards boundaries along y. */
typedef struct hard_shear {
    double rate;  /* 0: none */
    bool profile; /* whether the flow is added to the initial velocities */
} hard_shear;

typedef struct hard_settings {
    bool reference;
    int detection; /* hard_detection */
    double bias;   /* DETECTION_BIAS: relative increase of the contact distance */
    int precision; /* hard_precision */
    hard_collapse collapse;
    hard_compression compression;
    hard_thermostat thermostat;
    hard_shear shear;
} hard_settings;

#endif
