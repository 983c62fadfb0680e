#define _GNU_SOURCE
#include "output/results/read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/results/embedded.h"
#include "output/results/h5_check.h"
#include "output/results/read_about.h"
#include "output/results/read_file.h"

struct reader {
    char *path;
    struct stat there; /* at opening */
    hid_t file;
    hid_t channel[FRAME_CHANNELS_MOST];
    hid_t row_digests, array_digests[FRAME_CHANNELS_MOST]; /* if about.digests */
    result_about about;
};

const char *reader_path(const reader *r)
{
    return r->path;
}

const result_about *reader_about(const reader *r)
{
    return &r->about;
}

hid_t reader_file(const reader *r)
{
    return r->file;
}

carom_status reader_broken(const reader *r, const char *what, error *e)
{
    if (h5_no_memory()) return error_memory(e, what, 0);
    return error_set(e, CAROM_BAD_DATA, "error: '%s' is damaged: its '%s' cannot be read", r->path, what);
}

/* Whether channel i has a row per frame. */
static bool grows(const reader *r, size_t i)
{
    return r->about.has[i] && frame_channels[i].kind != CHANNEL_FIXED;
}

static bool is_array(const reader *r, size_t i)
{
    return channel_stored(i, CHANNEL_ARRAY, r->about.has);
}

static h5_row shape_of(const reader *r, size_t i)
{
    return channel_shape(&frame_channels[i], r->about.dimension, r->about.count);
}

/* Number of frames in all datasets, limited to complete ones; of a finished run all complete frames must exist. */
static carom_status count_frames(reader *r, error *e)
{
    result_about *about = &r->about;
    for (size_t i = 0; i < frame_channel_count; i++) {
        if (!grows(r, i)) continue;
        const h5_row row = shape_of(r, i);
        r->channel[i] = H5Dopen2(r->file, frame_channels[i].path, H5P_DEFAULT);
        int64_t rows = r->channel[i] >= 0 ? h5_rows(r->channel[i], &row) : -1;
        bool short_of_end = (uint64_t)rows < about->frames && strcmp(about->stop, "none") != 0;
        if (rows < 0 || short_of_end) return reader_broken(r, frame_channels[i].path, e);
        if ((uint64_t)rows < about->frames) about->frames = (uint64_t)rows;
    }
    return CAROM_OK;
}

static carom_status open_digests(reader *r, error *e)
{
    char path[LAYOUT_GROUP] = LAYOUT_ROW_DIGESTS;
    if (!r->about.digests) return CAROM_OK;
    r->row_digests = H5Dopen2(r->file, path, H5P_DEFAULT);
    bool done = r->row_digests >= 0;
    for (size_t i = 0; done && i < frame_channel_count; i++) {
        if (!is_array(r, i)) continue;
        r->array_digests[i] = H5Dopen2(r->file, layout_digests(frame_channels[i].path, path), H5P_DEFAULT);
        done = r->array_digests[i] >= 0;
    }
    return done ? CAROM_OK : reader_broken(r, path, e);
}

static carom_status not_a_result(const char *path, const char *what, error *e)
{
    return error_set(e, CAROM_BAD_DATA, "error: '%s' is %s, not a result of carom", path, what);
}

static carom_status open_file(reader *r, error *e)
{
    struct stat there = {0};
    if (stat(r->path, &there) != 0 || access(r->path, R_OK) != 0)
        return error_set(e, CAROM_NO_INPUT, "error: cannot open '%s': %s", r->path, strerror(errno));
    if (S_ISDIR(there.st_mode)) return not_a_result(r->path, "a folder", e);
    if (!S_ISREG(there.st_mode)) return not_a_result(r->path, "not a regular file", e);
    r->there = there;
    r->about.bytes = (uint64_t)there.st_size;
    r->file = h5_open_read(r->path, &r->about.live);
    char where[H5_WHERE];
    if (r->file >= 0) return h5_check(r->file, r->path, where) ? CAROM_OK : reader_broken(r, where, e);
    if (h5_no_memory()) return error_memory(e, "an HDF5 file", 0);
    if (h5_open_elsewhere())
        return error_set(
            e, CAROM_NO_INPUT,
            "error: '%s' is open in this process by other code that uses HDF5 (such as h5py); close it there "
            "first",
            r->path);
    return h5_begins(r->path)
               ? error_set(
                     e, CAROM_BAD_DATA,
                     "error: '%s' is damaged: HDF5 cannot open it; copy it again, or run its scene again with --force",
                     r->path)
               : not_a_result(r->path, "no HDF5 file", e);
}

