/* Resuming a result. The rows up to the checkpoint are copied into a new file that then replaces the old one.
 * Truncating the old file would be faster, but a kill in HDF5 could destroy the whole file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/results/read.h"
#include "output/results/result_file.h"

enum { COPY_BYTES = 16 << 20 };

/* Copies the first `rows` rows. *damaged: the old file does not have them. */
static bool copy_column(const column *to, hid_t from, uint64_t rows, bool *damaged)
{
    size_t row_bytes = h5_row_elements(&to->row) * snapshot_element_size(to->row.type);
    uint64_t block = row_bytes > 0 && row_bytes < COPY_BYTES ? COPY_BYTES / row_bytes : 1;
    if (block > rows) block = rows;
    void *buffer = memory_new(block, row_bytes);
    bool done = buffer != NULL;
    for (uint64_t at = 0; done && at < rows; at += block) {
        uint64_t some = block < rows - at ? block : rows - at;
        *damaged = !h5_read_rows(from, &to->row, at, some, buffer);
        done = !*damaged && h5_append(to->dataset, &to->row, at, some, buffer);
    }
    memory_free(buffer);
    return done;
}

static bool copy_named(const column *to, hid_t old, const char *path, uint64_t rows, bool *damaged)
{
    hid_t from = H5Dopen2(old, path, H5P_DEFAULT);
    *damaged = from < 0;
    if (from < 0) return false;
    bool done = copy_column(to, from, rows, damaged);
    H5Dclose(from);
    return done;
}

static bool copy_series(table *t, hid_t old, const measure_table *shape, uint64_t rows, bool digests, bool *damaged)
{
    for (size_t i = 0; i < t->column_count; i++) {
        char *path = layout_column(shape->columns[i].name, i, true);
        bool done = path != NULL && copy_named(&t->columns[i], old, path, rows, damaged);
        memory_free(path);
        if (!done) return false;
    }
    t->rows = rows;
    return copy_named(&t->step, old, "step", rows, damaged) &&
           (!digests || copy_named(&t->digest, old, H5_DIGEST, rows, damaged));
}

/* Copies the series of an observable; `old` is the group of all observables of the old file. */
static bool copy_observable(observed *o, hid_t old, const result_observable *given, const uint64_t *lengths,
                            bool digests, bool *damaged)
{
    hid_t group = H5Gopen2(old, given->name, H5P_DEFAULT);
    *damaged = group < 0;
    bool done = group >= 0;
    for (size_t k = 0; done && k < o->table_count; k++) {
        if (!o->tables[k].series) continue;
        hid_t from = H5Gopen2(group, k == 0 ? "." : given->shape->tables[k].name, H5P_DEFAULT);
        *damaged = from < 0;
        done = from >= 0 && copy_series(&o->tables[k], from, &given->shape->tables[k], lengths[k], digests, damaged);
        if (from >= 0) H5Gclose(from);
    }
    if (group >= 0) H5Gclose(group);
    return done;
}

static bool copy_observables(result *r, hid_t old, const uint64_t *lengths, const result_observable *watched,
                             bool *damaged)
{
    hid_t group = H5Gopen2(old, LAYOUT_OBSERVABLES, H5P_DEFAULT);
    *damaged = group < 0;
    bool done = group >= 0;
    for (size_t i = 0; done && i < r->observed_count; i++) {
        done = copy_observable(&r->observed[i], group, &watched[i], lengths, r->digests, damaged);
        lengths += r->observed[i].table_count;
    }
    if (group >= 0) H5Gclose(group);
    return done;
}

static bool copy_digests(result *r, hid_t old, uint64_t frames, uint64_t merges, bool *damaged)
{
    char path[LAYOUT_GROUP];
    for (size_t i = 0; i < frame_channel_count; i++)
        if (channel_stored(i, CHANNEL_ARRAY, r->has) &&
            !copy_named(&r->array_digest[i], old, layout_digests(frame_channels[i].path, path), frames, damaged))
            return false;
    return copy_named(&r->row_digest, old, LAYOUT_ROW_DIGESTS, frames, damaged) &&
           (!r->merging ||
            copy_named(&r->merge_digest, old, layout_digests(merge_fields[MERGE_TIME].path, path), merges, damaged));
}

static bool copy_merges(result *r, hid_t old, uint64_t rows, bool *damaged)
{
    r->merge_rows = rows;
    for (size_t i = 0; r->merging && i < MERGE_FIELDS; i++)
        if (!copy_named(&r->merges[i], old, merge_fields[i].path, rows, damaged)) return false;
    return true;
}

