#define _GNU_SOURCE
#include "output/results/result.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "frame/blocks.h"
#include "output/results/checkpoint.h"
#include "output/results/embedded.h"
#include "output/results/result_file.h"

carom_status result_fail(result *r, error *e)
{
    r->failed = true;
    if (r->disk->failure == 0) {
        r->disk->failure = EIO;
        return error_set(e, CAROM_INTERNAL, "error: HDF5 could not write '%s'; the data written before are intact",
                         r->path);
    }
    char *beside = checkpoint_path(r->path);
    bool resumable = beside != NULL && access(beside, F_OK) == 0;
    memory_free(beside);
    return error_set(e, CAROM_IO, "error: cannot write '%s': %s; %s", r->path, strerror(r->disk->failure),
                     resumable ? "the data written before are intact: free disk space, then continue with --resume"
                               : "free disk space, then start again with --force");
}

carom_status result_gone(const result *r, error *e)
{
    return error_set(e, CAROM_IO, "error: '%s' cannot be written any more after an earlier failure", r->path);
}

carom_status result_new(result **out, const char *path, const result_header *header, const result_observable *watched,
                        size_t watched_count, const carom_frame *first, error *e)
{
    *out = NULL;
    result *r = NEW_ARRAY(1, result);
    if (r == NULL) return error_memory(e, "a result file", sizeof *r);
    r->file = -1;
    r->dimension = first->dimension;
    r->count = first->count;
    r->merging = first->cluster != NULL;
    r->digests = true;
    for (size_t i = 0; i < frame_channel_count; i++) r->has[i] = frame_stores(first, &frame_channels[i]);
    r->observed_count = watched_count;
    for (size_t i = 0; i < watched_count; i++) r->table_count += watched[i].shape->table_count;
    *out = r;
    TRY(events_new(r, header, e));
    r->path = memory_text(path);
    r->observed = NEW_ARRAY(watched_count, observed);
    r->unscaled = memory_new(first->count, 3 * sizeof(double));
    r->lengths = NEW_ARRAY(result_length_count(r) + 1, uint64_t);
    if (r->path == NULL || r->observed == NULL || r->unscaled == NULL || r->lengths == NULL)
        return error_memory(e, "a result file", first->count * 3 * sizeof(double));
    return lock_take(&r->lock, path, e);
}

/* Checks for a file that must not or cannot be replaced. */
static carom_status look_at_place(const char *path, const char *beside, bool force, error *e)
{
    struct stat there;
    if (stat(path, &there) != 0 && lstat(path, &there) == 0)
        return error_set(e, CAROM_NO_CREATE, "error: cannot create '%s': it is a broken link; choose another name",
                         path);
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode))
            return error_set(e, CAROM_NO_CREATE, "error: cannot create '%s': it is a folder; name a file in it", path);
        if (!S_ISREG(there.st_mode))
            return error_set(e, CAROM_NO_CREATE,
                             "error: cannot create '%s': it is not a regular file; choose another name", path);
        if (!force)
            return error_set(
                e, CAROM_NO_CREATE,
                "error: '%s' exists; give another output with -o, --resume to continue it, or --force to replace it",
                path);
    }
    if (!force && access(beside, F_OK) == 0)
        return error_set(e, CAROM_NO_CREATE,
                         "error: '%s' exists, though its result does not; move it away, or give --force to replace it",
                         beside);
    return CAROM_OK;
}

static carom_status look_at_folder(const char *path, error *e)
{
    char *folder = memory_text(path);
    if (folder == NULL) return error_memory(e, "a file name", strlen(path));
    char *slash = strrchr(folder, '/');
    if (slash != NULL) slash[1] = '\0';
    int failure = access(slash != NULL ? folder : ".", W_OK | X_OK) == 0 ? 0 : errno;
    memory_free(folder);
    return failure == 0 ? CAROM_OK
                        : error_set(e, CAROM_NO_CREATE,
                                    "error: cannot create '%s': %s; choose a folder that exists and can be written",
                                    path, strerror(failure));
}

