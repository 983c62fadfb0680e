/* Detects arrays that a snapshot changes, and arrays that do not fit but are accepted. */
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "frame/frame.h"
#include "frame/snapshot.h"

START_TEST(arrays_come_back_bit_by_bit)
{
    snapshot s = {0};
    error e = {0};
    const double values[3] = {-0.0, 0x1.fffffffffffffp-1022, NAN};
    double out[3];
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "a/%d", i);
        ck_assert_int_eq(snapshot_put(&s, name, SNAPSHOT_F64, 3, values, &e), CAROM_OK);
    }
    ck_assert_int_eq(snapshot_put(&s, "empty", SNAPSHOT_U8, 0, NULL, &e), CAROM_OK);
    ck_assert_int_eq(snapshot_get(&s, "a/57", SNAPSHOT_F64, 3, out, &e), CAROM_OK);
    ck_assert_int_eq(memcmp(out, values, sizeof values), 0);
    ck_assert_int_eq(snapshot_get(&s, "empty", SNAPSHOT_U8, 0, NULL, &e), CAROM_OK);
    snapshot_free(&s);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
    snapshot s = {0};
    error e = {0};
    const uint32_t values[2] = {1, 2};
    uint64_t out[2];
    ck_assert_int_eq(snapshot_put(&s, "ids", SNAPSHOT_U32, 2, values, &e), CAROM_OK);
    ck_assert_int_eq(snapshot_get(&s, "id", SNAPSHOT_U32, 2, out, &e), CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e), "error: the saved state lacks 'id'");
    ck_assert_int_eq(snapshot_get(&s, "ids", SNAPSHOT_U64, 2, out, &e), CAROM_BAD_DATA);
    ck_assert_int_eq(snapshot_get(&s, "ids", SNAPSHOT_U32, 1, out, &e), CAROM_BAD_DATA);
    ck_assert_int_eq(snapshot_put(&s, "ids", SNAPSHOT_U32, 2, values, &e), CAROM_INTERNAL);
    ck_assert_ptr_null(snapshot_find(&s, "x"));
    error_clear(&e);
    snapshot_free(&s);
}
END_TEST

START_TEST(energy_of_a_frame)
{
    carom_frame f;
    error e = {0};
    ck_assert_int_eq(frame_create(&f, 2, 2, &e), CAROM_OK);
    f.box[0] = 10;
    f.gravity[0] = -2;
    f.mass[0] = 3;
    f.mass[1] = 1;
    f.velocity[0] = 1, f.velocity[1] = 2, f.velocity[2] = -4, f.velocity[3] = 0;
    f.position[0] = 5, f.position[2] = 1;
    f.image[2] = -1;
    frame_energy energy = frame_energy_of(&f);
    EXPECT_CLOSE("kinetic", energy.kinetic, 0.5 * 3 * 5 + 0.5 * 16, 0);
    EXPECT_CLOSE("potential", energy.potential, 2 * 3 * 5 + 2 * (1 - 10), 0);
    EXPECT_CLOSE("total", energy.total, 15.5 + 12, 0);
    EXPECT_CLOSE("momentum x", energy.momentum[0], -1, 0);
    EXPECT_CLOSE("momentum y", energy.momentum[1], 6, 0);
    EXPECT_CLOSE("temperature", energy.temperature, 15.5 / 2, 0);
    f.scale = 10;
    energy = frame_energy_of(&f);
    EXPECT_CLOSE("scaled kinetic", energy.kinetic, 15.5 / 1048576, 0);
    EXPECT_CLOSE("scaled momentum", energy.momentum[1], 6.0 / 1024, 0);
    f.scale = INT64_MAX;
    EXPECT_CLOSE("far below a double", frame_energy_of(&f).kinetic, 0, 0);
    frame_destroy(&f);
}
END_TEST

START_TEST(sums_are_compensated)
{
    enum { N = 3001 };
    carom_frame f;
    error e = {0};
    ck_assert_int_eq(frame_create(&f, 2, N, &e), CAROM_OK);
    for (size_t i = 0; i < N; i++) {
        f.mass[i] = 1;
        f.velocity[2 * i] = i == 0 ? 1e16 : i == N - 1 ? -1e16 : 1;
    }
    EXPECT_CLOSE("momentum", frame_energy_of(&f).momentum[0], N - 2, 0);
    frame_destroy(&f);
}
END_TEST

START_TEST(nothing_and_too_much)
{
    carom_frame f;
    error e = {0};
    ck_assert_int_eq(frame_create(&f, 3, 0, &e), CAROM_OK);
    EXPECT_CLOSE("temperature of nothing", frame_energy_of(&f).temperature, 0, 0);
    ck_assert_uint_eq(carom_frame_count(&f), 0);
    frame_destroy(&f);
    ck_assert_int_eq(frame_create(&f, 3, SIZE_MAX / 4, &e), CAROM_INTERNAL);
    ck_assert_ptr_nonnull(strstr(error_text(&e), "out of memory"));
    error_clear(&e);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("frames and snapshots");
    tcase_add_test(tests, arrays_come_back_bit_by_bit);
    tcase_add_test(tests, what_does_not_fit_is_refused);
    tcase_add_test(tests, energy_of_a_frame);
    tcase_add_test(tests, sums_are_compensated);
    tcase_add_test(tests, nothing_and_too_much);
    return suite_run("snapshot", tests);
}
