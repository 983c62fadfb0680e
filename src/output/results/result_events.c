/* Events in a result file: blocks, each written once. */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "output/results/result_file.h"
#include "output/results/result_structure.h"

static const h5_row number = {.type = SNAPSHOT_U64};

carom_status events_new(result *r, const result_header *header, error *e)
{
    r->events = header->events;
    r->lasting = header->lasting;
    if (!r->events) return CAROM_OK;
    r->pending = NEW_ARRAY(EVENT_BLOCK, carom_event);
    r->event_column = memory_new(EVENT_BLOCK, 3 * sizeof(double));
    return r->pending != NULL && r->event_column != NULL
               ? CAROM_OK
               : error_memory(e, "a result file", EVENT_BLOCK * sizeof *r->pending);
}

void events_free(result *r)
{
    memory_free(r->pending);
    memory_free(r->event_column);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool make_field(hid_t file, const event_field *field, int dimension, int deflate)
{
    const h5_row row = event_shape(field, dimension);
    const hid_t dataset = h5_block_column(file, field->path, &row, EVENT_BLOCK, deflate);
    if (dataset < 0) return false;
    const bool done = field->quantity[0] == '\0' || h5_text(dataset, "quantity", field->quantity);
    return H5Dclose(dataset) >= 0 && done;
}

static bool describe(hid_t group)
{
    const int32_t block = EVENT_BLOCK;
    return h5_texts(group, "kinds", event_names, CAROM_EVENT_KINDS) &&
           h5_texts(group, "types", event_body_names, CAROM_BODY_NONE + 1) &&
           h5_attribute(group, "block", SNAPSHOT_I32, 0, &block);
}

bool events_make(hid_t file, const result_header *header, int dimension)
{
    if (!header->events) return true;
    hid_t group = h5_group(file, LAYOUT_EVENTS);
    bool done = group >= 0 && describe(group);
    for (size_t i = 0; done && i < EVENT_FIELDS; i++)
        done = (i == EVENT_DURATION && !header->lasting) ||
               make_field(file, &event_fields[i], dimension, header->compression);
    hid_t digests = done ? h5_column(group, H5_DIGEST, &number, 0) : -1;
    if (digests >= 0) H5Dclose(digests);
    if (group >= 0) H5Gclose(group);
    return digests >= 0;
}

bool events_open(result *r)
{
    for (size_t i = 0; i < EVENT_FIELDS; i++) {
        if (!event_is_stored(r, i)) continue;
        r->event[i] = (column){H5Dopen2(r->file, event_fields[i].path, H5P_DEFAULT),
                               event_shape(&event_fields[i], r->dimension), 0};
        if (r->event[i].dataset < 0) return false;
    }
    if (!r->events) return true;
    r->event_digest = (column){H5Dopen2(r->file, LAYOUT_EVENTS "/" H5_DIGEST, H5P_DEFAULT), number, 0};
    return r->event_digest.dataset >= 0;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static bool write_block(result *r, const carom_event *events, size_t count)
{
    uint64_t digest = HASH_START;
    for (size_t i = 0; i < EVENT_FIELDS; i++) {
        if (!event_is_stored(r, i)) continue;
        event_gather(&event_fields[i], r->dimension, events, count, r->event_column);
        digest = event_digest_add(digest, &event_fields[i], r->dimension, count, r->event_column);
        if (!h5_append(r->event[i].dataset, &r->event[i].row, r->event_rows, count, r->event_column)) return false;
    }
    digest = hash_finish(digest);
    if (!h5_append(r->event_digest.dataset, &number, r->event_rows / EVENT_BLOCK, 1, &digest)) return false;
    r->event_rows += count;
    return r->disk->failure == 0;
}

carom_status result_events(result *r, const carom_event *events, size_t count, error *e)
{
    H5_QUIETLY;
    if (r->failed) return result_gone(r, e);
    while (count > 0) {
        const size_t room = EVENT_BLOCK - r->pending_count, some = count < room ? count : room;
        if (some == EVENT_BLOCK) {
            if (!write_block(r, events, some)) return result_fail(r, e);
        } else {
            memcpy(r->pending + r->pending_count, events, some * sizeof *events);
            r->pending_count += some;
        }
        events += some;
        count -= some;
        if (r->pending_count < EVENT_BLOCK) continue;
        if (!write_block(r, r->pending, EVENT_BLOCK)) return result_fail(r, e);
        r->pending_count = 0;
    }
    return CAROM_OK;
}

uint64_t result_event_count(const result *r)
{
    return r->event_rows + r->pending_count;
}

const carom_event *result_pending_events(const result *r, size_t *count)
{
    *count = r->pending_count;
    return r->pending;
}

bool events_end(result *r)
{
    if (r->pending_count == 0) return true;
    const size_t count = r->pending_count;
    r->pending_count = 0;
    return write_block(r, r->pending, count);
}

/* ---- resuming ---------------------------------------------------------------------------------------------------- */

static bool read_field(const result *r, hid_t old, size_t field, uint64_t at, carom_event *events)
{
    const h5_row row = event_shape(&event_fields[field], r->dimension);
    hid_t from = H5Dopen2(old, event_fields[field].path, H5P_DEFAULT);
    const bool done = from >= 0 && h5_read_rows(from, &row, at, EVENT_BLOCK, r->event_column);
    if (from >= 0) H5Dclose(from);
    if (done) event_scatter(&event_fields[field], r->dimension, events, EVENT_BLOCK, r->event_column);
    return done;
}

bool events_copy(result *r, hid_t old, uint64_t rows, bool *damaged)
{
    while (r->events && r->event_rows + EVENT_BLOCK <= rows) {
        for (size_t i = 0; i < EVENT_FIELDS; i++) {
            *damaged = event_is_stored(r, i) && !read_field(r, old, i, r->event_rows, r->pending);
            if (*damaged) return false;
        }
        if (!write_block(r, r->pending, EVENT_BLOCK)) return false;
    }
    return true;
}