carom_status result_look(const char *path, bool force, error *e)
{
    char *beside = checkpoint_path(path);
    if (beside == NULL) return error_memory(e, "a file name", strlen(path));
    carom_status status = look_at_folder(path, e);
    if (status == CAROM_OK) status = look_at_place(path, beside, force, e);
    memory_free(beside);
    return status;
}

static carom_status create(result *r, bool force, const result_header *header, const result_observable *watched,
                           const carom_frame *first, error *e)
{
    char *beside = checkpoint_path(r->path);
    if (beside == NULL) return error_memory(e, "a file name", strlen(r->path));
    carom_status status = look_at_place(r->path, beside, force, e);
    if (status == CAROM_OK) status = result_build(r, header, watched, first, e);
    if (status == CAROM_OK && force) unlink(beside); /* it belongs to the replaced result */
    if (status == CAROM_OK) status = result_begin(r, force, e);
    memory_free(beside);
    return status;
}

carom_status result_create(result **out, const char *path, bool force, const result_header *header,
                           const result_observable *watched, size_t watched_count, const carom_frame *first, error *e)
{
    *out = NULL;
    if (!memory_headroom(0)) return error_memory(e, "a result file", 0);
    H5_QUIETLY;
    result *r;
    error ignored = {0};
    carom_status status = result_new(&r, path, header, watched, watched_count, first, e);
    if (status == CAROM_OK) status = create(r, force, header, watched, first, e);
    *out = status == CAROM_OK ? r : NULL;
    if (status != CAROM_OK) result_close(r, &ignored);
    error_clear(&ignored);
    return status;
}

carom_status result_flush(result *r, error *e)
{
    const size_t count = result_length_count(r);
    result_lengths(r, r->lengths);
    r->lengths[count] = h5_digest(r->lengths, count * sizeof *r->lengths);
    if (H5Fflush(r->file, H5F_SCOPE_LOCAL) < 0 || r->disk->failure != 0 ||
        H5Dwrite(r->complete, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, r->lengths) < 0 ||
        H5Dflush(r->complete) < 0 || r->disk->failure != 0)
        return result_fail(r, e);
    return CAROM_OK;
}

/* Velocities or spins without the power of two by which a cooling gas is scaled. */
static const double *unscaled(result *r, const carom_frame *frame, const double *scaled, size_t width)
{
    if (frame->scale == 0) return scaled;
    for (size_t i = 0; i < frame->count * width; i++) r->unscaled[i] = frame_true(frame, scaled[i]);
    return r->unscaled;
}

static bool append(const column *c, uint64_t at, uint64_t rows, const void *data)
{
    return h5_append(c->dataset, &c->row, at, rows, data);
}

static bool append_merge_digests(result *r, const frame_merge *merges, uint64_t some, uint64_t *buffer)
{
    for (size_t k = 0; k < some; k++) buffer[k] = merge_digest(&merges[k]);
    return !r->digests || append(&r->merge_digest, r->merge_rows, some, buffer);
}

/* Writes the merges that are not in the file yet. */
static bool append_merges(result *r, const frame_tallies *tallies)
{
    enum { SOME = 4096 };
    uint64_t block[SOME];
    char *buffer = (char *)block;
    while (r->merging && r->merge_rows < tallies->merge_count) {
        uint64_t left = tallies->merge_count - r->merge_rows, some = left < SOME ? left : SOME;
        for (size_t i = 0; i < MERGE_FIELDS; i++) {
            size_t size = snapshot_element_size(merge_fields[i].type);
            const char *from = (const char *)(tallies->merges + r->merge_rows) + merge_fields[i].offset;
            for (size_t k = 0; k < some; k++) memcpy(buffer + k * size, from + k * sizeof(frame_merge), size);
            if (!append(&r->merges[i], r->merge_rows, some, buffer)) return false;
        }
        if (!append_merge_digests(r, tallies->merges + r->merge_rows, some, block)) return false;
        r->merge_rows += some;
    }
    return true;
}

