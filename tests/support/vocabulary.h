/* Small engines and observables for the tests of the scene reader. */
#ifndef CAROM_TESTS_VOCABULARY_H
#define CAROM_TESTS_VOCABULARY_H

#include <math.h>
#include <stdint.h>

#include "scene/settings.h"

/* clang-format off */
typedef struct toy_sleep {
    double speed;
    uint64_t patience;
} toy_sleep;

typedef struct toy_hard {
    int detection;
    bool reference;
    double cutoff;
    uint64_t cells;
    char *note;
    double drift[3];
    toy_sleep sleep;
} toy_hard;

typedef struct toy_soft {
    double stiffness;
} toy_soft;

typedef struct toy_bins {
    uint64_t bins;
    double reach;
} toy_bins;

static const char *const toy_detections[] = {"stable", "naive", NULL};
static const setting toy_sleep_entries[] = {
    {.name = "speed", .type = SETTING_REAL, .offset = offsetof(toy_sleep, speed), .unit = "speed", .fallback = "0.5",
     .min = 0, .max = 1, .help = "below which a particle rests"},
    {.name = "patience", .type = SETTING_INTEGER, .offset = offsetof(toy_sleep, patience), .unit = "", .fallback = "",
     .help = "collisions before that"},
};
static const settings_table toy_sleep_table = {.name = "sleep", .help = "resting", .size = sizeof(toy_sleep), .entries = toy_sleep_entries, .count = 2};
static const setting toy_hard_entries[] = {
    {.name = "detection", .type = SETTING_CHOICE, .offset = offsetof(toy_hard, detection), .unit = "",
     .fallback = "stable", .choices = toy_detections, .help = "how collisions are found"},
    {.name = "reference", .type = SETTING_BOOL, .offset = offsetof(toy_hard, reference), .unit = "",
     .fallback = "false", .help = "the plain and slow path"},
    {.name = "cutoff", .type = SETTING_REAL, .offset = offsetof(toy_hard, cutoff), .unit = "speed", .fallback = "",
     .min = 0, .max = INFINITY, .above_min = true, .help = "slower contacts are elastic"},
    {.name = "cells", .type = SETTING_INTEGER, .offset = offsetof(toy_hard, cells), .unit = "", .fallback = "7",
     .help = "cells a side"},
    {.name = "note", .type = SETTING_TEXT, .offset = offsetof(toy_hard, note), .unit = "", .fallback = "two words",
     .help = "a remark"},
    {.name = "drift", .type = SETTING_VECTOR, .offset = offsetof(toy_hard, drift), .unit = "speed",
     .fallback = "[0, 0.5, -1]", .help = "a vector"},
    {.name = "sleep", .type = SETTING_TABLE, .offset = offsetof(toy_hard, sleep), .unit = "",
     .table = &toy_sleep_table, .help = "resting"},
};
static const settings_table toy_hard_table = {.name = "hard", .help = "exact collisions", .size = sizeof(toy_hard), .entries = toy_hard_entries, .count = 7};
static const setting toy_soft_entries[] = {
    {.name = "stiffness", .type = SETTING_REAL, .offset = offsetof(toy_soft, stiffness), .unit = "", .min = 0,
     .max = INFINITY, .above_min = true, .help = "of a spring"},
};
static const settings_table toy_soft_table = {.name = "soft", .help = "springs", .size = sizeof(toy_soft), .entries = toy_soft_entries, .count = 1};

static const setting toy_bins_entries[] = {
    {.name = "bins", .type = SETTING_INTEGER, .offset = offsetof(toy_bins, bins), .unit = "", .fallback = "100",
     .min = 1, .max = 1e6, .help = "how many"},
    {.name = "reach", .type = SETTING_REAL, .offset = offsetof(toy_bins, reach), .unit = "length", .fallback = "",
     .min = 0, .max = INFINITY, .above_min = true, .help = "how far"},
};
static const settings_table toy_pressure_table = {.name = "pressure", .help = "from the virial", .size = 1, .entries = NULL, .count = 0};
static const settings_table toy_bins_table = {.name = "radial_distribution", .help = "g(r)", .size = sizeof(toy_bins), .entries = toy_bins_entries, .count = 2};

static const settings_table *const toy_engines[] = {&toy_hard_table, &toy_soft_table};
static const settings_table *const toy_observables[] = {&toy_pressure_table, &toy_bins_table};
static const unsigned toy_features[] = {ENGINE_COMPRESSES | ENGINE_ROUGH | ENGINE_SHAPES | ENGINE_STEPS,
                                        ENGINE_MERGES};
static const scene_vocabulary toy_vocabulary = {toy_engines, 2, toy_observables, 2, toy_features};

#endif
