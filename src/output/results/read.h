/* Reading a result file: finished, being written by a run, or left behind by one that was killed. */
#ifndef CAROM_OUTPUT_RESULTS_READ_H
#define CAROM_OUTPUT_RESULTS_READ_H

#include "output/results/checkpoint.h"
#include "output/results/layout.h"
#include "output/results/links.h"

typedef struct reader_column {
    char *name, *quantity;
    size_t width;
} reader_column;

typedef struct reader_table {
    char *name;
    bool series;
    uint64_t rows;
    reader_column *columns;
    size_t column_count;
} reader_table;

typedef struct reader_value {
    char *name, *quantity;
    size_t width;
    double mean[9], error[9]; /* NAN: unknown */
    bool converged;
    bool setting; /* repeats a setting of the observable */
} reader_value;

typedef struct reader_observable {
    char *name, *what;
    reader_value *values;
    size_t value_count;
    reader_table *tables;
    size_t table_count;
} reader_observable;

/* Properties of the run. Texts are "" if absent. */
typedef struct result_about {
    char *version, *commit, *scene, *title, *engine, *flags;
    char *summary;                           /* JSON; "" while the run has not ended */
    int32_t layout;                          /* 0: unknown */
    char stop[H5_WORD], state_hash[H5_WORD]; /* "none" and "" likewise */
    bool live;                               /* marked as being written: by a run, or by one that was killed */
    uint64_t seed;
    int threads, dimension;
    size_t count;    /* points: particles, then the vertices of meshes */
    size_t vertices; /* number of vertices */
    uint64_t frames;
    bool has[FRAME_CHANNELS_MOST]; /* which channels are stored (frame/channels.h) */
    uint64_t merges;               /* number stored */
    bool events_stored, lasting;   /* whether events are stored; with durations */
    uint64_t event_rows;           /* number stored */
    int boundary[3];
    double gravity[3];
    double shear;                 /* rate; 0: none */
    bool edited;                  /* velocities were changed from outside during the run */
    double leeway;                /* of contact distances */
    double grain;                 /* of the engine's numbers, if coarser than double; else 0 */
    double time;                  /* of the end, or of the last frame */
    uint64_t events[EVENT_KINDS]; /* likewise */
    char **species;
    size_t species_count;
    bool digests;        /* growing datasets have digests */
    uint64_t checkpoint; /* bytes of the checkpoint within it; 0: none */
    uint64_t bytes;      /* of the file */
    reader_observable *observables;
    size_t observable_count;
} result_about;

/* Whether the frames have this array: ABOUT_HAS(about, cluster). */
#define ABOUT_HAS(about, array) ((about)->has[FRAME_CHANNEL(array)])

/* Whether they have the ledger of an engine with forces. */
bool about_has_ledger(const result_about *about);

static inline size_t about_particles(const result_about *about)
{
    return about->count - about->vertices;
}

typedef struct reader reader;

/* CAROM_NO_INPUT. CAROM_BAD_DATA: not a result of carom, or damaged. */
carom_status reader_open(reader **out, const char *path, error *e);
void reader_close(reader *r);

/* Whether `path` refers to the file that is read. */
bool reader_is(const reader *r, const char *path);
const char *reader_path(const reader *r);
const result_about *reader_about(const reader *r);

/* Updates the number of frames of a file that is being written, and whether it still is (about.live). Other
 * properties remain those at opening. */
carom_status reader_refresh(reader *r, error *e);

/* Creates a frame of the right size with the constant properties. */
carom_status reader_frame_create(const reader *r, carom_frame *f, error *e);

/* Fills such a frame with number `index` < frames. Velocities carry 2^scale again. */
carom_status reader_frame(const reader *r, uint64_t index, carom_frame *f, error *e);

/* Column `column` of table `table` of an observable in about.observables: *data is [rows][width]. Caller frees with
 * memory_free. */
carom_status reader_numbers(const reader *r, const reader_observable *o, size_t table, size_t column, double **data,
                            error *e);

/* The contact tree, [about.merges] in order of time. Caller frees with memory_free. */
carom_status reader_merges(const reader *r, frame_merge **merges, error *e);

/* Reads the block of events number `block`, from 0: *count of them. */
carom_status reader_event_block(const reader *r, uint64_t block, carom_event events[EVENT_BLOCK], size_t *count,
                                error *e);

/* Reads all stored data and compares them with their checksums. `lengths` (result.h): number of rows to check; NULL:
 * all complete rows. CAROM_BAD_DATA names the damaged data. */
carom_status reader_check(const reader *r, const uint64_t *lengths, error *e);

/* Of such lengths. */
size_t reader_length_count(const reader *r);

/* The embedded checkpoint; CAROM_NO_INPUT: none. */
carom_status reader_checkpoint(const reader *r, checkpoint *c, error *e);

/* Springs, segments, bodies, ...; empty if nothing is stored. Freed with links_free. */
carom_status reader_links(const reader *r, result_links *links, error *e);

/* The numbers stored with a frame. */
carom_status reader_row(const reader *r, uint64_t index, frame_row *row, error *e);
carom_status reader_rows(const reader *r, uint64_t first, uint64_t count, frame_row *rows, error *e); /* [count] */

#endif
