/* A checked sweep: one scene with several seeds and parameters. Created by sweep_read_file, const afterwards. */
#ifndef CAROM_SWEEP_SWEEP_H
#define CAROM_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "scene/where.h"

enum { SWEEP_RUNS = 10000000 }; /* maximum number */

typedef struct sweep_value {
    char *text; /* for messages and tables: 0.1, hot, [1, 2] */
    char *yaml; /* the same in the syntax of --set */
} sweep_value;

/* A key of the scene and its values. At a point the value is values[point / stride % count]. */
typedef struct sweep_parameter {
    char *name;
    sweep_value *values;
    size_t count, stride;
    bool together; /* whether it varies with the others of `together` */
} sweep_parameter;

typedef struct sweep {
    char *source, *scene; /* paths of the file of the sweep and of the scene, relative to the working directory */
    uint64_t *seeds;
    size_t seed_count;
    sweep_parameter *parameters; /* in the order of the file; those of `together` first */
    size_t parameter_count;
    size_t point_count;
    char **measures;         /* paths into the JSON summary of a run */
    scene_spot *measures_at; /* their places in the file */
    size_t measure_count;
    int keep; /* 0: keep results, 1: keep nothing */
    struct arena *memory;
} sweep;

/* Reads a sweep and reports all errors at once, like those of a scene. On failure *out is NULL. */
carom_status sweep_read_file(sweep **out, const char *path, error *e);

/* The same for a text; the path of the scene is relative to `folder` (may be ""). */
carom_status sweep_read(sweep **out, const char *source, const char *folder, const char *text, size_t length, error *e);

void sweep_free(sweep *s);

const sweep_value *sweep_value_at(const sweep *s, size_t point, size_t parameter);

/* The data that determine the numbers of all runs, as one YAML text: the parameters, the resolved scene of the first
 * run, and a hash over the scenes of all points. NULL if there is no memory; freed with memory_free. */
char *sweep_record(const sweep *s, const char *first_resolved, uint64_t points_hash);

#endif