static carom_status read_about(reader *r, error *e)
{
    if (H5Lexists(r->file, "carom", H5P_DEFAULT) <= 0)
        return not_a_result(r->path,
                            H5Lexists(r->file, "h5md", H5P_DEFAULT) > 0 ? "an H5MD file of another program"
                                                                        : "some other HDF5 file",
                            e);
    const char *fault = NULL;
    carom_status status = about_read(&r->about, r->file, &fault, e);
    if (status == CAROM_BAD_DATA && r->about.layout != 0 &&
        (r->about.layout < LAYOUT_FIRST || r->about.layout > LAYOUT_VERSION))
        return error_set(e, CAROM_BAD_DATA,
                         "error: '%s' has layout %d, this carom reads %d; it was written by carom %s (%s)", r->path,
                         (int)r->about.layout, (int)LAYOUT_VERSION, r->about.version, r->about.commit);
    if (status == CAROM_BAD_DATA) return reader_broken(r, fault, e);
    TRY(status);
    TRY(count_frames(r, e));
    TRY(open_digests(r, e));
    if (r->about.frames > 0 && strcmp(r->about.stop, "none") == 0) {
        frame_row row;
        TRY(reader_row(r, r->about.frames - 1, &row, e));
        r->about.time = row.f.time;
        memcpy(r->about.events, row.f.events, sizeof row.f.events);
    }
    return CAROM_OK;
}

carom_status reader_open(reader **out, const char *path, error *e)
{
    *out = NULL;
    if (!memory_headroom(0)) return error_memory(e, "an HDF5 file", 0);
    H5_QUIETLY;
    reader *r = NEW_ARRAY(1, reader);
    if (r == NULL) return error_memory(e, "a reader", sizeof *r);
    r->file = -1;
    r->path = memory_text(path);
    carom_status status = r->path != NULL ? open_file(r, e) : error_memory(e, "a file name", strlen(path));
    if (status == CAROM_OK) status = read_about(r, e);
    if (status != CAROM_OK) {
        reader_close(r);
        return status;
    }
    *out = r;
    return CAROM_OK;
}

void reader_close(reader *r)
{
    if (r == NULL) return;
    H5_QUIETLY;
    if (r->file >= 0) H5Fclose(r->file);
    about_free(&r->about);
    memory_free(r->path);
    memory_free(r);
}

bool reader_is(const reader *r, const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && there.st_dev == r->there.st_dev && there.st_ino == r->there.st_ino;
}

/* Numbers of complete frames and events at present. */
static bool read_lengths(const reader *r, uint64_t *frames, uint64_t *events)
{
    static const h5_row number = {.type = SNAPSHOT_U64};
    hid_t complete = H5Dopen2(r->file, "carom/complete", H5P_DEFAULT);
    const int64_t count = complete >= 0 ? h5_rows(complete, &number) : -1;
    bool done = false;
    int looks = 0;
    do {
        done = count > 1 && H5Drefresh(complete) >= 0 && h5_read_rows(complete, &number, 0, 1, frames);
        if (r->about.events_stored) /* before the digest */
            done = done && h5_read_rows(complete, &number, (hsize_t)count - 2, 1, events);
    } while (!done && complete >= 0 && h5_look_again(r->about.live, &looks));
    if (complete >= 0) H5Dclose(complete);
    return done;
}

carom_status reader_refresh(reader *r, error *e)
{
    H5_QUIETLY;
    /* Another run may have replaced the file. This check comes before the last read of the frames. */
    const bool live = r->about.live && reader_is(r, r->path) && h5_live(r->path);
    uint64_t frames = 0, events = 0;
    bool done = read_lengths(r, &frames, &events);
    for (size_t i = 0; done && i < frame_channel_count; i++) {
        if (!grows(r, i)) continue;
        const h5_row row = shape_of(r, i);
        const int64_t rows = H5Drefresh(r->channel[i]) >= 0 ? h5_rows(r->channel[i], &row) : -1;
        done = rows >= 0;
        if ((uint64_t)rows < frames) frames = (uint64_t)rows;
    }
    /* After the end of the run a failed read is final: the digests must be those of the whole file. */
    if (r->about.digests) done = done && H5Drefresh(r->row_digests) >= 0;
    for (size_t i = 0; r->about.digests && i < frame_channel_count; i++)
        if (is_array(r, i)) done = done && H5Drefresh(r->array_digests[i]) >= 0;
    if (r->about.events_stored) done = done && reader_refresh_events(r, events);
    if (!done) return reader_broken(r, "carom/complete", e);
    if (frames > r->about.frames) r->about.frames = frames;
    if (events > r->about.event_rows) r->about.event_rows = events;
    r->about.live = live;
    return CAROM_OK;
}

