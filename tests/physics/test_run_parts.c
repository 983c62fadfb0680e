/* Detects runs in parts (carom_sim_run_to) that differ from whole runs, limits that are missed, and kept frames
 * (carom_sim_take) that change as the run goes on. */
#include "../support/play.h"
#include "../support/suite.h"

#include <math.h>

#define GAS(engine, fraction)                                                                                          \
    "carom: 1\n"                                                                                                       \
    "engine: " engine "\n"                                                                                             \
    "box: {packing_fraction: " fraction "}\n"                                                                          \
    "species: {grain: {diameter: 1}}\n"                                                                                \
    "particles: [{species: grain, count: 60, place: random, velocity: {maxwell: 1}}]\n"                                \
    "observe: [{what: energy, every: 0.1}]\n"                                                                          \
    "run: {until: {time: 2}}\n"

static const char *const gases[] = {GAS("hard", "0.3"), GAS("aggregation", "0.05"), GAS("variational", "0.1")};
enum { GASES = sizeof gases / sizeof *gases };

#define FLIGHT                                                                                                         \
    "carom: 1\n"                                                                                                       \
    "engine: hard\n"                                                                                                   \
    "dimension: 2\n"                                                                                                   \
    "box: {size: 10, boundary: open}\n"                                                                                \
    "species: {grain: {diameter: 1}}\n"                                                                                \
    "particles: [{species: grain, place: {at: [[1, 2]]}, velocity: {each: [1, 0.5]}}]\n"                               \
    "run: {until: {time: 2}}\n"
static const char flight[] = FLIGHT, observed_flight[] = FLIGHT "observe: [{what: temperature, every: 0.1}]\n";

static void run_to(play *p, carom_limits limits)
{
    ck_assert_int_eq(carom_sim_run_to(p->sim, &limits), CAROM_OK);
}

START_TEST(parts_give_the_bits_of_the_whole)
{
    play whole = play_open(gases[_i], NULL), parts = play_open(gases[_i], NULL);
    ck_assert_int_eq(carom_sim_run(whole.sim), CAROM_OK);
    run_to(&parts, (carom_limits){.time = 0.3});
    ck_assert(carom_sim_time(parts.sim) == 0.3);
    ck_assert_int_eq(carom_sim_stop(parts.sim), CAROM_STOP_NONE);
    const uint64_t some = carom_sim_events(parts.sim, "total") + 7;
    run_to(&parts, (carom_limits){.events = some});
    ck_assert_uint_ge(carom_sim_events(parts.sim, "total"), some);
    carom_sim_request_stop(parts.sim);
    ck_assert_int_eq(carom_sim_run_to(parts.sim, &(carom_limits){.time = 2}), CAROM_EARLY);
    ck_assert_int_eq(carom_sim_run_to(parts.sim, NULL), CAROM_OK);
    ck_assert_int_eq(carom_sim_finish(parts.sim), CAROM_OK);
    ck_assert_int_eq(carom_sim_stop(parts.sim), CAROM_STOP_TIME);
    ck_assert_uint_eq(carom_frame_state_hash(carom_sim_frame(parts.sim)),
                      carom_frame_state_hash(carom_sim_frame(whole.sim)));
    play_close(&whole);
    play_close(&parts);
}
END_TEST

START_TEST(a_run_stops_at_its_collision)
{
    play p = play_open(gases[0], NULL);
    for (uint64_t n = 1; n < 40; n += 13) {
        run_to(&p, (carom_limits){.collisions = n});
        ck_assert_uint_eq(carom_sim_events(p.sim, "collision"), n);
    }
    play_close(&p);
}
END_TEST

/* A call with limits that have been passed does not change the state. */
START_TEST(limits_that_have_been_passed)
{
    play p = play_open(gases[_i], NULL);
    run_to(&p, (carom_limits){.time = 1});
    const uint64_t events = carom_sim_events(p.sim, "total"), hash = carom_frame_state_hash(carom_sim_frame(p.sim));
    ck_assert_uint_gt(events, 1);
    run_to(&p, (carom_limits){.time = 0.5});
    ck_assert(carom_sim_time(p.sim) == 1);
    run_to(&p, (carom_limits){.events = events - 1});
    run_to(&p, (carom_limits){.time = 0.5, .wall_s = 1e-9});
    ck_assert(carom_sim_time(p.sim) == 1);
    ck_assert_uint_eq(carom_sim_events(p.sim, "total"), events);
    ck_assert_uint_eq(carom_frame_state_hash(carom_sim_frame(p.sim)), hash);
    play_close(&p);
}
END_TEST

/* The limits of a call replace those of the scene, and a state without events moves on. */
START_TEST(a_lone_ball_flies_to_the_limit)
{
    play p = play_open(flight, NULL);
    run_to(&p, (carom_limits){.time = 8});
    const double *r = carom_frame_positions(carom_sim_frame(p.sim));
    ck_assert(r[0] == 9 && r[1] == 6);
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.events = 5}), CAROM_OK);
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_NO_EVENTS);
    run_to(&p, (carom_limits){.time = 9});
    ck_assert(carom_sim_time(p.sim) == 9);
    play_close(&p);
}
END_TEST

