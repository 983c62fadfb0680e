/* The parts of HDF5 that result files need: datasets that grow by rows, fixed arrays, attributes. Functions return
 * false (or a negative id) on failure; the caller creates the message. */
#ifndef CAROM_OUTPUT_RESULTS_H5_H
#define CAROM_OUTPUT_RESULTS_H5_H

#include <hdf5.h>
#include <stdbool.h>

#include "base/error.h"
#include "frame/snapshot.h"

/* HDF5 prints its error stack to stderr by default. The setting belongs to the program and is restored. */
typedef struct h5_quiet {
    H5E_auto2_t function;
    void *data;
} h5_quiet;

h5_quiet h5_silence(void);
void h5_restore(h5_quiet *quiet);

/* Whether a call has failed for lack of memory since the start of the outermost silence. */
bool h5_no_memory(void);

/* Likewise, whether a file could not be opened since other code of this process has opened it with other settings. */
bool h5_open_elsewhere(void);

/* Disables messages until the end of the block. */
#define H5_QUIETLY __attribute__((cleanup(h5_restore), unused)) h5_quiet h5_quiet_ = h5_silence()

/* Access list of all files of carom: the newest format (required by SWMR), no HDF5 locks (see
 * output/results/lock.h). */
hid_t h5_access(void);

/* Opens for reading, also files marked as being written (*live), by a run or by one that was killed. Negative on
 * failure. */
hid_t h5_open_read(const char *path, bool *live);

/* Whether the file is marked as being written at present. */
bool h5_live(const char *path);

/* A read of a file that is being written may overlap with a write: waits, longer each time, before another read.
 * False if the file is not live, or after about two seconds; `looks` counts from 0. */
bool h5_look_again(bool live, int *looks);

/* Whether a file starts with the signature of HDF5. */
bool h5_begins(const char *path);

/* Creates a group and its parents, in which attributes can be rewritten under SWMR. */
hid_t h5_group(hid_t parent, const char *name);

hid_t h5_native(snapshot_type type);

/* The shape of one row: up to two axes after the first, none for a number. */
typedef struct h5_row {
    snapshot_type type;
    int rank;
    hsize_t dims[2];
    bool unused; /* the fill value UINT32_MAX marks unused elements (H5MD: ids of particles that are not there) */
} h5_row;

hsize_t h5_row_elements(const h5_row *row);

/* Checksums: each chunk has one of HDF5 (Fletcher32), which readers of all programs check. The checksum of a block
 * of zeros is zero, and a chunk in the place of another is valid; all stored data therefore also have a digest, a
 * 64-bit hash. For datasets that are written once it is an attribute, for rows a dataset in the same group (layout.h).
 * Pages: result_build.c. */
#define H5_DIGEST "digest"
enum { H5_PAGE = 4096, H5_CHECKSUM = 4 };

uint64_t h5_digest(const void *data, size_t bytes);

/* Creates or sets that attribute; 0: not yet known. */
bool h5_seal(hid_t dataset, uint64_t digest, bool create);

/* Whether a whole dataset agrees with its digest; true without a digest. */
bool h5_sealed(hid_t dataset, const void *data, size_t bytes);

/* An empty dataset that grows by rows; negative on failure. `deflate`: level of compression, 0 for none; only for rows
 * that have chunks of their own. */
hid_t h5_column(hid_t group, const char *name, const h5_row *row, int deflate);

/* The same for rows that are written in blocks of `rows`, each once: a block is a chunk. */
hid_t h5_block_column(hid_t group, const char *name, const h5_row *row, hsize_t rows, int deflate);

/* Writes `rows` rows from row `at` on; the last of them becomes the end of the dataset. */
bool h5_append(hid_t dataset, const h5_row *row, hsize_t at, hsize_t rows, const void *data);

/* Writes a part of row `at`, the last one: elements of its first axis from `first` on. Parts are written one after the
 * other, each in whole chunks of that many elements, except the last. */
bool h5_append_part(hid_t dataset, const h5_row *row, hsize_t at, hsize_t first, hsize_t count, const void *data);
hsize_t h5_chunk_elements(const h5_row *row);

/* Reads rows. Returns false as well if the shape of the dataset is not that of `row`, if it has fewer rows, or if a
 * complete read does not agree with the digest. */
bool h5_read_rows(hid_t dataset, const h5_row *row, hsize_t at, hsize_t rows, void *data);

/* Number of rows; -1 if the shape is not that of `row`. */
int64_t h5_rows(hid_t dataset, const h5_row *row);

/* Creates a dataset of fixed size, with its values and its digest. */
bool h5_fixed(hid_t group, const char *name, snapshot_type type, hsize_t count, const void *data);

/* The same for rows of `width` elements; 0: single ones. */
bool h5_fixed_rows(hid_t group, const char *name, snapshot_type type, hsize_t count, hsize_t width, const void *data);

/* The same for any type, left open and without a digest; negative on failure. */
hid_t h5_fixed_open(hid_t group, const char *name, hid_t type, hsize_t count, hsize_t width, const void *data);

/* Texts have a fixed length: those of variable length are stored without checksums, and HDF5 1.10 crashes if they
 * are damaged. Short ones are attributes. Others are datasets of the same name in the group `object`, since an
 * attribute has at most 64 kB, and rewritten data must lie within a page. Reading accepts both, and texts of
 * variable length of earlier files (h5_check.h). */
bool h5_text(hid_t object, const char *name, const char *text);
bool h5_text_variable(hid_t object, const char *name,
                      const char *text); /* for readers of exports that require variable length */
bool h5_text_dataset(hid_t group, const char *name, const char *text); /* of any length: bytes */
bool h5_texts(hid_t object, const char *name, const char *const *texts, hsize_t count);
char *h5_text_read(hid_t object, const char *name); /* freed with memory_free; NULL if it does not exist */

/* CAROM_BAD_DATA (without a text) if they do not exist. */
carom_status h5_texts_read(hid_t object, const char *name, char ***texts, size_t *count, error *e);
void h5_texts_free(char **texts, size_t count);

bool h5_attribute_write(hid_t object, const char *name, hid_t type, hid_t space, const void *data);

/* Numeric attributes; count 0 creates a scalar. `h5_attribute_set` rewrites an existing one (allowed under SWMR). */
bool h5_attribute(hid_t object, const char *name, snapshot_type type, hsize_t count, const void *data);
bool h5_attribute_set(hid_t object, const char *name, snapshot_type type, const void *data);
bool h5_attribute_read(hid_t object, const char *name, snapshot_type type, hsize_t count, void *data);
int64_t h5_attribute_count(hid_t object, const char *name); /* elements; -1 if it does not exist */

/* Text of fixed capacity, which may be written again under SWMR. */
enum { H5_WORD = 32 };
bool h5_word(hid_t object, const char *name, const char *text, bool create);
bool h5_word_read(hid_t object, const char *name, char text[H5_WORD]);

#endif
