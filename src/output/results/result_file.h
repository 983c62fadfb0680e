/* The open result file, common to creation, writing and resuming (result*.c). */
#ifndef CAROM_OUTPUT_RESULTS_RESULT_FILE_H
#define CAROM_OUTPUT_RESULTS_RESULT_FILE_H

#include "output/results/disk.h"
#include "output/results/layout.h"
#include "output/results/lock.h"
#include "output/results/result.h"

typedef struct column {
    hid_t dataset;
    h5_row row;
    uint64_t seal; /* of a dataset that is rewritten: the digest of its last values */
} column;

typedef struct table {
    bool series;
    column *columns; /* columns[0] of a series is the time */
    size_t column_count;
    column step, digest; /* of a series */
    uint64_t rows;       /* of a series, in the file */
} table;

typedef struct observed {
    table *tables;
    size_t table_count;
    hid_t *values; /* one group each */
    size_t value_count;
} observed;

struct result {
    char *path, *aside; /* temporary name, until the file has its final name */
    path_lock lock;
    hid_t file; /* negative: none */
    disk *disk; /* of the file */
    bool failed;
    int dimension;
    size_t count;
    bool has[FRAME_CHANNELS_MOST]; /* which channels are stored */
    column channel[FRAME_CHANNELS_MOST];
    bool digests; /* whether rows have digests: false for the continuation of a file of an earlier layout */
    column row_digest, array_digest[FRAME_CHANNELS_MOST], merge_digest;
    column summary;
    hid_t complete, root; /* root: /carom */
    uint64_t frames;
    bool merging; /* frames have clusters */
    column merges[MERGE_FIELDS];
    uint64_t merge_rows;
    bool events, lasting; /* the file records events; they may have a duration */
    column event[EVENT_FIELDS], event_digest;
    uint64_t event_rows;  /* in the file */
    carom_event *pending; /* [EVENT_BLOCK] */
    size_t pending_count;
    void *event_column; /* room for a column of a block */
    observed *observed;
    size_t observed_count, table_count; /* tables: of all observables */
    double *unscaled;                   /* [count][3]: velocities or spins in true units */
    uint64_t *lengths;                  /* [result_length_count], and a digest */
};

/* Creates the file under a temporary name, with all objects but without rows, and opens it for SWMR. */
carom_status result_build(result *r, const result_header *header, const result_observable *watched,
                          const carom_frame *first, error *e);

/* Gives the file its final name; !force: only if no such file exists. */
carom_status result_begin(result *r, bool force, error *e);

/* ---- result_events.c ---- */

carom_status events_new(result *r, const result_header *header, error *e);
void events_free(result *r);
static inline bool event_is_stored(const result *r, size_t field)
{
    return r->events && (field != EVENT_DURATION || r->lasting);
}
bool events_open(result *r);
bool events_end(result *r); /* writes the last block */
/* Continues with the complete blocks of the file `old`. */
bool events_copy(result *r, hid_t old, uint64_t rows, bool *damaged);

/* The error of writing after a failure. */
carom_status result_gone(const result *r, error *e);

/* Records a failed write: nothing is written afterwards. */
carom_status result_fail(result *r, error *e);

/* Flushes, then records the numbers of complete rows. */
carom_status result_flush(result *r, error *e);

/* Takes the lock and allocates. */
carom_status result_new(result **out, const char *path, const result_header *header, const result_observable *watched,
                        size_t watched_count, const carom_frame *first, error *e);

#endif