/* Samples and pauses that are due do not keep a run going that waits for events. */
START_TEST(an_observed_run_without_events_ends)
{
    play p = play_open(observed_flight, NULL);
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.events = 5}), CAROM_OK);
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_NO_EVENTS);
    ck_assert_int_eq(carom_sim_pause_at(p.sim, &(carom_limits){.time = 9}, &(carom_limits){.collisions = 5}), CAROM_OK);
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_NO_EVENTS);
    ck_assert(carom_sim_time(p.sim) < 9);
    play_close(&p);
}
END_TEST

/* The limits after a pause are those of the call (collisions), or those of the scene (time). */
START_TEST(a_run_with_pauses_ends_at_its_limits)
{
    play whole = play_open(gases[0], NULL), parts = play_open(gases[0], NULL);
    const carom_limits limits = {.collisions = 40};
    run_to(&whole, limits);
    int pauses = 0;
    for (; carom_sim_events(parts.sim, "collision") < limits.collisions; pauses++) {
        ck_assert_int_lt(pauses, 1000);
        const carom_limits pause = {.time = 0.01 * (pauses + 1)};
        ck_assert_int_eq(carom_sim_pause_at(parts.sim, &pause, &limits), CAROM_OK);
        ck_assert(carom_sim_time(parts.sim) <= pause.time);
    }
    ck_assert_int_gt(pauses, 3);
    ck_assert(carom_sim_time(parts.sim) == carom_sim_time(whole.sim));
    ck_assert_int_eq(carom_sim_pause_at(parts.sim, &(carom_limits){.time = 1}, NULL), CAROM_OK);
    ck_assert(carom_sim_time(parts.sim) == 1);
    ck_assert_int_eq(carom_sim_pause_at(parts.sim, &(carom_limits){.time = 9}, NULL), CAROM_OK);
    ck_assert(carom_sim_time(parts.sim) == 2);
    ck_assert_int_eq(carom_sim_stop(parts.sim), CAROM_STOP_TIME);
    play_close(&whole);
    play_close(&parts);
}
END_TEST

START_TEST(limits_must_be_numbers)
{
    play p = play_open(flight, NULL);
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = NAN}), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.wall_s = -1}), CAROM_USAGE);
    ck_assert_str_ne(carom_sim_message(p.sim), "");
    play_close(&p);
}
END_TEST

START_TEST(a_kept_frame_does_not_change)
{
    play p = play_open(gases[_i], NULL);
    carom_frame *kept = NULL, *other = NULL;
    run_to(&p, (carom_limits){.time = 0.5});
    ck_assert_int_eq(carom_sim_take(p.sim, &kept), CAROM_OK);
    const carom_frame *now = carom_sim_frame(p.sim);
    const size_t numbers = carom_frame_count(now) * (size_t)carom_frame_dimension(now);
    double *r = malloc(numbers * sizeof *r);
    ck_assert_ptr_nonnull(r);
    memcpy(r, carom_frame_positions(now), numbers * sizeof *r);
    const uint64_t hash = carom_frame_state_hash(now);
    run_to(&p, (carom_limits){.time = 1.5});
    ck_assert_int_eq(carom_sim_take(p.sim, &other), CAROM_OK);
    ck_assert(carom_frame_positions(other) != carom_frame_positions(kept));
    ck_assert(memcmp(carom_frame_positions(other), r, numbers * sizeof *r) != 0);
    play_close(&p);
    ck_assert_mem_eq(carom_frame_positions(kept), r, numbers * sizeof *r);
    ck_assert_uint_eq(carom_frame_state_hash(kept), hash);
    ck_assert(carom_frame_time(kept) == 0.5);
    free(r);
    carom_frame_free(kept);
    carom_frame_free(other);
}
END_TEST

START_TEST(channels_show_the_arrays_of_a_frame)
{
    play p = play_open(gases[1], NULL);
    carom_frame *frame = NULL;
    carom_channel c;
    carom_energy energy;
    run_to(&p, (carom_limits){.time = 1});
    ck_assert_int_eq(carom_sim_take(p.sim, &frame), CAROM_OK);
    ck_assert_int_eq(carom_frame_channel(frame, "velocity", &c), CAROM_OK);
    ck_assert(c.data == carom_frame_velocities(frame) && c.rank == 2 && c.shape[0] == 60 && c.shape[1] == 3);
    ck_assert_int_eq(carom_frame_channel(frame, "cluster", &c), CAROM_OK);
    ck_assert(c.type == CAROM_U32 && c.rank == 1);
    ck_assert_int_eq(carom_frame_energy(frame, &energy), CAROM_OK);
    ck_assert_int_eq(carom_frame_channel(frame, "kinetic", &c), CAROM_OK);
    ck_assert(c.data == NULL && c.rank == 0 && c.numbers[0] == energy.kinetic);
    ck_assert_int_eq(carom_frame_channel(frame, "state_hash", &c), CAROM_OK);
    ck_assert_uint_eq(c.counts[0], carom_frame_state_hash(frame));
    ck_assert_int_eq(carom_frame_channel(frame, "edges", &c), CAROM_OK);
    ck_assert(c.rank == 2 && c.shape[0] == 3 && c.shape[1] == 3 && c.numbers[4] == c.numbers[0] && c.numbers[1] == 0);
    ck_assert_int_eq(carom_frame_channel(frame, "orientation", &c), CAROM_USAGE);
    ck_assert_str_eq(carom_frame_channel_name(frame, 0), "position");
    ck_assert_ptr_null(carom_frame_channel_name(frame, 1000));
    carom_frame_free(frame);
    play_close(&p);
}
END_TEST

