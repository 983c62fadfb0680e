/* Checkpoints: the exact state of a run in one file, `<result>.checkpoint`, written under a temporary name, synced and
 * renamed, so that there is always a complete one. Own binary format, little-endian, with a checksum of the whole file
 * at its end:
 *
 *     "carom checkpoint" | u32 0x01020304 | u32 format | u64 bytes of the file
 *     text version | text commit | text scene | text title | text engine      a text: u64 length, bytes
 *     f64 time | u64 particles | u64 events | u64 collisions
 *     u64 n, n u64                                                           lengths of the result's datasets
 *     u64 n, n times: text name | u32 type | u64 count | data                the snapshot
 *     u64 checksum
 *
 * The order up to the texts is the same in all formats, so that any version of carom can report the version that wrote
 * a file. */
#ifndef CAROM_OUTPUT_RESULTS_CHECKPOINT_H
#define CAROM_OUTPUT_RESULTS_CHECKPOINT_H

#include "frame/snapshot.h"

enum { CHECKPOINT_FORMAT = 8 };

typedef struct checkpoint {
    char *version, *commit; /* version that wrote it; the caller decides whether another build may continue */
    char *scene;            /* resolved */
    char *title, *engine;
    double time;
    uint64_t particles, events, collisions;
    uint64_t *lengths; /* from result_lengths */
    size_t length_count;
    snapshot state;
} checkpoint;

/* "<result>.checkpoint"; NULL without memory. */
char *checkpoint_path(const char *result);

/* CAROM_IO; a previous checkpoint then remains. */
carom_status checkpoint_write(const char *path, const checkpoint *c, error *e);

/* CAROM_NO_INPUT: no such file. CAROM_BAD_DATA: damaged, another format, or not a checkpoint. */
carom_status checkpoint_read(checkpoint *c, const char *path, error *e);

/* The same for bytes in memory; `path` is the name in messages. */
carom_status checkpoint_parse(checkpoint *c, const char *path, const unsigned char *data, size_t size, error *e);

/* Whether the checksum is correct, for all formats. */
bool checkpoint_is_whole(const unsigned char *data, size_t size);

/* Whether a file starts with the signature of checkpoints. */
bool checkpoint_is(const char *path);

void checkpoint_free(checkpoint *c);

#endif