static carom_status read_fixed(const reader *r, carom_frame *f, error *e)
{
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!channel_stored(i, CHANNEL_FIXED, r->about.has)) continue;
        const h5_row row = shape_of(r, i);
        hid_t dataset = H5Dopen2(r->file, c->path, H5P_DEFAULT);
        bool done = dataset >= 0 && h5_read_rows(dataset, &row, 0, f->count, frame_array(f, c));
        if (dataset >= 0) H5Dclose(dataset);
        if (!done) return reader_broken(r, c->path, e);
    }
    return CAROM_OK;
}

static carom_status read_solids(const reader *r, carom_frame *f, error *e)
{
    result_solid *solid;
    size_t solids, clumps = 0;
    result_clump *clump = NULL;
    carom_status status = solids_load(r->file, f->count, &solid, &solids, e);
    if (status == CAROM_BAD_DATA) return reader_broken(r, SOLIDS_GROUP, e);
    TRY(status);
    status = clumps_load(r->file, f->count, &clump, &clumps, e);
    if (status == CAROM_BAD_DATA) status = reader_broken(r, CLUMPS_GROUP, e);
    if (status == CAROM_OK) status = solids_to_frame(solid, solids, clump, clumps, f, e);
    solids_free(solid, solids);
    clumps_free(clump, clumps);
    return status;
}

/* Sets optional arrays, and flags of numbers, to those in the file. */
static carom_status prepare_channels(const reader *r, carom_frame *f, error *e)
{
    const bool yes = true;
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!r->about.has[i] || c->given == 0 || frame_has(f, c)) continue;
        if (c->kind == CHANNEL_NUMBERS)
            memcpy((char *)f + c->given, &yes, sizeof yes);
        else
            TRY(frame_add(f, c->given, e));
    }
    return CAROM_OK;
}

carom_status reader_frame_create(const reader *r, carom_frame *f, error *e)
{
    H5_QUIETLY;
    TRY(frame_create(f, r->about.dimension, r->about.count, e));
    f->vertices = r->about.vertices;
    memcpy(f->boundary, r->about.boundary, sizeof f->boundary);
    memcpy(f->gravity, r->about.gravity, sizeof f->gravity);
    f->leeway = r->about.leeway;
    f->grain = r->about.grain;
    f->shear = r->about.shear;
    carom_status status = prepare_channels(r, f, e);
    if (status == CAROM_OK && !memory_headroom(0)) status = error_memory(e, "a frame", 0);
    if (status == CAROM_OK) status = read_fixed(r, f, e);
    for (size_t i = 0; f->present != NULL && i < f->count; i++) f->id[i] = (uint32_t)i;
    if (status == CAROM_OK) status = read_solids(r, f, e);
    if (status != CAROM_OK) frame_destroy(f);
    return status;
}

/* Whether number `index` of the digests equals this one. */
static bool is_digest(hid_t digests, uint64_t index, uint64_t digest)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    uint64_t stored = 0;
    return h5_read_rows(digests, &number, index, 1, &stored) && stored == digest;
}

enum { ROW_BYTES = CHANNEL_NUMBERS_MOST * sizeof(double) };

/* Reads rows; *fault names the damaged element. column: [count * ROW_BYTES], for one channel at a time. */
static bool read_rows(const reader *r, uint64_t first, uint64_t count, frame_row *rows, char *column,
                      const char **fault)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    for (size_t i = 0; i < frame_channel_count; i++) {
        if (!channel_stored(i, CHANNEL_NUMBERS, r->about.has)) continue;
        const h5_row shape = shape_of(r, i);
        const size_t size = h5_row_elements(&shape) * snapshot_element_size(shape.type);
        *fault = frame_channels[i].path;
        if (!h5_read_rows(r->channel[i], &shape, first, count, column)) return false;
        for (uint64_t k = 0; k < count; k++)
            memcpy((char *)(rows + k) + frame_channels[i].offset, column + k * size, size);
    }
    *fault = "carom/frames";
    if (r->about.digests && !h5_read_rows(r->row_digests, &number, first, count, column)) return false;
    for (uint64_t k = 0; k < count && r->about.digests; k++) {
        const uint64_t digest = row_digest(&rows[k], r->about.has, r->about.dimension);
        if (memcmp(&digest, column + k * sizeof digest, sizeof digest) != 0) return false;
    }
    return true;
}

