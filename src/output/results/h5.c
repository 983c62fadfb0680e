#define _GNU_SOURCE
#include "output/results/h5.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "output/results/disk.h"

/* Causes of failures since the start of the outermost silence. */
static _Thread_local bool no_memory, open_elsewhere;

/* HDF5 refuses a file that the process has open with other settings by a text alone: "file close degree doesn't match",
 * "... not the same for file that is already open". */
static herr_t look_for_causes(unsigned depth, const H5E_error2_t *entry, void *ignored)
{
    (void)depth, (void)ignored;
    if (entry->maj_num == H5E_RESOURCE && (entry->min_num == H5E_NOSPACE || entry->min_num == H5E_CANTALLOC))
        no_memory = true;
    const char *text = entry->maj_num == H5E_FILE && entry->desc != NULL ? entry->desc : "";
    if (strstr(text, "t match") != NULL || strstr(text, "already open") != NULL) open_elsewhere = true;
    return 0;
}

/* HDF5 calls this function instead of printing after a failure. */
static herr_t note_failure(hid_t stack, void *ignored)
{
    (void)ignored;
    H5Ewalk2(stack, H5E_WALK_DOWNWARD, look_for_causes, NULL);
    return 0;
}

h5_quiet h5_silence(void)
{
    h5_quiet quiet = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &quiet.function, &quiet.data);
    if (quiet.function != note_failure) no_memory = open_elsewhere = false;
    H5Eset_auto2(H5E_DEFAULT, note_failure, NULL);
    return quiet;
}

void h5_restore(h5_quiet *quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet->function, quiet->data);
}

bool h5_no_memory(void)
{
    return no_memory;
}

bool h5_open_elsewhere(void)
{
    return open_elsewhere;
}

hid_t h5_access(void)
{
    enum {
        ATTEMPTS = 20
    }; /* the wait doubles with each: one millisecond in total; the default of 100 takes ten minutes */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0) return access;
    if (H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_file_locking(access, false, true) >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_metadata_read_attempts(access, ATTEMPTS) >= 0)
        return access;
    H5Pclose(access);
    return -1;
}

/* The start of a file: HDF5's signature, the version of its superblock, two sizes, flags (of version 3). */
enum { SIGNATURE = 8, VERSION = 8, FLAGS = 11, START = 12, WRITTEN_SWMR = 4 };

static bool read_start(const char *path, unsigned char start[START])
{
    static const unsigned char signature[SIGNATURE] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    bool is = read(fd, start, START) == START && memcmp(start, signature, SIGNATURE) == 0;
    close(fd);
    return is;
}

bool h5_begins(const char *path)
{
    unsigned char start[START];
    return read_start(path, start);
}

bool h5_live(const char *path)
{
    unsigned char start[START];
    return read_start(path, start) && start[VERSION] >= 3 && (start[FLAGS] & WRITTEN_SWMR) != 0;
}

bool h5_look_again(bool live, int *looks)
{
    enum { LOOKS = 60, AT_ONCE = 5, MS = 1000000 };
    if (!live || ++*looks == LOOKS) return false;
    const struct timespec wait = {.tv_nsec = (long)(*looks < AT_ONCE ? 0 : *looks) * MS};
    nanosleep(&wait, NULL);
    return true;
}

