#include "output/results/layout.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define MERGE(path, unit, type, member)                                                                                \
    {                                                                                                                  \
        path, unit, type, offsetof(frame_merge, member)                                                                \
    }

const row_field merge_fields[MERGE_FIELDS] = {
    [MERGE_TIME] = MERGE("carom/merges/time", "time", SNAPSHOT_F64, time),
    [MERGE_I] = MERGE("carom/merges/i", "", SNAPSHOT_U32, i),
    [MERGE_J] = MERGE("carom/merges/j", "", SNAPSHOT_U32, j),
};

const char *layout_group(const char *path, char out[LAYOUT_GROUP])
{
    snprintf(out, LAYOUT_GROUP, "%.*s", (int)(strrchr(path, '/') - path), path);
    return out;
}

const char *layout_digests(const char *path, char out[LAYOUT_GROUP])
{
    snprintf(out, LAYOUT_GROUP, "%.*s/" H5_DIGEST, (int)(strrchr(path, '/') - path), path);
    return out;
}

h5_row channel_shape(const frame_channel *c, int dimension, size_t count)
{
    h5_row row = {.type = c->type};
    if (c->kind == CHANNEL_ARRAY) row.dims[row.rank++] = count;
    for (int k = 0; k < c->rank; k++) row.dims[row.rank++] = c->dims[k] > 0 ? c->dims[k] : (hsize_t)dimension;
    return row;
}

h5_row layout_numbers(size_t width)
{
    return (h5_row){.type = SNAPSHOT_F64, .rank = width > 1, .dims = {width}};
}

/* As 32-bit integers, as in earlier files, if all values fit. */
static uint64_t integer_digest(const int64_t *number, size_t count)
{
    enum { BLOCK = 1024 }; /* whole words of the hash */
    int32_t narrow[BLOCK];
    uint64_t digest = HASH_START;
    for (size_t i = 0; i < count; i++)
        if (number[i] < INT32_MIN || number[i] > INT32_MAX) return h5_digest(number, count * sizeof *number);
    for (size_t at = 0; at < count; at += BLOCK) {
        const size_t some = count - at < BLOCK ? count - at : BLOCK;
        for (size_t i = 0; i < some; i++) narrow[i] = (int32_t)number[at + i];
        digest = hash_bytes(digest, narrow, some * sizeof *narrow);
    }
    return hash_finish(digest);
}

uint64_t array_digest(const frame_channel *c, const h5_row *row, const void *data)
{
    const size_t count = h5_row_elements(row);
    return c->type == SNAPSHOT_I64 ? integer_digest(data, count)
                                   : h5_digest(data, count * snapshot_element_size(row->type));
}

/* The first column of a series is its clock, the others are H5MD elements. */
char *layout_column(const char *name, size_t index, bool series)
{
    return series && index > 0 ? memory_format("%s/value", name) : memory_text(series ? "time" : name);
}

uint64_t row_digest(const frame_row *row, const bool has[FRAME_CHANNELS_MOST], int dimension)
{
    uint64_t digest = HASH_START;
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!channel_stored(i, CHANNEL_NUMBERS, has)) continue;
        const size_t bytes = channel_width(c, dimension) * snapshot_element_size(c->type);
        digest = hash_bytes(digest, (const char *)row + c->offset, bytes);
    }
    return hash_finish(digest);
}

uint64_t merge_digest(const frame_merge *merge)
{
    uint64_t digest = hash_bytes(HASH_START, &merge->time, sizeof merge->time);
    return hash_finish(hash_u64(hash_u64(digest, merge->i), merge->j));
}

uint64_t series_digest_add(uint64_t digest, const double *numbers, size_t width)
{
    return hash_bytes(digest, numbers, width * sizeof *numbers);
}

uint64_t series_digest_end(uint64_t digest, uint64_t step)
{
    return hash_finish(hash_u64(digest, step));
}
