#include "output/h5.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

h5_quiet h5_silence(void)
{
    h5_quiet quiet = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &quiet.function, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void h5_restore(h5_quiet *quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet->function, quiet->data);
}

hid_t h5_access(void)
{
    enum { ATTEMPTS = 20 }; /* the wait doubles with each: a millisecond in all; HDF5's 100 are ten minutes */
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
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool is = fread(start, 1, START, file) == START && memcmp(start, signature, SIGNATURE) == 0;
    fclose(file);
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

hid_t h5_open_read(const char *path, bool *live)
{
    if (!h5_begins(path)) return -1;
    *live = h5_live(path);
    hid_t access = h5_access();
    if (access < 0) return access;
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

/* Small rows share a chunk, which is written again with each of them; large rows are split in even pieces. Chunks above
 * HDF5's cache of 1 MB go straight from the caller's array to the file, and need no fill. */
static void chunk_shape(const h5_row *row, hsize_t chunk[3])
{
    enum { SHARING = 64, LEAST = 4096, SMALL = 64 << 10, LARGE = 4 << 20 };
    hsize_t bytes = h5_row_elements(row) * snapshot_element_size(row->type), shared = SHARING * bytes;
    if (shared < LEAST) shared = LEAST;
    if (shared > SMALL) shared = SMALL;
    chunk[0] = bytes > 0 && bytes < shared ? shared / bytes : 1;
    for (int k = 0; k < row->rank; k++) chunk[1 + k] = row->dims[k] > 0 ? row->dims[k] : 1;
    if (bytes > LARGE) {
        hsize_t pieces = (bytes + LARGE - 1) / LARGE;
        chunk[1] = (row->dims[0] + pieces - 1) / pieces;
    }
}

hid_t h5_column(hid_t group, const char *name, const h5_row *row)
{
    /* A second axis without a limit makes HDF5 keep the chunks in a B-tree, whose nodes, unlike the extensible arrays
     * that it takes for one, never outgrow a page (result_build.c). */
    hsize_t size[3] = {0}, most[3] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[3];
    for (int k = 0; k < row->rank; k++) {
        size[1 + k] = row->dims[k];
        if (k > 0) most[1 + k] = row->dims[k] > 0 ? row->dims[k] : 1;
    }
    chunk_shape(row, chunk);
    hsize_t chunk_bytes = snapshot_element_size(row->type);
    for (int k = 0; k <= row->rank; k++) chunk_bytes *= chunk[k];
    hid_t space = H5Screate_simple(1 + row->rank, size, most), create = H5Pcreate(H5P_DATASET_CREATE), dataset = -1;
    if (space >= 0 && create >= 0 && H5Pset_chunk(create, 1 + row->rank, chunk) >= 0 &&
        (chunk_bytes <= 1 << 20 || H5Pset_fill_time(create, H5D_FILL_TIME_NEVER) >= 0))
        dataset = H5Dcreate2(group, name, h5_native(row->type), space, H5P_DEFAULT, create, H5P_DEFAULT);
    if (create >= 0) H5Pclose(create);
    if (space >= 0) H5Sclose(space);
    return dataset;
}

/* Reads or writes the rows [at, at + rows). */
static bool transfer(hid_t dataset, const h5_row *row, hsize_t at, hsize_t rows, void *in, const void *out)
{
    hsize_t start[3] = {at}, count[3] = {rows};
    for (int k = 0; k < row->rank; k++) count[1 + k] = row->dims[k];
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

bool h5_append(hid_t dataset, const h5_row *row, hsize_t at, hsize_t rows, const void *data)
{
    hsize_t size[3] = {at + rows};
    for (int k = 0; k < row->rank; k++) size[1 + k] = row->dims[k];
    if (H5Dset_extent(dataset, size) < 0) return false;
    return rows == 0 || h5_row_elements(row) == 0 || transfer(dataset, row, at, rows, NULL, data);
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

bool h5_read_rows(hid_t dataset, const h5_row *row, hsize_t at, hsize_t rows, void *data)
{
    int64_t there = h5_rows(dataset, row);
    if (there < 0 || (hsize_t)there < at + rows) return false;
    return rows == 0 || h5_row_elements(row) == 0 || transfer(dataset, row, at, rows, data, NULL);
}

bool h5_fixed_rows(hid_t group, const char *name, snapshot_type type, hsize_t count, hsize_t width, const void *data)
{
    const hsize_t dims[2] = {count, width};
    hid_t space = H5Screate_simple(width > 0 ? 2 : 1, dims, NULL);
    if (space < 0) return false;
    hid_t dataset = H5Dcreate2(group, name, h5_native(type), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    if (dataset < 0) return false;
    bool done = count == 0 || H5Dwrite(dataset, h5_native(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    return H5Dclose(dataset) >= 0 && done;
}

bool h5_fixed(hid_t group, const char *name, snapshot_type type, hsize_t count, const void *data)
{
    return h5_fixed_rows(group, name, type, count, 0, data);
}

static bool write_attribute(hid_t object, const char *name, hid_t type, hid_t space, const void *data)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return false;
    bool done = H5Awrite(attribute, type, data) >= 0;
    H5Aclose(attribute);
    return done;
}

static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return type;
    if (H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    H5Tclose(type);
    return -1;
}

bool h5_text(hid_t object, const char *name, const char *text)
{
    hid_t type = text_type(H5T_VARIABLE), space = H5Screate(H5S_SCALAR);
    bool done = type >= 0 && space >= 0 && write_attribute(object, name, type, space, &text);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done;
}

bool h5_texts(hid_t object, const char *name, const char *const *texts, hsize_t count)
{
    hid_t type = text_type(H5T_VARIABLE), space = H5Screate_simple(1, &count, NULL);
    bool done = type >= 0 && space >= 0 && write_attribute(object, name, type, space, texts);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done;
}

char *h5_text_read(hid_t object, const char *name)
{
    if (H5Aexists(object, name) <= 0) return NULL;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = text_type(H5T_VARIABLE), stored = -1;
    char *text = NULL, *copy = NULL;
    if (attribute >= 0) stored = H5Aget_type(attribute);
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    if (stored >= 0 && type >= 0 && space >= 0 && H5Tis_variable_str(stored) > 0 &&
        H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, &text) >= 0 && text != NULL) {
        copy = memory_text(text);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, &text);
    }
    if (space >= 0) H5Sclose(space);
    if (stored >= 0) H5Tclose(stored);
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    return copy;
}

void h5_texts_free(char **texts, size_t count)
{
    for (size_t i = 0; texts != NULL && i < count; i++) memory_free(texts[i]);
    memory_free(texts);
}

/* Reads count texts into `raw`, then copies them, so that all texts are freed alike. */
static carom_status copy_texts(hid_t attribute, hid_t type, hid_t space, char **raw, char **texts, size_t count,
                               error *e)
{
    if (count == 0) return CAROM_OK;
    if (H5Aread(attribute, type, raw) < 0) return CAROM_BAD_DATA;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        texts[i] = memory_text(raw[i] != NULL ? raw[i] : "");
        if (texts[i] == NULL) status = error_memory(e, "texts", count);
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw);
    return status;
}

carom_status h5_texts_read(hid_t object, const char *name, char ***texts, size_t *count, error *e)
{
    int64_t there = h5_attribute_count(object, name);
    *texts = NULL;
    *count = 0;
    if (there < 0) return CAROM_BAD_DATA;
    char **raw = NEW_ARRAY((size_t)there, char *);
    *texts = NEW_ARRAY((size_t)there, char *);
    *count = (size_t)there;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = text_type(H5T_VARIABLE), stored = -1, space = -1;
    if (attribute >= 0) {
        stored = H5Aget_type(attribute);
        space = H5Aget_space(attribute);
    }
    carom_status status = CAROM_BAD_DATA;
    if (raw == NULL || *texts == NULL)
        status = error_memory(e, "texts", *count * sizeof **texts);
    else if (stored >= 0 && space >= 0 && type >= 0 && H5Tis_variable_str(stored) > 0)
        status = copy_texts(attribute, type, space, raw, *texts, *count, e);
    if (space >= 0) H5Sclose(space);
    if (stored >= 0) H5Tclose(stored);
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    memory_free(raw);
    if (status != CAROM_OK) {
        h5_texts_free(*texts, *count);
        *texts = NULL;
        *count = 0;
    }
    return status;
}

bool h5_attribute(hid_t object, const char *name, snapshot_type type, hsize_t count, const void *data)
{
    hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    if (space < 0) return false;
    bool done = write_attribute(object, name, h5_native(type), space, data);
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

bool h5_word(hid_t object, const char *name, const char *text, bool create)
{
    char word[H5_WORD] = "";
    snprintf(word, sizeof word, "%s", text);
    hid_t type = text_type(H5_WORD), space = H5Screate(H5S_SCALAR), attribute = -1;
    if (type >= 0 && space >= 0)
        attribute = create ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)
                           : H5Aopen(object, name, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, type, word) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done;
}

bool h5_word_read(hid_t object, const char *name, char text[H5_WORD])
{
    hid_t type = text_type(H5_WORD), attribute = -1;
    if (type >= 0 && H5Aexists(object, name) > 0) attribute = H5Aopen(object, name, H5P_DEFAULT);
    bool done = attribute >= 0 && h5_attribute_count(object, name) == 1 && H5Aread(attribute, type, text) >= 0;
    text[done ? H5_WORD - 1 : 0] = '\0';
    if (attribute >= 0) H5Aclose(attribute);
    if (type >= 0) H5Tclose(type);
    return done;
}
