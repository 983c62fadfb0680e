/* Contents of a result file: one table for all code that writes, copies or reads it.
 *
 *     /h5md                      version, author, creator, modules/units
 *     /particles/all/position    step, time (hard links), value [F][N][D]; velocity and image likewise
 *     /particles/all/species     [N]; id, radius, mass likewise
 *     /particles/all/cluster     step, time, value [F][N]; if the engine merges particles
 *     /particles/all/angular_velocity  ... [F][N][3]; if particles or clusters rotate
 *     /particles/all/orientation ... [F][N][3]: axes of bodies, and /particles/all/semi_axes [N][3]; if not
 *                                all are spheres
 *     /particles/all/layers      ... [F][N]; if contacts have penalty layers
 *     /particles/all/box/edges   step, time, value [F][D][D]
 *     /carom/observables/<name>  values/<value>: attributes mean, error, converged;
 *                                step, time [S], of the first table if that is a series;
 *                                <column>/{step, time, value [S][...]}: its columns (step, time: hard links);
 *                                <table>/: any other series in the same way; <table>/<column> [R][...]: no series
 *     /carom                     attributes: version, commit, scene, title, engine, seed, threads, flags, stop, ...
 *     /carom/scene               the resolved scene, one byte per element
 *     /carom/complete            [3 + tables]: complete rows of frames, of each series, of merges and (if
 *                                there are any) of events; a digest of these (layout 2)
 *     /carom/merges              time, i, j [M]: the contact tree; if the engine merges particles
 *     /carom/events              time, kind, i, j, i_type, j_type [E], normal, impulse [E][D], duration [E] (impacts of
 *                                engines with layers); if the scene requests it. In blocks of EVENT_BLOCK rows
 *     /carom/springs, segments, owner, meshes  connections of particles (output/results/links.h); if the engine has
 *                                them
 *     /carom/summary             the JSON summary, one byte per element
 *     /carom/checkpoint          the final checkpoint of a finished run (output/results/embedded.h)
 *     /carom/frames              energies, counters, tallies and state hash of each frame; the energy balance,
 *                                if the engine has one
 *
 * Digests (h5.h): of the rows of /carom/frames and of each element of the particles, of merges, and of the rows of a
 * series, step included, in a dataset `digest` [F], [M] or [S] of its group; of datasets that do not grow in an
 * attribute `digest`, which is 0 in tables and the summary until the run has ended.
 *
 * Two deviations from H5MD are for MDAnalysis (2.4). It refuses a file with a `unit` attribute with an unknown value;
 * since units of carom are those of the scene, the attribute `quantity` has the kind of quantity instead. It also reads
 * one row of every group in /observables with every frame; since series of carom may have other times than frames, they
 * are (otherwise as H5MD elements) below /carom. */
#ifndef CAROM_OUTPUT_RESULTS_LAYOUT_H
#define CAROM_OUTPUT_RESULTS_LAYOUT_H

#include "frame/channels.h"
#include "frame/event_log.h"
#include "output/results/h5.h"

/* Value of h5md/creator, and the version of this layout. */
#define LAYOUT_CREATOR "carom"
#define LAYOUT_OBSERVABLES "carom/observables"
#define LAYOUT_STEP "particles/all/position/step"
#define LAYOUT_TIME "particles/all/position/time"
#define LAYOUT_ROW_DIGESTS "carom/frames/" H5_DIGEST
enum { LAYOUT_VERSION = 2, LAYOUT_FIRST = 1 }; /* 1: without checksums, texts of variable length */

/* The shape of a row of a channel: all bodies of an array, numbers of a frame. */
h5_row channel_shape(const frame_channel *c, int dimension, size_t count);

/* The digest of a row of an array, which is added in parts: all except the last are whole words of 8 bytes, also as
 * 32-bit integers. */
typedef struct array_digest {
    snapshot_type type;
    bool narrow; /* integers, and all fit in 32 bits */
    uint64_t hash, hash_of_narrow;
} array_digest;

array_digest digest_begin(const frame_channel *c);
void digest_add(array_digest *d, const void *data, size_t count);
uint64_t digest_end(const array_digest *d);

/* The digest of the numbers of a frame that are in a file: has[i] of channel i. */
uint64_t row_digest(const frame_row *row, const bool has[FRAME_CHANNELS_MOST], int dimension);

/* Whether files have a dataset of that kind for channel i, given `has`. */
static inline bool channel_stored(size_t i, channel_kind kind, const bool has[FRAME_CHANNELS_MOST])
{
    return frame_channels[i].kind == kind && has[i];
}

/* A dataset that grows by rows. */
typedef struct row_field {
    const char *path; /* from the root */
    const char *quantity;
    snapshot_type type;
    size_t offset;
} row_field;

uint64_t merge_digest(const frame_merge *merge);

/* The digest of a row of a series: the bytes of its columns, one after the other, and its step. */
uint64_t series_digest_add(uint64_t digest, const double *numbers, size_t width);
uint64_t series_digest_end(uint64_t digest, uint64_t step);

/* The group that contains a dataset. */
enum { LAYOUT_GROUP = 48 };
const char *layout_group(const char *path, char out[LAYOUT_GROUP]);

/* The dataset of the digests of that group. */
const char *layout_digests(const char *path, char out[LAYOUT_GROUP]);

/* The contact tree: one row for each merge. */
enum { MERGE_TIME, MERGE_I, MERGE_J, MERGE_FIELDS };
extern const row_field merge_fields[MERGE_FIELDS]; /* offsets are in frame_merge */

/* Events: blocks of EVENT_BLOCK rows, each of which is written once, as one chunk of each dataset, and may be
 * compressed. The last block of a finished run may be shorter. `digest` has one number for each block. */
enum {
    EVENT_TIME,
    EVENT_DURATION,
    EVENT_KIND,
    EVENT_I,
    EVENT_J,
    EVENT_I_TYPE,
    EVENT_J_TYPE,
    EVENT_NORMAL,
    EVENT_IMPULSE,
    EVENT_FIELDS
};
enum { EVENT_BLOCK = 4096 };
#define LAYOUT_EVENTS "carom/events"

typedef struct event_field {
    const char *path; /* from the root */
    const char *quantity;
    snapshot_type type; /* in the file */
    bool vector;
    size_t offset, bytes; /* place of the number, or of the first component, in carom_event, and its size */
} event_field;
extern const event_field event_fields[EVENT_FIELDS];

h5_row event_shape(const event_field *field, int dimension);

/* Copies a member of `count` events to a column of the file, and back. A column has room for three doubles for each
 * event. */
void event_gather(const event_field *field, int dimension, const carom_event *events, size_t count, void *column);
void event_scatter(const event_field *field, int dimension, carom_event *events, size_t count, const void *column);

/* The digest of a block: of its columns, one after the other. */
uint64_t event_digest_add(uint64_t digest, const event_field *field, int dimension, size_t count, const void *column);

/* The rows of a column of an observable. */
h5_row layout_numbers(size_t width);

/* The dataset of a column, from the group of its table; freed with memory_free. NULL without memory. */
char *layout_column(const char *name, size_t index, bool series);

#endif
