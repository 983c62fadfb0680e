/* A checked sweep: one scene over seeds and parameters. Made by sweep_read_file, const afterwards. */
#ifndef CAROM_SWEEP_SWEEP_H
#define CAROM_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "scene/where.h"

enum { SWEEP_RUNS = 10000000 }; /* at most */

typedef struct sweep_value {
    char *text; /* for people and tables: 0.1, hot, [1, 2] */
    char *yaml; /* the same as --set takes it */
} sweep_value;

/* A key of the scene and what it becomes. At a point it takes values[point / stride % count]. */
typedef struct sweep_parameter {
    char *name;
    sweep_value *values;
    size_t count, stride;
    bool together; /* it moves with the others of `together` */
} sweep_parameter;

typedef struct sweep {
    char *source, *scene; /* the sweep's file and the scene's, as they can be opened from here */
    uint64_t *seeds;
    size_t seed_count;
    sweep_parameter *parameters; /* in the order of the file; those of `together` first */
    size_t parameter_count;
    size_t point_count;
    char **measures;         /* paths into the JSON summary of a run */
    scene_spot *measures_at; /* their places in the file */
    size_t measure_count;
    int keep; /* 0: results, 1: nothing */
    struct arena *memory;
} sweep;

/* Reads a sweep; all faults are reported at once, as those of a scene are. On failure *out is NULL. */
carom_status sweep_read_file(sweep **out, const char *path, error *e);

/* The same from text; `folder` (may be "") is what the scene's path counts from. */
carom_status sweep_read(sweep **out, const char *source, const char *folder, const char *text, size_t length, error *e);

void sweep_free(sweep *s);

const sweep_value *sweep_value_at(const sweep *s, size_t point, size_t parameter);

/* What decides on the numbers of all runs, in one YAML text: the parameters, the resolved scene of the first run, and a
 * hash over the scenes of all points. NULL where there is no memory; freed with memory_free. */
char *sweep_record(const sweep *s, const char *first_resolved, uint64_t points_hash);

#endif
