#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/results/result_file.h"
#include "output/results/result_structure.h"

static carom_status cannot_create(const result *r, int failure, error *e)
{
    const bool full = failure == ENOSPC || failure == EFBIG || failure == EDQUOT;
    return error_set(e, full ? CAROM_IO : CAROM_NO_CREATE, "error: cannot create '%s': %s; %s", r->path,
                     failure != 0 ? strerror(failure) : "HDF5 refused",
                     full ? "free disk space, or choose a folder with more room"
                          : "choose a folder that can be written");
}

static bool open_column(hid_t group, const char *name, h5_row row, column *out)
{
    *out = (column){.dataset = H5Dopen2(group, name, H5P_DEFAULT), .row = row};
    return out->dataset >= 0;
}

static bool open_table(hid_t parent, table *t, const measure_table *shape, bool first, bool digests)
{
    hid_t group = H5Gopen2(parent, first && t->series ? "." : shape->name, H5P_DEFAULT);
    bool done = group >= 0;
    for (size_t i = 0; done && i < t->column_count; i++) {
        char *path = layout_column(shape->columns[i].name, i, t->series);
        done = path != NULL && open_column(group, path, layout_numbers(shape->columns[i].width), &t->columns[i]);
        memory_free(path);
    }
    if (done && t->series)
        done = open_column(group, "step", (h5_row){.type = SNAPSHOT_U64}, &t->step) &&
               (!digests || open_column(group, H5_DIGEST, (h5_row){.type = SNAPSHOT_U64}, &t->digest));
    if (group >= 0) H5Gclose(group);
    return done;
}

static bool open_observable(hid_t parent, observed *o, const result_observable *given, bool digests)
{
    hid_t group = H5Gopen2(parent, given->name, H5P_DEFAULT);
    hid_t values = group >= 0 ? H5Gopen2(group, "values", H5P_DEFAULT) : -1;
    bool done = values >= 0;
    for (size_t i = 0; done && i < o->value_count; i++) {
        o->values[i] = H5Gopen2(values, given->shape->values[i].name, H5P_DEFAULT);
        done = o->values[i] >= 0;
    }
    for (size_t i = 0; done && i < o->table_count; i++)
        done = open_table(group, &o->tables[i], &given->shape->tables[i], i == 0, digests);
    if (values >= 0) H5Gclose(values);
    if (group >= 0) H5Gclose(group);
    return done;
}

static bool open_digests(result *r)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    char path[LAYOUT_GROUP];
    for (size_t i = 0; i < frame_channel_count; i++)
        if (channel_stored(i, CHANNEL_ARRAY, r->has) &&
            !open_column(r->file, layout_digests(frame_channels[i].path, path), number, &r->array_digest[i]))
            return false;
    return open_column(r->file, LAYOUT_ROW_DIGESTS, number, &r->row_digest) &&
           (!r->merging ||
            open_column(r->file, layout_digests(merge_fields[MERGE_TIME].path, path), number, &r->merge_digest));
}

static bool open_all(result *r, const result_observable *watched)
{
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (c->kind != CHANNEL_FIXED && r->has[i] &&
            !open_column(r->file, c->path, channel_shape(c, r->dimension, r->count), &r->channel[i]))
            return false;
    }
    for (size_t i = 0; r->merging && i < MERGE_FIELDS; i++)
        if (!open_column(r->file, merge_fields[i].path, (h5_row){.type = merge_fields[i].type}, &r->merges[i]))
            return false;
    hid_t parent = H5Gopen2(r->file, LAYOUT_OBSERVABLES, H5P_DEFAULT);
    bool done = parent >= 0 && (!r->digests || open_digests(r));
    for (size_t i = 0; done && i < r->observed_count; i++)
        done = open_observable(parent, &r->observed[i], &watched[i], r->digests);
    if (parent >= 0) H5Gclose(parent);
    r->root = H5Gopen2(r->file, "carom", H5P_DEFAULT);
    r->complete = r->root >= 0 ? H5Dopen2(r->root, "complete", H5P_DEFAULT) : -1;
    return done && r->complete >= 0 && events_open(r) &&
           open_column(r->root, "summary", (h5_row){.type = SNAPSHOT_U8}, &r->summary);
}