static bool read_arrays(const reader *r, uint64_t index, carom_frame *f, const char **fault)
{
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!is_array(r, i)) continue;
        const h5_row shape = shape_of(r, i);
        void *data = frame_array(f, c);
        *fault = c->path;
        if (!h5_read_rows(r->channel[i], &shape, index, 1, data)) return false;
        array_digest digest = digest_begin(c);
        if (r->about.digests) digest_add(&digest, data, h5_row_elements(&shape));
        if (r->about.digests && !is_digest(r->array_digests[i], index, digest_end(&digest))) return false;
    }
    return true;
}

/* A run rewrites chunks that rows share, and a read may overlap with the write: after a failure their datasets are
 * read again. False after too many attempts. */
static bool look_again(const reader *r, int *looks)
{
    if (!h5_look_again(r->about.live, looks)) return false;
    if (r->about.digests) H5Drefresh(r->row_digests);
    for (size_t i = 0; i < frame_channel_count; i++) {
        if (grows(r, i)) H5Drefresh(r->channel[i]);
        if (is_array(r, i) && r->about.digests) H5Drefresh(r->array_digests[i]);
    }
    return true;
}

static carom_status rows_into(const reader *r, uint64_t first, uint64_t count, frame_row *rows, char *column, error *e)
{
    const char *fault = NULL;
    int looks = 0;
    const uint64_t frames = r->about.frames;
    if (first >= frames || count > frames - first)
        return error_set(e, CAROM_USAGE, "error: '%s' has %llu frames, there is no number %llu", r->path,
                         (unsigned long long)frames, (unsigned long long)(first < frames ? frames : first));
    while (!read_rows(r, first, count, rows, column, &fault))
        if (!look_again(r, &looks)) return reader_broken(r, fault, e);
    return CAROM_OK;
}

carom_status reader_row(const reader *r, uint64_t index, frame_row *row, error *e)
{
    H5_QUIETLY;
    char column[ROW_BYTES];
    *row = (frame_row){0};
    return rows_into(r, index, 1, row, column, e);
}

carom_status reader_rows(const reader *r, uint64_t first, uint64_t count, frame_row *rows, error *e)
{
    H5_QUIETLY;
    char *column = memory_new(count, ROW_BYTES);
    if (column == NULL) return error_memory(e, "the numbers of frames", count * ROW_BYTES);
    memset(rows, 0, count * sizeof *rows);
    const carom_status status = rows_into(r, first, count, rows, column, e);
    memory_free(column);
    return status;
}

/* Multiplies scaled arrays by 2^scale. */
static void scale_arrays(const reader *r, carom_frame *f)
{
    enum { FAR = 5000 };
    const int power = f->scale > FAR ? FAR : f->scale < -FAR ? -FAR : (int)f->scale;
    for (size_t i = 0; i < frame_channel_count && power != 0; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!c->scaled || !r->about.has[i]) continue;
        double *number = frame_array(f, c);
        for (size_t k = 0; k < f->count * channel_width(c, f->dimension); k++) number[k] = ldexp(number[k], power);
    }
}

carom_status reader_frame(const reader *r, uint64_t index, carom_frame *f, error *e)
{
    H5_QUIETLY;
    const char *fault = NULL;
    int looks = 0;
    frame_row row;
    TRY(reader_row(r, index, &row, e));
    while (!read_arrays(r, index, f, &fault))
        if (!look_again(r, &looks)) return reader_broken(r, fault, e);
    frame_set_numbers(f, &row);
    f->clusters = 0;
    for (size_t i = 0; f->cluster != NULL && i < f->count; i++) f->clusters += f->cluster[i] == f->id[i];
    scale_arrays(r, f);
    return CAROM_OK;
}

