/* Detects events of a result file that are lost, doubled or changed: by blocks, by compression, by a checkpoint and the
 * continuation from it, and by damage that is not found. */
#include "../support/gas.h"
#include "../support/h5_number.h"
#include "../support/suite.h"

#include "output/results/read.h"

enum { SIDE = 3 };

static carom_event event_of(uint64_t n, int dimension)
{
    carom_event e = {.time = 1e-3 * (double)n,
                     .duration = 1e-6 * (double)(n % 7),
                     .i = (uint32_t)(n % 9),
                     .j = (uint32_t)(n * 2654435761u),
                     .kind = (uint32_t)(n % CAROM_EVENT_KINDS),
                     .i_type = CAROM_BODY_PARTICLE,
                     .j_type = (uint16_t)(n % (CAROM_BODY_NONE + 1))};
    for (int k = 0; k < dimension; k++) {
        e.normal[k] = k == (int)(n % (uint64_t)dimension) ? -1 : 0;
        e.impulse[k] = 0.1 * (double)n + k;
    }
    return e;
}

static void add(result *r, uint64_t from, uint64_t to, uint64_t part, int dimension)
{
    error e = {0};
    for (uint64_t n = from; n < to;) {
        carom_event some[EVENT_BLOCK * 3];
        size_t count = 0;
        while (count < part && n < to) some[count++] = event_of(n++, dimension);
        gas_must(result_events(r, some, count, &e), &e);
    }
}

static void check(const char *path, uint64_t count, int dimension, bool lasting)
{
    error e = {0};
    reader *r;
    carom_event block[EVENT_BLOCK];
    gas_must(reader_open(&r, path, &e), &e);
    ck_assert_uint_eq(reader_about(r)->event_rows, count);
    ck_assert(reader_about(r)->events_stored && reader_about(r)->lasting == lasting);
    gas_must(reader_check(r, NULL, &e), &e);
    uint64_t n = 0;
    for (uint64_t k = 0; n < count; k++) {
        size_t some;
        gas_must(reader_event_block(r, k, block, &some, &e), &e);
        for (size_t i = 0; i < some; i++, n++) {
            carom_event expected = event_of(n, dimension);
            if (!lasting) expected.duration = 0;
            if (memcmp(&expected, &block[i], sizeof expected) != 0) ck_abort_msg("event %d differs", (int)n);
        }
    }
    ck_assert_uint_eq(n, count);
    ck_assert_int_eq(reader_event_block(r, (count + EVENT_BLOCK - 1) / EVENT_BLOCK, block, &(size_t){0}, &e),
                     CAROM_USAGE);
    error_clear(&e);
    reader_close(r);
}

static result_header header_of(int dimension, bool lasting)
{
    result_header header = gas_header();
    header.events = true;
    header.lasting = lasting;
    header.compression = dimension == 2 ? 4 : 0;
    return header;
}

/* Parts of any size make the same blocks. */
START_TEST(blocks)
{
    static const uint64_t parts[] = {1, 7, EVENT_BLOCK - 1, EVENT_BLOCK, EVENT_BLOCK + 1, 3 * EVENT_BLOCK};
    static const uint64_t counts[] = {0, 1, EVENT_BLOCK - 1, EVENT_BLOCK, 2 * EVENT_BLOCK + 17};
    const int dimension = _i % 2 == 0 ? 3 : 2;
    const bool lasting = _i % 3 == 0;
    const uint64_t count = counts[(size_t)_i % 5];
    error e = {0};
    carom_frame f;
    result *r;
    gas_folder();
    gas_create(&f, dimension, SIDE);
    const result_header header = header_of(dimension, lasting);
    gas_must(result_create(&r, "r.h5", false, &header, NULL, 0, &f, &e), &e);
    add(r, 0, count, parts[_i], dimension);
    ck_assert_uint_eq(result_event_count(r), count);
    gas_at(&f, SIDE, 1);
    gas_must(result_frame(r, &f, &e), &e);
    gas_must(result_finish(r, "time", "{}", &f, &e), &e);
    gas_must(result_close(r, &e), &e);
    check("r.h5", count, dimension, lasting);
    frame_destroy(&f);
}
END_TEST

