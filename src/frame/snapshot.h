/* A snapshot: named arrays with an exact state (of an engine, of the observables), for writing and reading bit by bit.
 * Names are paths without a leading slash ("engine/position"). */
#ifndef CAROM_FRAME_SNAPSHOT_H
#define CAROM_FRAME_SNAPSHOT_H

#include <stdint.h>

#include "base/error.h"

typedef enum snapshot_type {
    SNAPSHOT_U8,
    SNAPSHOT_I32,
    SNAPSHOT_U32,
    SNAPSHOT_I64,
    SNAPSHOT_U64,
    SNAPSHOT_F64
} snapshot_type;

/* Records that are made when they are read, so that no copy of all of them exists. */
typedef struct snapshot_source {
    size_t bytes; /* of a record */
    void (*read)(const struct snapshot_source *source, const void *owner, size_t first, size_t count, void *to);
} snapshot_source;

typedef struct snapshot_array {
    char *name;
    snapshot_type type;
    size_t count;                  /* elements */
    void *data;                    /* NULL if there is a source */
    bool lent;                     /* data belongs to another object */
    const snapshot_source *source; /* SNAPSHOT_U8 in records; NULL: data */
    const void *owner;
} snapshot_array;

typedef struct snapshot {
    snapshot_array *arrays;
    size_t count, capacity;
} snapshot;

/* Adds count elements, zeros, which the caller fills at *data. */
carom_status snapshot_reserve(snapshot *s, const char *name, snapshot_type type, size_t count, void **data, error *e);

/* Adds a copy of count elements. */
carom_status snapshot_put(snapshot *s, const char *name, snapshot_type type, size_t count, const void *data, error *e);

/* Adds count elements without a copy: they must remain valid until the snapshot has been written. */
carom_status snapshot_lend(snapshot *s, const char *name, snapshot_type type, size_t count, const void *data, error *e);

/* Adds the bytes of `count` records of a source: it and its owner must remain valid, as in snapshot_lend. */
carom_status snapshot_lend_source(snapshot *s, const char *name, size_t count, const snapshot_source *source,
                                  const void *owner, error *e);

/* Elements first ... first + count - 1; of a source whole records. */
void snapshot_read(const snapshot_array *array, size_t first, size_t count, void *to);

/* Replaces sources by data that belong to the snapshot. */
carom_status snapshot_own(snapshot *s, error *e);

/* Copies an array; CAROM_BAD_DATA if the name, type or count differs. */
carom_status snapshot_get(const snapshot *s, const char *name, snapshot_type type, size_t count, void *data, error *e);

/* One array or number of the state of an engine: saving and loading use the same table of them. */
typedef struct snapshot_part {
    const char *name;
    void *data;
    size_t bytes;
} snapshot_part;

/* Adds them as bytes. Those within the `size` bytes at `self`, which may be temporary, are copied; all others are
 * lent. */
carom_status snapshot_put_parts(snapshot *s, const snapshot_part *parts, int count, const void *self, size_t size,
                                error *e);
carom_status snapshot_get_parts(const snapshot *s, const snapshot_part *parts, int count, error *e);

/* The array; NULL if it does not exist. */
const snapshot_array *snapshot_find(const snapshot *s, const char *name);

size_t snapshot_element_size(snapshot_type type);
void snapshot_free(snapshot *s);

#endif
