/* The result file of a run: HDF5 in the H5MD 1.1 layout (output/results/layout.h).
 *
 * It is created under a temporary name and renamed when all datasets exist. It is then written in
 * single-writer-multiple-reader mode and flushed after each frame: a kill at any time leaves a file that is valid up to
 * its last complete frame, and other programs may read it during the run. */
#ifndef CAROM_OUTPUT_RESULTS_RESULT_H
#define CAROM_OUTPUT_RESULTS_RESULT_H

#include "frame/event_log.h"
#include "frame/frame.h"
#include "measure/measure.h"
#include "output/results/links.h"

typedef struct result result;

/* Properties of a run before it starts. Texts may be NULL. */
typedef struct result_header {
    const char *version, *commit; /* of carom */
    const char *scene;            /* resolved */
    const char *title, *engine;
    const char *flags; /* notes on the run from the caller */
    uint64_t seed;
    int threads;
    const char *const *species; /* names, [species_count] */
    size_t species_count;
    const result_links *links; /* NULL: none */
    bool events, lasting;      /* the file records events; they may have a duration */
    int compression;           /* compression level of the arrays of particles in frames; 0: none */
} result_header;

/* An observable in the file. `shape` is its `result` before the first sample: names, units and widths of its values and
 * of the columns of its tables, which do not change. */
typedef struct result_observable {
    const char *name; /* key in the file */
    const char *what; /* name of the observable */
    const measure_result *shape;
} result_observable;

/* Checks before a long set-up whether result_create would find a file that it must not or cannot replace. */
carom_status result_look(const char *path, bool force, error *e);

/* Creates the file. `first` contains the data that do not change in time: dimension, count, species, ids, radii,
 * masses, boundary, gravity; it is not written as a frame. With force, an old checkpoint of the same name is removed.
 * CAROM_NO_CREATE if the file (or its checkpoint) exists and !force, if it cannot be created, or if another run is
 * writing it; CAROM_IO. */
carom_status result_create(result **out, const char *path, bool force, const result_header *header,
                           const result_observable *watched, size_t watched_count, const carom_frame *first, error *e);

/* Continues an existing file as if it ended at `lengths` (result_lengths at the checkpoint): copies the rows up to
 * there into a new file, which then replaces the old one. CAROM_NO_INPUT; CAROM_BAD_DATA: the file does not match;
 * and as of result_create. */
carom_status result_resume(result **out, const char *path, const uint64_t *lengths, size_t length_count,
                           const result_header *header, const result_observable *watched, size_t watched_count,
                           const carom_frame *first, error *e);

/* Whether the run has ended and closed the file; a kill or a full disk may occur between the last checkpoint and
 * that. Removes the lock file left by a killed run beside a complete file. */
bool result_is_whole(const char *path);

/* Records that an external force not in the scene acts: momentum need not be conserved. */
carom_status result_not_closed(result *r, error *e);

/* Records that velocities have been changed from outside between two frames. */
carom_status result_edited(result *r, error *e);

/* Appends a frame, and makes all data so far safe against a kill. After CAROM_IO the file has the contents of the last
 * complete frame, and every further call except result_close does nothing and returns CAROM_IO. */
carom_status result_frame(result *r, const carom_frame *frame, error *e);

/* Stores the results of an observable: the rows of a series that are not in the file yet (at `step`, the count of
 * events so far), after which the observable may drain; other tables as a whole; values with their errors. Call it
 * after each sample of a series, and for all at checkpoints and at the end. */
carom_status result_observe(result *r, size_t watched, uint64_t step, const measure_result *now, error *e);

/* Appends events to a file that records them. A block is written when it is complete, the last one at the end of the
 * run. */
carom_status result_events(result *r, const carom_event *events, size_t count, error *e);

/* Number of events so far, with those of the incomplete block. */
uint64_t result_event_count(const result *r);

/* The events of the incomplete block, which a checkpoint contains: [*count] of at most EVENT_BLOCK. */
const carom_event *result_pending_events(const result *r, size_t *count);

/* Flushes and syncs; called before a checkpoint that refers to the file. */
carom_status result_sync(result *r, error *e);

/* Numbers of rows of the file: frames, then each table of each observable (0 if not a series), then merges,
 * then events if the file records them. */
size_t result_length_count(const result *r);
void result_lengths(const result *r, uint64_t *lengths);

/* Marks the run as ended: reason, JSON summary, and counters of the final state. */
carom_status result_finish(result *r, const char *stop, const char *summary, const carom_frame *end, error *e);

/* Stores a checkpoint file within the result and syncs it; the checkpoint file may then be deleted. */
carom_status result_embed(result *r, const char *path, error *e);

/* Closes and frees it; also after a failure, and NULL. */
carom_status result_close(result *r, error *e);

#endif
