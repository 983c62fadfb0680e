/* Checkpoints of observers: arrays under one prefix. */
#ifndef CAROM_MEASURE_STORE_H
#define CAROM_MEASURE_STORE_H

#include "frame/snapshot.h"

/* Stores nothing if count is 0. */
carom_status store_put(snapshot *out, const char *prefix, const char *name, snapshot_type type, size_t count,
                       const void *data, error *e);
carom_status store_get(const snapshot *in, const char *prefix, const char *name, snapshot_type type, size_t count,
                       void *data, error *e);

/* Length of an array; CAROM_BAD_DATA if it does not exist or has another type. */
carom_status store_length(const snapshot *in, const char *prefix, const char *name, snapshot_type type, size_t *count,
                          error *e);

/* prefix/name, freed with memory_free; NULL without memory. */
char *store_path(const char *prefix, const char *name);

/* The status for a state that does not fit its observer. */
carom_status store_mismatch(const char *prefix, const char *name, error *e);

#endif