/* A cooling gas is rescaled: its velocities in frames are powers of two larger, which the interface does not show. */
START_TEST(velocities_of_a_cooled_gas_are_those_of_the_scene)
{
    play p = play_open("carom: 1\nengine: hard\ndimension: 2\nbox: {packing_fraction: 0.3}\n"
                       "species: {grain: {diameter: 1}}\ncontacts: [{between: [grain, grain], restitution: 0.9}]\n"
                       "particles: [{species: grain, count: 50, place: random, velocity: {maxwell: 1}, "
                       "zero_momentum: true}]\n"
                       "run: {until: {collisions: 40000}}\n",
                       NULL);
    carom_frame *frame = NULL;
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.collisions = 30000}), CAROM_OK);
    ck_assert_int_eq(carom_sim_take(p.sim, &frame), CAROM_OK);
    ck_assert(frame->scale > 0);
    frame_need(frame, FRAME_MASS);
    const double *v = carom_frame_velocities(frame);
    double kinetic = 0;
    carom_energy energy;
    for (size_t i = 0; i < carom_frame_count(frame); i++)
        kinetic += 0.5 * frame->mass[i] * (v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]);
    ck_assert_int_eq(carom_frame_energy(frame, &energy), CAROM_OK);
    ck_assert(energy.kinetic < 1 && fabs(kinetic - energy.kinetic) <= 1e-14 * kinetic);
    carom_frame_free(frame);
    play_close(&p);
}
END_TEST

static void count_line(const char *line, void *user)
{
    printf("%s\n", line);
    ++*(int *)user;
}

/* Of what the scene asks for after time 5: a run that a signal ends can be continued, so that it may yet come. */
START_TEST(a_halted_run_does_not_warn_of_what_may_follow)
{
    static const char text[] =
        "carom: 1\n"
        "engine: hard\n"
        "box: {size: 20, boundary: open}\n"
        "species: {grain: {diameter: 1}}\n"
        "particles:\n"
        "  - {species: grain, place: {at: [[1, 2, 3]]}}\n"
        "  - {species: grain, count: 2, velocity: {each: [0, 0, -4]}, place: {inflow: {region: {box: {from: [5, 5, 5], "
        "to: [9, 9, 9]}}, rate: 1, "
        "start: 5}}}\n"
        "outflow: [{name: out, region: {box: {from: [15, 15, 15], to: [17, 17, 17]}}, every: 1, start: 5}]\n"
        "meshes: [{name: lid, rigid: true, shape: {disk: {radius: 1, rings: 1}}, place: {at: [15, 2, 2]}, vanish: "
        "{time: 5}}]\n"
        "observe: [{what: energy, every: 1}, {what: temperature, every: 1, start: 5}]\n"
        "run: {until: {time: 9, events: 1000, rest: {slower: 0.1, for: 1, every: 6}}}\n";
    int lines = 0;
    const carom_options options = {.warning = count_line, .user = &lines};
    play halted = play_try(text, NULL, &options), ended = play_try(text, NULL, &options);
    ck_assert(halted.created == CAROM_OK && ended.created == CAROM_OK);
    carom_sim_request_stop(halted.sim);
    ck_assert_int_eq(carom_sim_run(halted.sim), CAROM_EARLY);
    ck_assert_int_eq(lines, 0);
    run_to(&ended, (carom_limits){.time = 4});
    ck_assert_int_eq(carom_sim_finish(ended.sim), CAROM_OK);
    ck_assert_int_eq(lines, 5);
    play_close(&halted);
    play_close(&ended);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("parts of runs");
    tcase_add_loop_test(c, parts_give_the_bits_of_the_whole, 0, GASES);
    tcase_add_test(c, a_run_stops_at_its_collision);
    tcase_add_loop_test(c, limits_that_have_been_passed, 0, GASES);
    tcase_add_test(c, a_lone_ball_flies_to_the_limit);
    tcase_add_test(c, an_observed_run_without_events_ends);
    tcase_add_test(c, a_run_with_pauses_ends_at_its_limits);
    tcase_add_test(c, limits_must_be_numbers);
    tcase_add_loop_test(c, a_kept_frame_does_not_change, 0, GASES);
    tcase_add_test(c, channels_show_the_arrays_of_a_frame);
    tcase_add_test(c, velocities_of_a_cooled_gas_are_those_of_the_scene);
    tcase_add_test(c, a_halted_run_does_not_warn_of_what_may_follow);
    return suite_run("test_run_parts", c);
}