/* A column of a table; SIZE_MAX: all of it. */
static carom_status broken_table(const reader *r, const reader_observable *o, size_t table, size_t column, error *e)
{
    const reader_table *t = &o->tables[table];
    const bool within = t->series && table == 0;
    char *name = column < t->column_count ? layout_column(t->columns[column].name, column, t->series) : NULL;
    char *path = memory_format(LAYOUT_OBSERVABLES "/%s%s%s%s%s", o->name, within ? "" : "/", within ? "" : t->name,
                               name != NULL ? "/" : "", name != NULL ? name : "");
    const carom_status status = path != NULL ? reader_broken(r, path, e) : error_memory(e, "a name", 1);
    memory_free(name);
    memory_free(path);
    return status;
}

static carom_status check_series(const reader *r, const reader_observable *o, size_t table, uint64_t rows, error *e)
{
    size_t column;
    if (!r->about.digests || !o->tables[table].series) return CAROM_OK;
    const carom_status status = about_check_series(r->file, o, table, rows, &column, e);
    return status == CAROM_BAD_DATA ? broken_table(r, o, table, column, e) : status;
}

carom_status reader_numbers(const reader *r, const reader_observable *o, size_t table, size_t column, double **data,
                            error *e)
{
    H5_QUIETLY;
    const reader_table *t = &o->tables[table];
    const size_t width = t->columns[column].width;
    const bool fits = width == 0 || t->rows <= SIZE_MAX / sizeof(double) / width;
    *data = fits && memory_can_hold(t->rows * width * sizeof(double)) ? NEW_ARRAY(t->rows * width, double) : NULL;
    if (*data == NULL) return error_memory(e, "a table", fits ? t->rows * width * sizeof(double) : SIZE_MAX);
    hid_t dataset = about_open_column(r->file, o, table, column);
    const h5_row row = layout_numbers(width);
    const bool done = dataset >= 0 && h5_read_rows(dataset, &row, 0, t->rows, *data);
    if (dataset >= 0) H5Dclose(dataset);
    const carom_status status = done ? check_series(r, o, table, t->rows, e) : broken_table(r, o, table, column, e);
    if (status == CAROM_OK) return CAROM_OK;
    memory_free(*data);
    *data = NULL;
    return status;
}

static carom_status read_merges(const reader *r, size_t count, char *column, frame_merge *merges, error *e)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    char path[LAYOUT_GROUP];
    for (size_t i = 0; ABOUT_HAS(&r->about, cluster) && i < MERGE_FIELDS; i++) {
        const row_field *field = &merge_fields[i];
        const h5_row shape = {.type = field->type};
        size_t size = snapshot_element_size(field->type);
        hid_t dataset = H5Dopen2(r->file, field->path, H5P_DEFAULT);
        const bool done = dataset >= 0 && h5_read_rows(dataset, &shape, 0, count, column);
        if (dataset >= 0) H5Dclose(dataset);
        if (!done) return reader_broken(r, field->path, e);
        for (size_t k = 0; k < count; k++) memcpy((char *)(merges + k) + field->offset, column + k * size, size);
    }
    if (!ABOUT_HAS(&r->about, cluster) || !r->about.digests) return CAROM_OK;
    hid_t dataset = H5Dopen2(r->file, layout_digests(merge_fields[MERGE_TIME].path, path), H5P_DEFAULT);
    bool same = dataset >= 0 && h5_read_rows(dataset, &number, 0, count, column);
    if (dataset >= 0) H5Dclose(dataset);
    for (size_t k = 0; same && k < count; k++) {
        const uint64_t digest = merge_digest(&merges[k]);
        same = memcmp(&digest, column + k * sizeof digest, sizeof digest) == 0;
    }
    return same ? CAROM_OK : reader_broken(r, "carom/merges", e);
}

static carom_status first_merges(const reader *r, size_t count, frame_merge **merges, error *e)
{
    char *column = memory_new(count, sizeof(uint64_t));
    *merges = NEW_ARRAY(count, frame_merge);
    carom_status status = column != NULL && *merges != NULL ? read_merges(r, count, column, *merges, e)
                                                            : error_memory(e, "the merges", count * sizeof **merges);
    memory_free(column);
    if (status == CAROM_OK) return CAROM_OK;
    memory_free(*merges);
    *merges = NULL;
    return status;
}

carom_status reader_merges(const reader *r, frame_merge **merges, error *e)
{
    H5_QUIETLY;
    return first_merges(r, r->about.merges, merges, e);
}