hid_t h5_open_read(const char *path, bool *live)
{
    if (!h5_begins(path)) return -1;
    *live = h5_live(path);
    hid_t access = h5_access();
    if (access < 0) return access;
    if (*live && disk_use(access) < 0) {
        H5Pclose(access);
        return -1;
    }
    hid_t file = H5Fopen(path, *live ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

hid_t h5_group(hid_t parent, const char *name)
{
    enum { INLINE_ATTRIBUTES = 1000 };
    hid_t create = H5Pcreate(H5P_GROUP_CREATE), link = H5Pcreate(H5P_LINK_CREATE), group = -1;
    if (create >= 0 && link >= 0 && H5Pset_attr_phase_change(create, INLINE_ATTRIBUTES, 0) >= 0 &&
        H5Pset_create_intermediate_group(link, 1) >= 0)
        group = H5Gcreate2(parent, name, link, create, H5P_DEFAULT);
    if (link >= 0) H5Pclose(link);
    if (create >= 0) H5Pclose(create);
    return group;
}

hid_t h5_native(snapshot_type type)
{
    switch (type) {
    case SNAPSHOT_U8:
        return H5T_NATIVE_UINT8;
    case SNAPSHOT_I32:
        return H5T_NATIVE_INT32;
    case SNAPSHOT_U32:
        return H5T_NATIVE_UINT32;
    case SNAPSHOT_I64:
        return H5T_NATIVE_INT64;
    case SNAPSHOT_U64:
        return H5T_NATIVE_UINT64;
    case SNAPSHOT_F64:
        return H5T_NATIVE_DOUBLE;
    }
    return -1;
}

hsize_t h5_row_elements(const h5_row *row)
{
    hsize_t elements = 1;
    for (int k = 0; k < row->rank; k++) elements *= row->dims[k];
    return elements;
}

/* Small rows share a chunk, which is rewritten with each of them. It lies within a page, together with its checksum: a
 * kill between two pages of a write would leave a chunk with a wrong checksum. Large rows are divided into equal
 * parts. */
static void chunk_shape(const h5_row *row, hsize_t chunk[3])
{
    enum { LARGE = 4 << 20 };
    const hsize_t bytes = h5_row_elements(row) * snapshot_element_size(row->type), shared = H5_PAGE - H5_CHECKSUM;
    chunk[0] = bytes > 0 && bytes < shared ? shared / bytes : 1;
    for (int k = 0; k < row->rank; k++) chunk[1 + k] = row->dims[k] > 0 ? row->dims[k] : 1;
    if (bytes > LARGE) {
        hsize_t pieces = (bytes + LARGE - 1) / LARGE;
        chunk[1] = (row->dims[0] + pieces - 1) / pieces;
    }
}

/* Compressed chunks change their size and position when rewritten: only for chunks that are written once. */
static bool set_filters(hid_t create, int deflate, bool rewritten)
{
    if (deflate > 0 && !rewritten && (H5Pset_shuffle(create) < 0 || H5Pset_deflate(create, (unsigned)deflate) < 0))
        return false;
    return H5Pset_fletcher32(create) >= 0;
}

static bool set_fill(hid_t create, const h5_row *row)
{
    const uint32_t unused = UINT32_MAX;
    return !row->unused || H5Pset_fill_value(create, H5T_NATIVE_UINT32, &unused) >= 0;
}

static hid_t column_in_chunks(hid_t group, const char *name, const h5_row *row, const hsize_t chunk[3], bool rewritten,
                              int deflate)
{
    /* With a second axis without a limit, HDF5 keeps the chunks in a B-tree. Its nodes never exceed a page, unlike the
     * extensible arrays for a single such axis (result_build.c). */
    hsize_t size[3] = {0}, most[3] = {H5S_UNLIMITED, H5S_UNLIMITED};
    for (int k = 0; k < row->rank; k++) {
        size[1 + k] = row->dims[k];
        if (k > 0) most[1 + k] = row->dims[k] > 0 ? row->dims[k] : 1;
    }
    hsize_t chunk_bytes = snapshot_element_size(row->type);
    for (int k = 0; k <= row->rank; k++) chunk_bytes *= chunk[k];
    hid_t space = H5Screate_simple(1 + row->rank, size, most), create = H5Pcreate(H5P_DATASET_CREATE), dataset = -1;
    if (space >= 0 && create >= 0 && H5Pset_chunk(create, 1 + row->rank, chunk) >= 0 &&
        set_filters(create, deflate, rewritten) && set_fill(create, row) &&
        (chunk_bytes <= 1 << 20 || H5Pset_fill_time(create, H5D_FILL_TIME_NEVER) >= 0))
        dataset = H5Dcreate2(group, name, h5_native(row->type), space, H5P_DEFAULT, create, H5P_DEFAULT);
    if (create >= 0) H5Pclose(create);
    if (space >= 0) H5Sclose(space);
    return dataset;
}

hid_t h5_column(hid_t group, const char *name, const h5_row *row, int deflate)
{
    hsize_t chunk[3];
    chunk_shape(row, chunk);
    return column_in_chunks(group, name, row, chunk, chunk[0] > 1, deflate);
}

hid_t h5_block_column(hid_t group, const char *name, const h5_row *row, hsize_t rows, int deflate)
{
    hsize_t chunk[3] = {rows};
    for (int k = 0; k < row->rank; k++) chunk[1 + k] = row->dims[k];
    return column_in_chunks(group, name, row, chunk, false, deflate);
}

/* Reads or writes `count` elements of each axis from `start` on. */
static bool transfer_block(hid_t dataset, const h5_row *row, const hsize_t start[3], const hsize_t count[3], void *in,
                           const void *out)
{
    hid_t file = H5Dget_space(dataset), memory = H5Screate_simple(1 + row->rank, count, NULL),
          type = h5_native(row->type);
    bool done = file >= 0 && memory >= 0 && H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    if (done) {
        herr_t result = out != NULL ? H5Dwrite(dataset, type, memory, file, H5P_DEFAULT, out)
                                    : H5Dread(dataset, type, memory, file, H5P_DEFAULT, in);
        done = result >= 0;
    }
    if (memory >= 0) H5Sclose(memory);
    if (file >= 0) H5Sclose(file);
    return done;
}

/* Reads or writes the rows [at, at + rows). */
static bool transfer(hid_t dataset, const h5_row *row, hsize_t at, hsize_t rows, void *in, const void *out)
{
    hsize_t start[3] = {at}, count[3] = {rows};
    for (int k = 0; k < row->rank; k++) count[1 + k] = row->dims[k];
    return transfer_block(dataset, row, start, count, in, out);
}

bool h5_append(hid_t dataset, const h5_row *row, hsize_t at, hsize_t rows, const void *data)
{
    hsize_t size[3] = {at + rows};
    for (int k = 0; k < row->rank; k++) size[1 + k] = row->dims[k];
    if (H5Dset_extent(dataset, size) < 0) return false;
    return rows == 0 || h5_row_elements(row) == 0 || transfer(dataset, row, at, rows, NULL, data);
}

hsize_t h5_chunk_elements(const h5_row *row)
{
    hsize_t chunk[3];
    chunk_shape(row, chunk);
    return chunk[1];
}

bool h5_append_part(hid_t dataset, const h5_row *row, hsize_t at, hsize_t first, hsize_t count, const void *data)
{
    hsize_t size[3] = {at + 1}, start[3] = {at, first}, some[3] = {1, count};
    for (int k = 0; k < row->rank; k++) size[1 + k] = row->dims[k];
    for (int k = 1; k < row->rank; k++) some[1 + k] = row->dims[k];
    if (first == 0 && H5Dset_extent(dataset, size) < 0) return false;
    return count == 0 || h5_row_elements(row) == 0 || transfer_block(dataset, row, start, some, NULL, data);
}

int64_t h5_rows(hid_t dataset, const h5_row *row)
{
    hsize_t size[3];
    hid_t space = H5Dget_space(dataset);
    if (space < 0) return -1;
    bool fits = H5Sget_simple_extent_ndims(space) == 1 + row->rank && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    H5Sclose(space);
    for (int k = 0; fits && k < row->rank; k++) fits = size[1 + k] == row->dims[k];
    return fits ? (int64_t)size[0] : -1;
}

uint64_t h5_digest(const void *data, size_t bytes)
{
    return hash_finish(hash_bytes(HASH_START, data, bytes));
}

bool h5_seal(hid_t dataset, uint64_t digest, bool create)
{
    return create ? h5_attribute(dataset, H5_DIGEST, SNAPSHOT_U64, 0, &digest)
                  : h5_attribute_set(dataset, H5_DIGEST, SNAPSHOT_U64, &digest);
}

bool h5_sealed(hid_t dataset, const void *data, size_t bytes)
{
    uint64_t digest = 0;
    const htri_t sealed = H5Aexists(dataset, H5_DIGEST);
    if (sealed == 0) return true;
    if (sealed < 0 || !h5_attribute_read(dataset, H5_DIGEST, SNAPSHOT_U64, 0, &digest)) return false;
    return digest == 0 || digest == h5_digest(data, bytes);
}

bool h5_read_rows(hid_t dataset, const h5_row *row, hsize_t at, hsize_t rows, void *data)
{
    int64_t there = h5_rows(dataset, row);
    if (there < 0 || (hsize_t)there < at + rows || at + rows < at) return false;
    const bool empty = rows == 0 || h5_row_elements(row) == 0;
    if (!empty && !transfer(dataset, row, at, rows, data, NULL)) return false;
    return at > 0 || rows < (hsize_t)there ||
           h5_sealed(dataset, data, rows * h5_row_elements(row) * snapshot_element_size(row->type));
}

/* A creation list for a dataset of fixed size: chunks, since only chunks have checksums. */
static hid_t fixed_list(const hsize_t dims[2], int rank, size_t element)
{
    enum { LARGE = 4 << 20 };
    const hsize_t width = rank > 1 ? dims[1] : 1, bytes = width * element;
    hsize_t chunk[2] = {bytes > 0 ? LARGE / bytes : 1, width};
    if (chunk[0] > dims[0]) chunk[0] = dims[0];
    if (chunk[0] == 0) chunk[0] = 1;
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    if (create < 0 || dims[0] == 0 || width == 0) return create;
    if (H5Pset_chunk(create, rank, chunk) >= 0 && set_filters(create, 0, true)) return create;
    H5Pclose(create);
    return -1;
}

hid_t h5_fixed_open(hid_t group, const char *name, hid_t type, hsize_t count, hsize_t width, const void *data)
{
    const hsize_t dims[2] = {count, width};
    const int rank = width > 0 ? 2 : 1;
    hid_t space = H5Screate_simple(rank, dims, NULL), create = fixed_list(dims, rank, H5Tget_size(type)), dataset = -1;
    if (space >= 0 && create >= 0) dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    if (create >= 0) H5Pclose(create);
    if (space >= 0) H5Sclose(space);
    if (dataset < 0 || count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) return dataset;
    H5Dclose(dataset);
    return -1;
}

bool h5_fixed_rows(hid_t group, const char *name, snapshot_type type, hsize_t count, hsize_t width, const void *data)
{
    hid_t dataset = h5_fixed_open(group, name, h5_native(type), count, width, data);
    if (dataset < 0) return false;
    const size_t bytes = count * (width > 0 ? width : 1) * snapshot_element_size(type);
    const bool done = h5_seal(dataset, h5_digest(data, bytes), true);
    return H5Dclose(dataset) >= 0 && done;
}

bool h5_fixed(hid_t group, const char *name, snapshot_type type, hsize_t count, const void *data)
{
    return h5_fixed_rows(group, name, type, count, 0, data);
}

bool h5_attribute_write(hid_t object, const char *name, hid_t type, hid_t space, const void *data)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return false;
    bool done = H5Awrite(attribute, type, data) >= 0;
    H5Aclose(attribute);
    return done;
}

bool h5_attribute(hid_t object, const char *name, snapshot_type type, hsize_t count, const void *data)
{
    hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    if (space < 0) return false;
    bool done = h5_attribute_write(object, name, h5_native(type), space, data);
    H5Sclose(space);
    return done;
}

bool h5_attribute_set(hid_t object, const char *name, snapshot_type type, const void *data)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    bool done = H5Awrite(attribute, h5_native(type), data) >= 0;
    H5Aclose(attribute);
    return done;
}

int64_t h5_attribute_count(hid_t object, const char *name)
{
    if (H5Aexists(object, name) <= 0) return -1;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return -1;
    hid_t space = H5Aget_space(attribute);
    int64_t count = space >= 0 ? (int64_t)H5Sget_simple_extent_npoints(space) : -1;
    if (space >= 0) H5Sclose(space);
    H5Aclose(attribute);
    return count;
}

bool h5_attribute_read(hid_t object, const char *name, snapshot_type type, hsize_t count, void *data)
{
    if (h5_attribute_count(object, name) != (int64_t)(count > 0 ? count : 1)) return false;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    bool done = H5Aread(attribute, h5_native(type), data) >= 0;
    H5Aclose(attribute);
    return done;
}
