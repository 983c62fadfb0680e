/* Detects recorded events from which the frames do not follow, and which `carom verify` accepts. */
#define _GNU_SOURCE
#include <hdf5.h>
#include <unistd.h>

#include "../support/h5_number.h"
#include "../support/play.h"
#include "../support/suite.h"
#include "../support/unseal.h"

static const char text[] = "carom: 1\n"
                           "engine: hard\n"
                           "dimension: 2\n"
                           "box: {size: 9, boundary: wall}\n"
                           "species: {light: {diameter: 1, mass: 1}, heavy: {diameter: 0.8, mass: 50}}\n"
                           "particles: [{species: {light: 1, heavy: 1}, count: 20, place: random, velocity: {maxwell: "
                           "1}}]\n"
                           "run: {until: {time: 4}}\n"
                           "output: {frames: {every: 1}, events: true}\n";

static void run_scene(const char *set)
{
    char path[] = "/tmp/carom-test-XXXXXX";
    if (mkdtemp(path) == NULL || chdir(path) != 0) exit(1);
    const carom_options options = {.output = "r.h5"};
    play p = play_try(text, set, &options);
    REQUIRE(p.created == CAROM_OK && carom_sim_run(p.sim) == CAROM_OK);
    play_close(&p);
}

static void edit(const char *name, const hsize_t *at, double value)
{
    unseal("r.h5");
    h5_set_number("r.h5", name, at, value);
}

static void verify(carom_status wanted, const char *words)
{
    carom_file *file;
    char *report = NULL;
    REQUIRE(carom_file_open(&file, "r.h5") == CAROM_OK);
    const carom_status status = carom_file_verify(file, false, &report);
    REQUIRE(report != NULL);
    printf("%s\n", report);
    ck_assert_int_eq(status, wanted);
    ck_assert_msg(strstr(report, words) != NULL, "no '%s' in the report", words);
    carom_free(report);
    carom_file_free(file);
}

static carom_event event_number(uint64_t n)
{
    carom_file *file;
    carom_event event;
    REQUIRE(carom_file_open(&file, "r.h5") == CAROM_OK && carom_file_events(file, n, &event, 1) == CAROM_OK);
    carom_file_free(file);
    return event;
}

START_TEST(a_sound_result)
{
    run_scene(_i == 0 ? NULL : "fields.gravity=[0, -1]");
    verify(CAROM_OK, "recorded events             0\n");
}
END_TEST

START_TEST(a_wrong_impulse)
{
    run_scene(NULL);
    const carom_event event = event_number(30);
    edit("carom/events/impulse", (hsize_t[2]){30, 0}, event.impulse[0] * (1 + 1e-9) + 1e-9);
    verify(CAROM_VIOLATION, "the velocity of particle");
}
END_TEST

START_TEST(a_wrong_time)
{
    run_scene(NULL);
    const carom_event before = event_number(30), after = event_number(31);
    edit("carom/events/time", (hsize_t[1]){30}, 0.5 * (before.time + after.time));
    verify(CAROM_VIOLATION, "the position of particle");
}
END_TEST

START_TEST(wrong_order)
{
    run_scene(NULL);
    edit("carom/events/time", (hsize_t[1]){30}, event_number(31).time + 1e-3);
    verify(CAROM_VIOLATION, "event 31");
    verify(CAROM_VIOLATION, "is earlier than the event before it");
}
END_TEST

START_TEST(a_wrong_normal)
{
    run_scene(NULL);
    edit("carom/events/normal", (hsize_t[2]){7, 0}, 3);
    verify(CAROM_VIOLATION, "event 7");
    verify(CAROM_VIOLATION, "has a normal that is no unit vector");
}
END_TEST

START_TEST(a_wrong_kind)
{
    run_scene(NULL);
    edit("carom/events/kind", (hsize_t[1]){7},
         event_number(7).kind == CAROM_EVENT_WALL ? CAROM_EVENT_COLLISION : CAROM_EVENT_WALL);
    verify(CAROM_VIOLATION, "the number of recorded collisions is not that of the frame");
}
END_TEST

START_TEST(a_body_that_does_not_exist)
{
    run_scene(NULL);
    edit("carom/events/i", (hsize_t[1]){7}, 20);
    verify(CAROM_VIOLATION, "refers to a particle that does not exist");
}
END_TEST

/* Of a kind that is never the first body. */
START_TEST(a_body_of_the_wrong_kind)
{
    run_scene(NULL);
    edit("carom/events/i", (hsize_t[1]){7}, 4e9);
    edit("carom/events/i_type", (hsize_t[1]){7}, CAROM_BODY_TRIANGLE);
    verify(CAROM_VIOLATION, "refers to a particle that does not exist");
}
END_TEST

/* An elastic collision that adds energy, between two frames with the velocities that follow from it, is found by its
 * energy alone. */
START_TEST(a_reversed_impulse)
{
    run_scene(NULL);
    uint64_t n = 0;
    while (event_number(n).kind != CAROM_EVENT_COLLISION) n++;
    const carom_event event = event_number(n);
    for (hsize_t k = 0; k < 2; k++) edit("carom/events/impulse", (hsize_t[2]){n, k}, -event.impulse[k]);
    verify(CAROM_VIOLATION, "adds energy");
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("recorded events");
    tcase_add_loop_test(c, a_sound_result, 0, 2);
    tcase_add_test(c, a_wrong_impulse);
    tcase_add_test(c, a_wrong_time);
    tcase_add_test(c, wrong_order);
    tcase_add_test(c, a_wrong_normal);
    tcase_add_test(c, a_wrong_kind);
    tcase_add_test(c, a_body_that_does_not_exist);
    tcase_add_test(c, a_body_of_the_wrong_kind);
    tcase_add_test(c, a_reversed_impulse);
    return suite_run("test_verify_events", c);
}
