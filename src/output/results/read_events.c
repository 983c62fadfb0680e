/* Reading of events, by blocks, with their digests. */
#include "base/hash.h"
#include "base/memory.h"
#include "output/results/read_file.h"

static bool read_field(const reader *r, const event_field *field, uint64_t at, size_t count, carom_event *events,
                       void *column, uint64_t *digest)
{
    const int dimension = reader_about(r)->dimension;
    const h5_row row = event_shape(field, dimension);
    hid_t dataset = H5Dopen2(reader_file(r), field->path, H5P_DEFAULT);
    const bool done = dataset >= 0 && h5_read_rows(dataset, &row, at, count, column);
    if (dataset >= 0) H5Dclose(dataset);
    if (!done) return false;
    *digest = event_digest_add(*digest, field, dimension, count, column);
    event_scatter(field, dimension, events, count, column);
    return true;
}

static bool digest_is(const reader *r, uint64_t block, uint64_t digest)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    uint64_t stored = 0;
    hid_t dataset = H5Dopen2(reader_file(r), LAYOUT_EVENTS "/" H5_DIGEST, H5P_DEFAULT);
    const bool done = dataset >= 0 && h5_read_rows(dataset, &number, block, 1, &stored);
    if (dataset >= 0) H5Dclose(dataset);
    return done && stored == digest;
}

/* Numbers that no run writes. */
static bool is_event(const carom_event *event)
{
    return event->kind < CAROM_EVENT_KINDS && event->i_type <= CAROM_BODY_NONE && event->j_type <= CAROM_BODY_NONE;
}

/* NULL, or the path of what is damaged. */
static const char *read_block(const reader *r, uint64_t block, size_t count, carom_event *events, void *column)
{
    uint64_t digest = HASH_START;
    for (size_t n = 0; n < count; n++) events[n] = (carom_event){0};
    for (size_t i = 0; i < EVENT_FIELDS; i++)
        if ((i != EVENT_DURATION || reader_about(r)->lasting) &&
            !read_field(r, &event_fields[i], block * EVENT_BLOCK, count, events, column, &digest))
            return event_fields[i].path;
    if (reader_about(r)->digests && !digest_is(r, block, hash_finish(digest))) return LAYOUT_EVENTS;
    for (size_t n = 0; n < count; n++)
        if (!is_event(&events[n])) return LAYOUT_EVENTS;
    return NULL;
}

/* Reads the size of a dataset again. */
static bool refresh(const reader *r, const char *path, const h5_row *row, uint64_t rows)
{
    hid_t dataset = H5Dopen2(reader_file(r), path, H5P_DEFAULT);
    const bool done = dataset >= 0 && H5Drefresh(dataset) >= 0 && h5_rows(dataset, row) >= (int64_t)rows;
    if (dataset >= 0) H5Dclose(dataset);
    return done;
}

bool reader_refresh_events(const reader *r, uint64_t rows)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    bool done = !reader_about(r)->digests ||
                refresh(r, LAYOUT_EVENTS "/" H5_DIGEST, &number, (rows + EVENT_BLOCK - 1) / EVENT_BLOCK);
    for (size_t i = 0; done && i < EVENT_FIELDS; i++) {
        const h5_row row = event_shape(&event_fields[i], reader_about(r)->dimension);
        if (i != EVENT_DURATION || reader_about(r)->lasting) done = refresh(r, event_fields[i].path, &row, rows);
    }
    return done;
}

carom_status reader_event_block(const reader *r, uint64_t block, carom_event events[EVENT_BLOCK], size_t *count,
                                error *e)
{
    H5_QUIETLY;
    const uint64_t rows = reader_about(r)->event_rows;
    if (block >= (rows + EVENT_BLOCK - 1) / EVENT_BLOCK)
        return error_set(e, CAROM_USAGE, "error: '%s' has no block %llu of events", reader_path(r),
                         (unsigned long long)block);
    *count = rows - block * EVENT_BLOCK < EVENT_BLOCK ? (size_t)(rows - block * EVENT_BLOCK) : EVENT_BLOCK;
    void *column = memory_new(EVENT_BLOCK, 3 * sizeof(double));
    if (column == NULL) return error_memory(e, "events", EVENT_BLOCK * 3 * sizeof(double));
    const char *damaged = read_block(r, block, *count, events, column);
    memory_free(column);
    if (damaged == NULL) return CAROM_OK;
    if (h5_no_memory()) return error_memory(e, damaged, 0);
    return error_set(e, CAROM_BAD_DATA, "error: '%s' is damaged: events %llu to %llu of its '%s' cannot be read",
                     reader_path(r), (unsigned long long)(block * EVENT_BLOCK),
                     (unsigned long long)(block * EVENT_BLOCK + *count - 1), damaged);
}

carom_status reader_check_events(const reader *r, uint64_t rows, error *e)
{
    if (rows == 0) return CAROM_OK;
    carom_event *events = NEW_ARRAY(EVENT_BLOCK, carom_event);
    if (events == NULL) return error_memory(e, "events", EVENT_BLOCK * sizeof *events);
    carom_status status = CAROM_OK;
    size_t count;
    for (uint64_t block = 0; block * EVENT_BLOCK < rows && status == CAROM_OK; block++)
        status = reader_event_block(r, block, events, &count, e);
    memory_free(events);
    return status;
}