/* All bytes of the embedded checkpoint. */
static carom_status read_embedded(const reader *r, unsigned char **data, error *e)
{
    const uint64_t bytes = r->about.checkpoint;
    const size_t room = embedded_room(bytes);
    *data = memory_can_hold(room) ? memory_new(room, 1) : NULL;
    if (*data == NULL) return error_memory(e, "a checkpoint", room);
    if (embedded_read(r->file, bytes, *data) && checkpoint_is_whole(*data, bytes)) return CAROM_OK;
    memory_free(*data);
    return reader_broken(r, EMBEDDED_PATH, e);
}

carom_status reader_checkpoint(const reader *r, checkpoint *c, error *e)
{
    H5_QUIETLY;
    unsigned char *data;
    *c = (checkpoint){0};
    if (r->about.checkpoint == 0) return error_set(e, CAROM_NO_INPUT, "error: there is no checkpoint in '%s'", r->path);
    TRY(read_embedded(r, &data, e));
    carom_status status = checkpoint_parse(c, r->path, data, r->about.checkpoint, e);
    memory_free(data);
    return status;
}

carom_status reader_links(const reader *r, result_links *links, error *e)
{
    H5_QUIETLY;
    const char *fault = NULL;
    carom_status status = links_load(r->file, r->about.count, links, &fault, e);
    return status == CAROM_BAD_DATA ? reader_broken(r, fault, e) : status;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

size_t reader_length_count(const reader *r)
{
    size_t count = 2 + (r->about.events_stored ? 1 : 0);
    for (size_t i = 0; i < r->about.observable_count; i++) count += r->about.observables[i].table_count;
    return count;
}

static carom_status too_short(const reader *r, const char *what, error *e)
{
    return error_set(e, CAROM_BAD_DATA,
                     "error: '%s' is damaged or does not belong to its checkpoint: its '%s' lacks rows that the "
                     "checkpoint refers to; start again with --force",
                     r->path, what);
}

static carom_status check_tables(const reader *r, const uint64_t *lengths, error *e)
{
    for (size_t i = 0; i < r->about.observable_count; i++) {
        const reader_observable *o = &r->about.observables[i];
        for (size_t k = 0; k < o->table_count; k++) {
            const reader_table *t = &o->tables[k];
            const uint64_t rows = lengths != NULL && t->series ? *lengths : t->rows;
            if (lengths != NULL) lengths++;
            if (rows > t->rows) return too_short(r, o->name, e);
            if (t->series) TRY(check_series(r, o, k, rows, e));
            for (size_t c = 0; c < t->column_count && !t->series; c++) {
                double *numbers;
                TRY(reader_numbers(r, o, k, c, &numbers, e));
                memory_free(numbers);
            }
        }
    }
    return CAROM_OK;
}

static carom_status check_frames(const reader *r, uint64_t frames, error *e)
{
    carom_frame f;
    TRY(reader_frame_create(r, &f, e));
    carom_status status = CAROM_OK;
    for (uint64_t i = 0; i < frames && status == CAROM_OK; i++) status = reader_frame(r, i, &f, e);
    frame_destroy(&f);
    return status;
}

carom_status reader_check(const reader *r, const uint64_t *lengths, error *e)
{
    H5_QUIETLY;
    const result_about *about = &r->about;
    const size_t last = reader_length_count(r) - 1, of_merges = last - (about->events_stored ? 1 : 0);
    const uint64_t frames = lengths != NULL ? lengths[0] : about->frames;
    const uint64_t merge_count = lengths != NULL && ABOUT_HAS(about, cluster) ? lengths[of_merges] : about->merges;
    const uint64_t events = lengths != NULL && about->events_stored ? lengths[last] : about->event_rows;
    if (frames > about->frames) return too_short(r, frame_channels[FRAME_CHANNEL(position)].path, e);
    if (merge_count > about->merges) return too_short(r, "carom/merges", e);
    if (events > about->event_rows) return too_short(r, LAYOUT_EVENTS, e);
    frame_merge *merges;
    result_links links;
    TRY(reader_check_events(r, events, e));
    TRY(check_frames(r, frames, e));
    TRY(first_merges(r, merge_count, &merges, e));
    memory_free(merges);
    TRY(reader_links(r, &links, e));
    links_free(&links);
    if (lengths == NULL && about->checkpoint > 0) {
        unsigned char *data;
        TRY(read_embedded(r, &data, e));
        memory_free(data);
    }
    return check_tables(r, lengths != NULL ? lengths + 1 : NULL, e);
}