/* An array of a frame that is being written, block by block. */
typedef struct array_writer {
    result *r;
    size_t channel;
    array_digest digest;
} array_writer;

static bool append_block(void *context, const carom_frame *block)
{
    array_writer *w = context;
    result *r = w->r;
    const frame_channel *c = &frame_channels[w->channel];
    const column *to = &r->channel[w->channel];
    const size_t width = channel_width(c, r->dimension);
    const void *data = frame_array(block, c);
    if (c->scaled) data = unscaled(r, block, data, width);
    if (r->digests) digest_add(&w->digest, data, block->count * width);
    return h5_append_part(to->dataset, &to->row, r->frames, block->first, block->count, data) && r->disk->failure == 0;
}

/* Blocks are whole chunks, of an even number of points: whole words of digests. */
static bool append_array(result *r, size_t channel, const carom_frame *frame)
{
    const frame_channel *c = &frame_channels[channel];
    array_writer w = {r, channel, digest_begin(c)};
    const size_t chunk = h5_chunk_elements(&r->channel[channel].row);
    if (!frame_each_block(frame, c->column, chunk % 2 == 0 ? chunk : 2 * chunk, append_block, &w)) return false;
    const uint64_t digest = digest_end(&w.digest);
    return !r->digests || append(&r->array_digest[channel], r->frames, 1, &digest);
}

static bool append_arrays(result *r, const carom_frame *frame)
{
    for (size_t i = 0; i < frame_channel_count; i++) {
        if (!channel_stored(i, CHANNEL_ARRAY, r->has)) continue;
        if (!append_array(r, i, frame)) return false;
        frame_release(frame, frame_channels[i].column);
    }
    return true;
}

static bool append_numbers(result *r, const carom_frame *frame)
{
    const frame_row row = frame_row_of(frame);
    for (size_t i = 0; i < frame_channel_count; i++)
        if (channel_stored(i, CHANNEL_NUMBERS, r->has) &&
            !append(&r->channel[i], r->frames, 1, (const char *)&row + frame_channels[i].offset))
            return false;
    const uint64_t digest = row_digest(&row, r->has, r->dimension);
    return !r->digests || append(&r->row_digest, r->frames, 1, &digest);
}

/* Whether the frame has all arrays that the file has. */
static bool fits(const result *r, const carom_frame *frame)
{
    if (frame->dimension != r->dimension || frame->count != r->count) return false;
    for (size_t i = 0; i < frame_channel_count; i++)
        if (channel_stored(i, CHANNEL_ARRAY, r->has) && !frame_has(frame, &frame_channels[i])) return false;
    return (frame->cluster != NULL) == r->merging;
}

carom_status result_frame(result *r, const carom_frame *frame, error *e)
{
    H5_QUIETLY;
    if (r->failed) return result_gone(r, e);
    if (!fits(r, frame))
        return error_set(e, CAROM_INTERNAL, "error: a frame of %zu particles does not fit a result of %zu",
                         frame->count, r->count);
    if (!append_arrays(r, frame) || !append_numbers(r, frame) || !append_merges(r, &frame->tallies))
        return result_fail(r, e);
    r->frames++;
    return result_flush(r, e);
}

carom_status result_not_closed(result *r, error *e)
{
    H5_QUIETLY;
    const uint8_t closed = 0;
    if (r->failed) return result_gone(r, e);
    return h5_attribute_set(r->root, "closed", SNAPSHOT_U8, &closed) ? CAROM_OK : result_fail(r, e);
}

carom_status result_edited(result *r, error *e)
{
    H5_QUIETLY;
    const uint8_t edited = 1;
    if (r->failed) return result_gone(r, e);
    return h5_attribute_set(r->root, "edited", SNAPSHOT_U8, &edited) ? CAROM_OK : result_fail(r, e);
}