static bool copy_rows(result *r, hid_t old, const uint64_t *lengths, const result_observable *watched, bool *damaged)
{
    for (size_t i = 0; i < frame_channel_count; i++)
        if (frame_channels[i].kind != CHANNEL_FIXED && r->has[i] &&
            !copy_named(&r->channel[i], old, frame_channels[i].path, lengths[0], damaged))
            return false;
    r->frames = lengths[0];
    const uint64_t merges = lengths[1 + r->table_count];
    return (!r->digests || copy_digests(r, old, lengths[0], merges, damaged)) && copy_merges(r, old, merges, damaged) &&
           events_copy(r, old, r->events ? lengths[2 + r->table_count] : 0, damaged) &&
           copy_observables(r, old, lengths + 1, watched, damaged);
}

static carom_status does_not_fit(const result *r, error *e)
{
    return error_set(e, CAROM_BAD_DATA,
                     "error: '%s' is damaged or does not belong to its checkpoint: it lacks frames or samples that the "
                     "checkpoint refers to; start again with --force",
                     r->path);
}

/* Copies only data that agree with their checksums. */
static carom_status check_old(const result *r, const uint64_t *lengths, error *e)
{
    reader *old;
    if (access(r->path, R_OK) != 0 || !h5_begins(r->path)) return CAROM_OK; /* reported by open_old */
    TRY(reader_open(&old, r->path, e));
    const bool fits = reader_length_count(old) == result_length_count(r);
    carom_status status = fits ? reader_check(old, lengths, e) : does_not_fit(r, e);
    reader_close(old);
    return status;
}

static carom_status open_old(const result *r, hid_t *old, error *e)
{
    struct stat there;
    if (stat(r->path, &there) != 0 || access(r->path, R_OK) != 0)
        return error_set(e, CAROM_NO_INPUT, "error: cannot resume '%s': %s", r->path, strerror(errno));
    if (!S_ISREG(there.st_mode)) return does_not_fit(r, e);
    bool live;
    *old = h5_open_read(r->path, &live);
    return *old >= 0 ? CAROM_OK : does_not_fit(r, e);
}

/* The continuation of a file of an earlier version has the same channels as that file. */
static void keep_old_channels(result *r, hid_t old)
{
    char group[LAYOUT_GROUP];
    r->digests = H5Lexists(old, LAYOUT_ROW_DIGESTS, H5P_DEFAULT) > 0;
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!r->has[i] || c->required) continue;
        const char *there = c->kind == CHANNEL_ARRAY ? layout_group(c->path, group) : c->path;
        r->has[i] = H5Lexists(old, there, H5P_DEFAULT) > 0;
    }
}

static carom_status resume(result *r, const uint64_t *lengths, size_t length_count, const result_header *header,
                           const result_observable *watched, const carom_frame *first, error *e)
{
    hid_t old = -1;
    bool damaged = false;
    if (length_count != result_length_count(r)) return does_not_fit(r, e);
    TRY(check_old(r, lengths, e));
    TRY(open_old(r, &old, e));
    keep_old_channels(r, old);
    carom_status status = result_build(r, header, watched, first, e);
    if (status == CAROM_OK && !copy_rows(r, old, lengths, watched, &damaged))
        status = damaged ? does_not_fit(r, e) : result_fail(r, e);
    H5Fclose(old);
    return status == CAROM_OK ? result_begin(r, true, e) : status;
}

carom_status result_resume(result **out, const char *path, const uint64_t *lengths, size_t length_count,
                           const result_header *header, const result_observable *watched, size_t watched_count,
                           const carom_frame *first, error *e)
{
    *out = NULL;
    if (!memory_headroom(0)) return error_memory(e, "a result file", 0);
    H5_QUIETLY;
    result *r;
    error ignored = {0};
    carom_status status = result_new(&r, path, header, watched, watched_count, first, e);
    if (status == CAROM_OK) status = resume(r, lengths, length_count, header, watched, first, e);
    *out = status == CAROM_OK ? r : NULL;
    if (status != CAROM_OK) result_close(r, &ignored);
    error_clear(&ignored);
    return status;
}

bool result_is_whole(const char *path)
{
    if (!memory_headroom(0)) return false;
    H5_QUIETLY;
    bool live = true;
    hid_t file = h5_open_read(path, &live);
    bool whole = file >= 0 && !live && H5Aexists_by_name(file, "carom", "stop", H5P_DEFAULT) > 0;
    if (file >= 0) H5Fclose(file);
    if (whole) lock_sweep(path);
    return whole;
}