/* The file as a kill leaves it has complete blocks; the continuation has all events once. */
START_TEST(goes_on_from_a_checkpoint)
{
    const uint64_t kept = _i == 0 ? 2 * EVENT_BLOCK + 100 : _i == 1 ? 2 * EVENT_BLOCK : 50, count = kept + 5000;
    error e = {0};
    carom_frame f;
    result *r;
    gas_folder();
    gas_create(&f, 3, SIDE);
    const result_header header = header_of(3, false);
    gas_must(result_create(&r, "r.h5", false, &header, NULL, 0, &f, &e), &e);
    add(r, 0, kept, 1000, 3);
    uint64_t lengths[3];
    ck_assert_uint_eq(result_length_count(r), 3);
    result_lengths(r, lengths);
    ck_assert_uint_eq(lengths[2], kept / EVENT_BLOCK * EVENT_BLOCK);
    size_t pending;
    const carom_event *rest = result_pending_events(r, &pending);
    ck_assert_uint_eq(pending, kept % EVENT_BLOCK);
    carom_event *copy = calloc(EVENT_BLOCK, sizeof *copy);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, rest, pending * sizeof *copy);
    add(r, kept, kept + 9000, 1000, 3); /* lost by the kill */
    gas_must(result_close(r, &e), &e);
    check("r.h5", (kept + 9000) / EVENT_BLOCK * EVENT_BLOCK, 3, false);
    gas_must(result_resume(&r, "r.h5", lengths, 3, &header, NULL, 0, &f, &e), &e);
    gas_must(result_events(r, copy, pending, &e), &e);
    add(r, kept, count, 777, 3);
    gas_must(result_finish(r, "time", "{}", &f, &e), &e);
    gas_must(result_close(r, &e), &e);
    check("r.h5", count, 3, false);
    free(copy);
    frame_destroy(&f);
}
END_TEST

/* A reader of a file that is being written sees blocks after they have been flushed. */
START_TEST(a_reader_follows)
{
    error e = {0};
    carom_frame f;
    result *r;
    reader *seen;
    carom_event block[EVENT_BLOCK];
    size_t some;
    gas_folder();
    gas_create(&f, 3, SIDE);
    const result_header header = header_of(3, true);
    gas_must(result_create(&r, "r.h5", false, &header, NULL, 0, &f, &e), &e);
    gas_must(reader_open(&seen, "r.h5", &e), &e);
    for (uint64_t n = 0; n < 3; n++) {
        add(r, n * (EVENT_BLOCK + 1), (n + 1) * (EVENT_BLOCK + 1), 1000, 3);
        gas_at(&f, SIDE, (double)n);
        gas_must(result_frame(r, &f, &e), &e);
        gas_must(reader_refresh(seen, &e), &e);
        ck_assert_uint_eq(reader_about(seen)->event_rows, (n + 1) * EVENT_BLOCK);
        gas_must(reader_event_block(seen, n, block, &some, &e), &e);
        const carom_event expected = event_of(n * EVENT_BLOCK + 5, 3);
        ck_assert(some == EVENT_BLOCK && memcmp(&block[5], &expected, sizeof expected) == 0);
    }
    reader_close(seen);
    gas_must(result_close(r, &e), &e);
    frame_destroy(&f);
}
END_TEST

/* A number changed by another program, with a valid checksum of HDF5: the message says among which events. */
START_TEST(changes_are_found)
{
    error e = {0};
    carom_frame f;
    result *r;
    reader *old;
    gas_folder();
    gas_create(&f, 2, SIDE);
    const result_header header = header_of(2, true);
    gas_must(result_create(&r, "r.h5", false, &header, NULL, 0, &f, &e), &e);
    add(r, 0, 6000, 500, 2);
    gas_must(result_finish(r, "time", "{}", &f, &e), &e);
    gas_must(result_close(r, &e), &e);
    if (_i == 0) h5_set_number("r.h5", "carom/events/time", (hsize_t[]){5000}, 3);
    if (_i == 1) h5_set_number("r.h5", "carom/events/kind", (hsize_t[]){10}, 2);
    gas_must(reader_open(&old, "r.h5", &e), &e);
    ck_assert_int_eq(reader_check(old, NULL, &e), CAROM_BAD_DATA);
    printf("%s\n", error_text(&e));
    const char *place =
        _i == 0 ? "events 4096 to 5999 of its 'carom/events'" : "events 0 to 4095 of its 'carom/events'";
    ck_assert_ptr_nonnull(strstr(error_text(&e), place));
    error_clear(&e);
    reader_close(old);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("events");
    tcase_add_loop_test(c, blocks, 0, 6);
    tcase_add_loop_test(c, goes_on_from_a_checkpoint, 0, 3);
    tcase_add_test(c, a_reader_follows);
    tcase_add_loop_test(c, changes_are_found, 0, 2);
    return suite_run("test_result_events", c);
}