static carom_status allocate_observed(observed *o, const measure_result *shape, error *e)
{
    o->tables = NEW_ARRAY(shape->table_count, table);
    o->values = NEW_ARRAY(shape->value_count, hid_t);
    if (o->tables == NULL || o->values == NULL) return error_memory(e, "a result file", sizeof(table));
    o->value_count = shape->value_count;
    for (; o->table_count < shape->table_count; o->table_count++) {
        table *t = &o->tables[o->table_count];
        const measure_table *from = &shape->tables[o->table_count];
        *t = (table){.series = from->series, .column_count = from->column_count};
        t->columns = NEW_ARRAY(from->column_count, column);
        if (t->columns == NULL) return error_memory(e, "a result file", sizeof(column));
    }
    return CAROM_OK;
}

/* Metadata in pages, none across two: a kill can interrupt a write only between pages of Linux. */
static hid_t paged(void)
{
    hid_t create = H5Pcreate(H5P_FILE_CREATE);
    if (create < 0) return create;
    if (H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_PAGE, false, 1) >= 0 &&
        H5Pset_file_space_page_size(create, H5_PAGE) >= 0)
        return create;
    H5Pclose(create);
    return -1;
}

static carom_status make_file(result *r, error *e)
{
    const size_t row = r->count * 3 * sizeof(double);
    if (!memory_headroom(row)) return error_memory(e, "a result file", row);
    hid_t access = h5_access(), create = paged();
    if (access < 0 || create < 0 || disk_use(access) < 0) return error_memory(e, "an HDF5 file", 0);
    unlink(r->aside);
    errno = 0;
    r->file = H5Fcreate(r->aside, H5F_ACC_EXCL, create, access);
    int failure = errno;
    H5Pclose(create);
    H5Pclose(access);
    if (r->file < 0) return cannot_create(r, failure, e);
    r->disk = disk_of(r->file);
    return CAROM_OK;
}

carom_status result_build(result *r, const result_header *header, const result_observable *watched,
                          const carom_frame *first, error *e)
{
    r->aside = memory_format("%s.part", r->path);
    if (r->aside == NULL) return error_memory(e, "a file name", strlen(r->path));
    for (size_t i = 0; i < r->observed_count; i++) TRY(allocate_observed(&r->observed[i], watched[i].shape, e));
    TRY(make_file(r, e));
    bool done = result_lay_out(r->file, header, watched, r->observed_count, first, r->has, r->digests) &&
                open_all(r, watched) && H5Fflush(r->file, H5F_SCOPE_LOCAL) >= 0 && r->disk->failure == 0 &&
                H5Fstart_swmr_write(r->file) >= 0;
    if (r->disk->failure != 0) return cannot_create(r, r->disk->failure, e);
    return done ? CAROM_OK
                : error_set(e, CAROM_INTERNAL,
                            "error: cannot lay out '%s': no memory, or two tables of an observable share a name",
                            r->path);
}

/* Gives the file its final name. A link, unlike a rename, does not replace an existing file, but not every file system
 * supports it. */
static int take_place(const result *r, bool force)
{
    if (force) return rename(r->aside, r->path) == 0 ? 0 : errno;
    if (link(r->aside, r->path) == 0) return unlink(r->aside) == 0 ? 0 : errno;
    if (errno == EEXIST) return EEXIST;
    if (access(r->path, F_OK) == 0) return EEXIST;
    return rename(r->aside, r->path) == 0 ? 0 : errno;
}

carom_status result_begin(result *r, bool force, error *e)
{
    TRY(result_flush(r, e));
    int failure = take_place(r, force);
    if (failure != 0) return cannot_create(r, failure, e);
    memory_free(r->aside);
    r->aside = NULL;
    return CAROM_OK;
}
