/* What a result file holds a frame: one table for all code that writes, copies or reads it.
 *
 *     /h5md                      version, author, creator, modules/units
 *     /particles/all/position    step, time (hard links), value [F][N][D]; velocity and image likewise
 *     /particles/all/species     [N]; id, radius, mass likewise
 *     /particles/all/cluster     step, time, value [F][N]; where the engine merges particles
 *     /particles/all/angular_velocity  ... [F][N][3]; where clusters turn
 *     /particles/all/orientation ... [F][N][3]: axes of ellipsoids, and /particles/all/semi_axes [N][3]; where there
 *     are some
 *     /particles/all/layers      ... [F][N]; where contacts have penalty layers
 *     /particles/all/box/edges   step, time, value [F][D][D]
 *     /carom/observables/<name>  values/<value>: attributes mean, error, converged;
 *                                step, time [S], of the first table where that is a series;
 *                                <column>/{step, time, value [S][...]}: its columns (step, time: hard links);
 *                                <table>/: any other series in the same way; <table>/<column> [R][...]: no series
 *     /carom                     attributes: version, commit, scene, title, engine, seed, threads, flags, stop, ...
 *     /carom/scene               the resolved scene, one byte an element
 *     /carom/complete            [3 + tables]: rows of frames, of each series, and of merges that are whole; a digest of
 *                                these (layout 2)
 *     /carom/merges              time, i, j [M]: the contact tree; where the engine merges particles
 *     /carom/springs, segments, owner, meshes  what ties particles together (output/links.h); where the engine has that
 *     /carom/summary             the JSON summary, one byte an element
 *     /carom/checkpoint          the final checkpoint of a finished run (output/embedded.h)
 *     /carom/frames              energies, counters, tallies and state hash of each frame; the ledger where one is kept
 *
 * Digests (h5.h): of the rows of /carom/frames and of each element of the particles, of merges, and of the rows of a
 * series, step included, in a dataset `digest` [F], [M] or [S] of its group; of datasets that do not grow in an
 * attribute `digest`, which is 0 in tables and the summary until the run has ended.
 *
 * Two liberties are MDAnalysis' doing (2.4): it refuses a file with a `unit` attribute that it does not know, and ours
 * are the user's own, so the kind of quantity is at `quantity`; and it reads a row of every group in /observables with
 * every frame, though a series may have its own rhythm, so ours (H5MD elements otherwise) are below /carom. */
#ifndef CAROM_OUTPUT_LAYOUT_H
#define CAROM_OUTPUT_LAYOUT_H

#include "frame/frame.h"
#include "output/h5.h"

/* What a result is called at h5md/creator, and the version of this layout. */
#define LAYOUT_CREATOR "carom"
#define LAYOUT_OBSERVABLES "carom/observables"
#define LAYOUT_ROW_DIGESTS "carom/frames/" H5_DIGEST
enum { LAYOUT_VERSION = 2, LAYOUT_FIRST = 1 }; /* 1: without checksums, texts of variable length */

/* All of a frame that is not per particle, as stored: in true units, but for the matrix of the box edges. */
typedef struct frame_row {
    uint64_t step; /* events so far, bookkeeping not counted */
    double time;
    double edges[9]; /* [D][D], packed */
    double kinetic, potential, total;
    double momentum[3];
    double dissipated; /* less what a heat bath or shearing has supplied */
    int64_t scale;
    uint64_t events[EVENT_KINDS];
    double virial[9], wall_impulse[6];
    uint64_t stabilising, three_body_again, three_body_double;
    double max_overlap;
    uint64_t state_hash;
    double springs, contact, restitution, friction, damping, work; /* where the engine keeps a ledger */
    double stretch, bend, plastic;                                 /* ... and there are shells */
    double supplied;                                               /* where a bath, thermal walls or shearing feed */
    double pair_energy;                                            /* where there are potentials in steps */
} frame_row;

typedef struct row_field {
    const char *path; /* from the root */
    const char *quantity;
    snapshot_type type;
    int rank;
    hsize_t dims[2]; /* 0: the dimension */
    size_t offset;   /* in frame_row */
} row_field;

enum { ROW_STEP, ROW_TIME, ROW_EDGES, ROW_LEDGER = 17, ROW_SHELLS = 23, ROW_PAIRS = 26, ROW_SUPPLY = 27, ROW_FIELDS };
extern const row_field
    row_fields[ROW_FIELDS]; /* from ROW_LEDGER on: where the engine keeps one; shells; pairs; supply */

/* Which of them the frames of a result have. */
typedef struct row_parts {
    bool ledger, shells, pairs, supply;
} row_parts;
row_parts row_parts_of(const carom_frame *f);
bool row_has(row_parts parts, size_t field);

/* The shape of a field's rows. */
h5_row row_shape(const row_field *field, int dimension);

frame_row frame_row_of(const carom_frame *f);

/* The digest of what is stored of it. */
uint64_t row_digest(const frame_row *row, row_parts parts, int dimension);
uint64_t merge_digest(const frame_merge *merge);

/* The digest of a row of a series: its columns' bytes, one after the other, and its step. */
uint64_t series_digest_add(uint64_t digest, const double *numbers, size_t width);
uint64_t series_digest_end(uint64_t digest, uint64_t step);

/* The per-particle arrays that change in time; those from the cluster on only where the engine knows of such. */
enum {
    PARTICLE_POSITION,
    PARTICLE_VELOCITY,
    PARTICLE_IMAGE,
    PARTICLE_CLUSTER,
    PARTICLE_SPIN,
    PARTICLE_AXIS,
    PARTICLE_LAYERS,
    PARTICLE_FIELDS
};
extern const row_field particle_fields[PARTICLE_FIELDS]; /* offsets are of pointers in carom_frame: NULL, not there */

/* The group that such a field lies in. */
enum { LAYOUT_GROUP = 48 };
const char *layout_group(const row_field *field, char out[LAYOUT_GROUP]);

/* The dataset of the digests of that group. */
const char *layout_digests(const row_field *field, char out[LAYOUT_GROUP]);

h5_row particle_shape(const row_field *field, int dimension, size_t count);

/* The digest of a row of such a field. */
uint64_t particle_digest(size_t field, const h5_row *row, const void *data);

/* ... and those that do not; from the inertia on only where the frames have them. */
enum { FIXED_SPECIES, FIXED_ID, FIXED_RADIUS, FIXED_MASS, FIXED_INERTIA, FIXED_SEMI_AXES, FIXED_FIELDS };
extern const row_field fixed_fields[FIXED_FIELDS];

/* The contact tree: a row a merge. */
enum { MERGE_TIME, MERGE_I, MERGE_J, MERGE_FIELDS };
extern const row_field merge_fields[MERGE_FIELDS]; /* offsets are in frame_merge */

/* The rows of an observable's column. */
h5_row layout_numbers(size_t width);

/* The dataset of a column, from the group of its table; freed with memory_free. NULL without memory. */
char *layout_column(const char *name, size_t index, bool series);

/* The array of a frame at a field's offset. */
void *frame_array(const carom_frame *f, const row_field *field);

/* Events that count as such: without bookkeeping. */
uint64_t events_total(const uint64_t events[EVENT_KINDS]);

#endif