static bool append_series_digest(const result *r, table *t, size_t row, uint64_t step, const measure_table *now)
{
    uint64_t digest = HASH_START;
    for (size_t i = 0; i < t->column_count; i++) {
        const size_t width = now->columns[i].width;
        digest = series_digest_add(digest, now->columns[i].data + row * width, width);
    }
    digest = series_digest_end(digest, step);
    return !r->digests || append(&t->digest, t->rows, 1, &digest);
}

/* Writes the rows that are not in the file yet. */
static bool append_rows(const result *r, table *t, uint64_t step, const measure_table *now)
{
    for (; t->rows < now->first_row + now->rows; t->rows++) {
        size_t row = t->rows - now->first_row;
        for (size_t i = 0; i < t->column_count; i++)
            if (!append(&t->columns[i], t->rows, 1, now->columns[i].data + row * now->columns[i].width)) return false;
        if (!append(&t->step, t->rows, 1, &step) || !append_series_digest(r, t, row, step, now)) return false;
    }
    return true;
}

static bool write_whole(table *t, const measure_table *now)
{
    for (size_t i = 0; i < t->column_count; i++) {
        const measure_column *from = &now->columns[i];
        if (!append(&t->columns[i], 0, now->rows, from->data)) return false;
        t->columns[i].seal = h5_digest(from->data, now->rows * from->width * sizeof *from->data);
    }
    return true;
}

static bool write_value(hid_t group, const measure_value *value)
{
    const uint8_t converged = value->converged;
    return h5_attribute_set(group, "mean", SNAPSHOT_F64, value->mean) &&
           h5_attribute_set(group, "error", SNAPSHOT_F64, value->error) &&
           h5_attribute_set(group, "converged", SNAPSHOT_U8, &converged);
}

/* Whether the results of an observable have their initial shape and all rows that are not in the file yet. */
static bool same_shape(const observed *o, const measure_result *now)
{
    if (now->table_count != o->table_count || now->value_count != o->value_count) return false;
    for (size_t i = 0; i < o->table_count; i++) {
        const measure_table *table_now = &now->tables[i];
        const table *t = &o->tables[i];
        if (table_now->column_count != t->column_count || table_now->series != t->series) return false;
        if (t->series && t->rows < table_now->first_row) return false;
        for (size_t c = 0; c < t->column_count; c++)
            if (table_now->columns[c].width != h5_row_elements(&t->columns[c].row)) return false;
    }
    return true;
}

carom_status result_observe(result *r, size_t watched, uint64_t step, const measure_result *now, error *e)
{
    H5_QUIETLY;
    if (r->failed) return result_gone(r, e);
    observed *o = &r->observed[watched];
    if (!same_shape(o, now))
        return error_set(e, CAROM_INTERNAL, "error: observable %zu has changed its shape or lost rows", watched);
    for (size_t i = 0; i < o->table_count; i++) {
        table *t = &o->tables[i];
        if (!(t->series ? append_rows(r, t, step, &now->tables[i]) : write_whole(t, &now->tables[i])))
            return result_fail(r, e);
    }
    for (size_t i = 0; i < o->value_count; i++)
        if (!write_value(o->values[i], &now->values[i])) return result_fail(r, e);
    return CAROM_OK;
}

carom_status result_sync(result *r, error *e)
{
    H5_QUIETLY;
    if (r->failed) return result_gone(r, e);
    TRY(result_flush(r, e));
    if (fsync(r->disk->fd) != 0) r->disk->failure = errno;
    return r->disk->failure == 0 ? CAROM_OK : result_fail(r, e);
}

size_t result_length_count(const result *r)
{
    return 2 + r->table_count + (r->events ? 1 : 0);
}

