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

#define EVENT(name, unit, type, vector, member, number)                                                                \
    {                                                                                                                  \
        LAYOUT_EVENTS "/" name, unit, type, vector, offsetof(carom_event, member), sizeof(number)                      \
    }

const event_field event_fields[EVENT_FIELDS] = {
    [EVENT_TIME] = EVENT("time", "time", SNAPSHOT_F64, false, time, double),
    [EVENT_DURATION] = EVENT("duration", "time", SNAPSHOT_F64, false, duration, double),
    [EVENT_KIND] = EVENT("kind", "", SNAPSHOT_U8, false, kind, uint32_t),
    [EVENT_I] = EVENT("i", "", SNAPSHOT_U32, false, i, uint32_t),
    [EVENT_J] = EVENT("j", "", SNAPSHOT_U32, false, j, uint32_t),
    [EVENT_I_TYPE] = EVENT("i_type", "", SNAPSHOT_U8, false, i_type, uint16_t),
    [EVENT_J_TYPE] = EVENT("j_type", "", SNAPSHOT_U8, false, j_type, uint16_t),
    [EVENT_NORMAL] = EVENT("normal", "", SNAPSHOT_F64, true, normal, double),
    [EVENT_IMPULSE] = EVENT("impulse", "momentum", SNAPSHOT_F64, true, impulse, double),
};

h5_row event_shape(const event_field *field, int dimension)
{
    return (h5_row){.type = field->type, .rank = field->vector, .dims = {(hsize_t)dimension}};
}

/* Bytes of a row in the file; small numbers are stored in fewer bytes than they have in memory. */
static size_t event_row_bytes(const event_field *field, int dimension)
{
    return snapshot_element_size(field->type) * (field->vector ? (size_t)dimension : 1);
}

void event_gather(const event_field *field, int dimension, const carom_event *events, size_t count, void *column)
{
    const size_t bytes = event_row_bytes(field, dimension);
    for (size_t n = 0; n < count; n++) {
        const char *from = (const char *)(events + n) + field->offset;
        uint8_t *to = (uint8_t *)column + n * bytes;
        uint32_t large;
        uint16_t small;
        if (field->type != SNAPSHOT_U8) {
            memcpy(to, from, bytes);
        } else if (field->bytes == sizeof large) {
            memcpy(&large, from, sizeof large);
            *to = (uint8_t)large;
        } else {
            memcpy(&small, from, sizeof small);
            *to = (uint8_t)small;
        }
    }
}

void event_scatter(const event_field *field, int dimension, carom_event *events, size_t count, const void *column)
{
    const size_t bytes = event_row_bytes(field, dimension);
    for (size_t n = 0; n < count; n++) {
        char *to = (char *)(events + n) + field->offset;
        const uint8_t *from = (const uint8_t *)column + n * bytes;
        const uint32_t large = *from;
        const uint16_t small = *from;
        if (field->type != SNAPSHOT_U8)
            memcpy(to, from, bytes);
        else if (field->bytes == sizeof large)
            memcpy(to, &large, sizeof large);
        else
            memcpy(to, &small, sizeof small);
    }
}

uint64_t event_digest_add(uint64_t digest, const event_field *field, int dimension, size_t count, const void *column)
{
    return hash_bytes(digest, column, count * event_row_bytes(field, dimension));
}

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
    h5_row row = {.type = c->type, .unused = c->offset == offsetof(carom_frame, present)};
    if (c->kind == CHANNEL_ARRAY) row.dims[row.rank++] = count;
    for (int k = 0; k < c->rank; k++) row.dims[row.rank++] = c->dims[k] > 0 ? c->dims[k] : (hsize_t)dimension;
    return row;
}

h5_row layout_numbers(size_t width)
{
    return (h5_row){.type = SNAPSHOT_F64, .rank = width > 1, .dims = {width}};
}

/* Integers as 32-bit ones, as in earlier files, if all values fit. */
static void add_integers(array_digest *d, const int64_t *number, size_t count)
{
    enum { BLOCK = 1024 }; /* whole words of the hash */
    int32_t narrow[BLOCK];
    for (size_t i = 0; i < count && d->narrow; i++) d->narrow = number[i] >= INT32_MIN && number[i] <= INT32_MAX;
    for (size_t at = 0; at < count && d->narrow; at += BLOCK) {
        const size_t some = count - at < BLOCK ? count - at : BLOCK;
        for (size_t i = 0; i < some; i++) narrow[i] = (int32_t)number[at + i];
        d->hash_of_narrow = hash_bytes(d->hash_of_narrow, narrow, some * sizeof *narrow);
    }
}

array_digest digest_begin(const frame_channel *c)
{
    return (array_digest){.type = c->type, .narrow = c->type == SNAPSHOT_I64, HASH_START, HASH_START};
}

void digest_add(array_digest *d, const void *data, size_t count)
{
    d->hash = hash_bytes(d->hash, data, count * snapshot_element_size(d->type));
    if (d->narrow) add_integers(d, data, count);
}

uint64_t digest_end(const array_digest *d)
{
    return hash_finish(d->narrow ? d->hash_of_narrow : d->hash);
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