void result_lengths(const result *r, uint64_t *lengths)
{
    *lengths++ = r->frames;
    for (size_t i = 0; i < r->observed_count; i++)
        for (size_t k = 0; k < r->observed[i].table_count; k++) *lengths++ = r->observed[i].tables[k].rows;
    *lengths++ = r->merge_rows;
    if (r->events) *lengths = r->event_rows;
}

/* During the run a kill may leave a table and its digest from different times. */
static bool seal_tables(const result *r)
{
    for (size_t k = 0; k < r->observed_count; k++)
        for (size_t i = 0; i < r->observed[k].table_count; i++) {
            const table *t = &r->observed[k].tables[i];
            for (size_t c = 0; c < t->column_count && !t->series; c++)
                if (!h5_seal(t->columns[c].dataset, t->columns[c].seal, false)) return false;
        }
    return true;
}

carom_status result_finish(result *r, const char *stop, const char *summary, const carom_frame *end, error *e)
{
    H5_QUIETLY;
    if (r->failed) return result_gone(r, e);
    char hash[H5_WORD];
    frame_need(end, FRAME_HASH);
    snprintf(hash, sizeof hash, "%016" PRIx64, end->state_hash);
    if (!events_end(r)) return result_fail(r, e);
    TRY(result_flush(r, e));
    if (!append(&r->summary, 0, strlen(summary), summary) ||
        !h5_seal(r->summary.dataset, h5_digest(summary, strlen(summary)), false) || !seal_tables(r) ||
        !h5_word(r->root, "state_hash", hash, false) || !h5_attribute_set(r->root, "time", SNAPSHOT_F64, &end->time) ||
        !h5_attribute_set(r->root, "events", SNAPSHOT_U64, end->events) || !h5_word(r->root, "stop", stop, false))
        return result_fail(r, e);
    return result_sync(r, e);
}

static carom_status embed(result *r, hid_t dataset, int fd, const char *path, error *e)
{
    uint64_t bytes;
    int failure;
    const bool done = embedded_store(dataset, fd, &bytes, &failure);
    if (failure == ENOMEM) return error_memory(e, "a checkpoint", 0);
    if (failure != 0) return error_set(e, CAROM_IO, "error: cannot read checkpoint '%s': %s", path, strerror(failure));
    if (!done) return result_fail(r, e);
    TRY(result_flush(r, e)); /* data first: a kill must not leave the size without the data */
    return embedded_seal(dataset, bytes) ? result_sync(r, e) : result_fail(r, e);
}

carom_status result_embed(result *r, const char *path, error *e)
{
    H5_QUIETLY;
    if (r->failed) return result_gone(r, e);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return error_set(e, CAROM_IO, "error: cannot open checkpoint '%s': %s", path, strerror(errno));
    hid_t dataset = H5Dopen2(r->file, EMBEDDED_PATH, H5P_DEFAULT);
    carom_status status = dataset >= 0 ? embed(r, dataset, fd, path, e) : result_fail(r, e);
    if (dataset >= 0) H5Dclose(dataset);
    close(fd);
    return status;
}

static void free_observed(observed *o)
{
    for (size_t i = 0; i < o->table_count; i++) memory_free(o->tables[i].columns);
    memory_free(o->tables);
    memory_free(o->values);
}

carom_status result_close(result *r, error *e)
{
    if (r == NULL) return CAROM_OK;
    H5_QUIETLY;
    carom_status status = CAROM_OK;
    if (r->file >= 0) {
        if (!r->failed && r->aside == NULL) status = result_flush(r, e);
        H5Fclose(r->file);
    }
    if (r->aside != NULL) unlink(r->aside);
    lock_drop(&r->lock);
    for (size_t i = 0; i < r->observed_count && r->observed != NULL; i++) free_observed(&r->observed[i]);
    events_free(r);
    memory_free(r->observed);
    memory_free(r->unscaled);
    memory_free(r->lengths);
    memory_free(r->path);
    memory_free(r->aside);
    memory_free(r);
    return status;
}
