/* Detects changes of the state (velocities, particles, settings) that are lost or wrong, change the state although they
 * are refused, or make saved and resumed runs differ. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"
#include "base/memory.h"

#include <math.h>
#include <unistd.h>

#define BALL(engine, more)                                                                                             \
    "carom: 1\n"                                                                                                       \
    "engine: " engine "\n"                                                                                             \
    "dimension: 2\n"                                                                                                   \
    "box: {size: [10, 1000], boundary: wall}\n"                                                                        \
    "species: {ball: {diameter: 1}}\n"                                                                                 \
    "fields: {gravity: [0, -1]}\n"                                                                                     \
    "particles: [{species: ball, place: {at: [[5, 500]]}, velocity: {each: [0.25, 0]}}]\n" more                        \
    "run: {until: {time: 100}}\n"

#define GAS(engine, fraction, more)                                                                                    \
    "carom: 1\n"                                                                                                       \
    "engine: " engine "\n"                                                                                             \
    "box: {packing_fraction: " fraction "}\n"                                                                          \
    "species: {grain: {diameter: 1}}\n"                                                                                \
    "particles: [{species: grain, count: 60, place: random, velocity: {maxwell: 1}}]\n"                                \
    "observe: [{what: energy, every: 0.1}]\n" more "run: {until: {time: 2}}\n"

static const char *const gases[] = {
    GAS("hard", "0.3", ""),
    GAS("hard", "0.3", "contacts: [{between: [grain, grain], restitution: 0.8, tangential: 0.5}]\n"),
    GAS("hard", "0.3", "hard: {thermostat: {temperature: 2, rate: 1}}\n"),
    GAS("hard", "0.3", "hard: {precision: long_double}\nfields: {gravity: [0, 0, -2]}\n"),
    GAS("aggregation", "0.05", ""),
    GAS("variational", "0.1", ""),
};
enum { GASES = sizeof gases / sizeof *gases, HARD_GASES = 4 };

static void run_to(play *p, double time)
{
    ck_assert_int_eq(carom_sim_run_to(p->sim, &(carom_limits){.time = time}), CAROM_OK);
}

static uint64_t hash_of(play *p)
{
    return carom_frame_state_hash(carom_sim_frame(p->sim));
}

static double conserved(play *p)
{
    carom_energy energy;
    ck_assert_int_eq(carom_frame_energy(carom_sim_frame(p->sim), &energy), CAROM_OK);
    return energy.conserved;
}

/* The rest of a parabola under another gravity. */
static void check_reversal(const char *scene, double tolerance)
{
    play p = play_open(scene, NULL);
    run_to(&p, 3);
    ck_assert_msg(carom_sim_change(p.sim, "fields.gravity=[0, 2]") == CAROM_OK, "%s", carom_sim_message(p.sim));
    const double before = conserved(&p);
    run_to(&p, 8);
    const double *r = carom_frame_positions(carom_sim_frame(p.sim)),
                 *v = carom_frame_velocities(carom_sim_frame(p.sim));
    EXPECT_CLOSE("value", r[0], 7, tolerance);
    EXPECT_CLOSE("value", r[1], 505.5, tolerance);
    EXPECT_CLOSE("value", v[1], 7, tolerance);
    EXPECT_CLOSE("value", conserved(&p), before, 100 * tolerance);
    play_close(&p);
}

START_TEST(gravity_is_reversed_in_flight)
{
    check_reversal(BALL("hard", ""), 1e-11);
    check_reversal(BALL("variational", "variational: {eta: 0.01, stiffness: 1e5, step: 1e-4}\n"), 1e-9);
}
END_TEST

START_TEST(velocities_are_set_and_energy_is_accounted)
{
    play p = play_open(gases[_i], NULL);
    run_to(&p, 0.5);
    const double before = conserved(&p);
    const uint32_t ids[] = {7, 3};
    const double wanted[] = {1, 2, 3, -0.5, 0.25, 4};
    ck_assert_msg(carom_sim_set_velocities(p.sim, 2, ids, wanted) == CAROM_OK, "%s", carom_sim_message(p.sim));
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++)
            EXPECT_CLOSE("value", carom_frame_velocities(carom_sim_frame(p.sim))[3 * ids[n] + (uint32_t)k],
                         wanted[3 * n + k], 1e-14);
    EXPECT_CLOSE("value", conserved(&p), before, 1e-10 * fabs(before));
    const double time = carom_sim_time(p.sim);
    ck_assert(time == 0.5);
    run_to(&p, 1.5);
    EXPECT_CLOSE("value", conserved(&p), before, (_i == GASES - 1 ? 1e-2 : 1e-10) * fabs(before));
    play_close(&p);
}
END_TEST

/* Of the path through a file, and of the uninterrupted run, after changes. */
START_TEST(a_saved_run_continues_with_the_same_bits)
{
    play whole = play_open(gases[_i], NULL), saved = {.scene = carom_scene_new()};
    const double pushed[] = {1, 2, 3};
    run_to(&whole, 0.4);
    ck_assert_int_eq(carom_sim_set_velocities(whole.sim, 1, (const uint32_t[]){5}, pushed), CAROM_OK);
    if (_i < HARD_GASES)
        ck_assert_int_eq(carom_sim_remove_particles(whole.sim, 2, (const uint32_t[]){11, 40}), CAROM_OK);
    run_to(&whole, 0.9);
    ck_assert_int_eq(carom_sim_save(whole.sim, "state.carom"), CAROM_OK);
    ck_assert_msg(carom_scene_load_saved(saved.scene, "state.carom") == CAROM_OK, "%s",
                  carom_scene_message(saved.scene));
    ck_assert_msg(carom_sim_load(&saved.sim, saved.scene, "state.carom", NULL) == CAROM_OK, "%s",
                  carom_sim_message(saved.sim));
    ck_assert_uint_eq(hash_of(&whole), hash_of(&saved));
    ck_assert_int_eq(carom_sim_run(whole.sim), CAROM_OK);
    ck_assert_int_eq(carom_sim_run(saved.sim), CAROM_OK);
    ck_assert_uint_eq(hash_of(&whole), hash_of(&saved));
    const carom_observable *a = carom_sim_observable(whole.sim, 0), *b = carom_sim_observable(saved.sim, 0);
    ck_assert(a != NULL && b != NULL && a->tables[0].rows == b->tables[0].rows);
    for (size_t k = 0; k < a->tables[0].rows; k++)
        ck_assert(a->tables[0].columns[1].data[k] == b->tables[0].columns[1].data[k]);
    play_close(&whole);
    play_close(&saved);
    ck_assert_int_eq(unlink("state.carom"), 0);
}
END_TEST

START_TEST(a_removed_wall_of_balls_lets_a_ball_pass)
{
    static const char scene[] = "carom: 1\n"
                                "engine: hard\n"
                                "dimension: 2\n"
                                "box: {size: [20, 3], boundary: wall}\n"
                                "species: {ball: {diameter: 1}, brick: {diameter: 1, mass: 1e6}}\n"
                                "particles:\n"
                                "  - {species: ball, place: {at: [[2, 1.5]]}, velocity: {each: [1, 0]}}\n"
                                "  - {species: brick, place: {at: [[10, 0.5], [10, 1.5], [10, 2.5]]}}\n"
                                "run: {until: {time: 50}}\n";
    play p = play_open(scene, NULL);
    run_to(&p, 2);
    ck_assert_int_eq(carom_sim_remove_particles(p.sim, 3, (const uint32_t[]){3, 1, 2}), CAROM_OK);
    ck_assert_uint_eq(carom_frame_particles(carom_sim_frame(p.sim)), 1);
    run_to(&p, 12);
    EXPECT_CLOSE("value", carom_frame_positions(carom_sim_frame(p.sim))[0], 14, 1e-13);
    uint32_t id = 0;
    const double place[] = {17, 1.5}, overlap[] = {14.5, 1.5};
    ck_assert_int_eq(carom_sim_add_particles(p.sim, &(carom_particles){.count = 1, .positions = overlap}, &id),
                     CAROM_BAD_DATA);
    ck_assert_int_eq(carom_sim_add_particles(p.sim, &(carom_particles){.count = 1, .positions = place}, &id), CAROM_OK);
    ck_assert_uint_eq(id, 4);
    run_to(&p, 15);
    ck_assert_uint_eq(carom_sim_events(p.sim, "collision"), 1);
    play_close(&p);
}
END_TEST

/* An observable that is added has the numbers of one of the scene. */
START_TEST(an_added_observable_equals_that_of_a_scene)
{
    play given = play_open(gases[0], NULL), added = play_open(gases[0], "observe=[]");
    ck_assert(carom_sim_observable(added.sim, 0) == NULL);
    ck_assert_msg(carom_sim_observe(added.sim, "{what: energy, every: 0.1}") == CAROM_OK, "%s",
                  carom_sim_message(added.sim));
    run_to(&given, 1.05);
    run_to(&added, 1.05);
    const carom_observable *a = carom_sim_observable(given.sim, 0), *b = carom_sim_observable(added.sim, 0);
    ck_assert(a != NULL && b != NULL);
    ck_assert_str_eq(b->name, "energy");
    ck_assert_uint_eq(b->tables[0].rows, 11);
    for (size_t c = 0; c < a->tables[0].column_count; c++)
        for (size_t k = 0; k < a->tables[0].rows * a->tables[0].columns[c].width; k++)
            ck_assert(a->tables[0].columns[c].data[k] == b->tables[0].columns[c].data[k]);
    play_close(&given);
    play_close(&added);
}
END_TEST

static void change_gravity(play *p, int n)
{
    char set[64];
    snprintf(set, sizeof set, "fields.gravity=[0, %d]", -1 - n % 2);
    ck_assert_msg(carom_sim_change(p->sim, set) == CAROM_OK, "%s", carom_sim_message(p->sim));
}

/* Scenes of earlier changes are freed, but not before the last part that refers to them. */
START_TEST(changes_do_not_accumulate_memory)
{
    static const char *const scenes[] = {
        BALL("hard", "observe: [{what: energy, every: 1}]\n"),
        BALL("variational",
             "variational: {eta: 0.01, stiffness: 1e5, step: 1e-3}\nobserve: [{what: energy, every: 1}]\n")};
    play p = play_open(scenes[_i], NULL);
    run_to(&p, 1);
    for (int n = 0; n < 4; n++) change_gravity(&p, n);
    const size_t before = memory_held();
    for (int n = 0; n < 40; n++) change_gravity(&p, n);
    printf("%zu bytes, after 40 changes %zu\n", before, memory_held());
    ck_assert_uint_eq(memory_held(), before);
    for (int n = 0; n < 6; n++) {
        ck_assert_int_eq(carom_sim_observe(p.sim, "{what: momentum, every: 1}"), CAROM_OK);
        if (n % 3 == 2) change_gravity(&p, n);
        run_to(&p, 2 + n);
    }
    for (size_t n = 0; n < 7; n++)
        ck_assert_str_eq(carom_sim_observable(p.sim, n)->what, n == 0 ? "energy" : "momentum");
    play_close(&p);
}
END_TEST

/* Also of vertices, whose numbers change with the number of particles. */
START_TEST(ids_remain)
{
    static const char scene[] =
        "carom: 1\nengine: hard\nbox: {size: [10, 10, 20], boundary: open}\nspecies: {ball: {diameter: 1}}\n"
        "meshes: [{name: a, shape: {disk: {radius: 2, rings: 1}}, place: {at: [5, 5, 5]}, rigid: true}]\n"
        "particles: [{species: ball, place: {at: [[5, 5, 9], [1, 1, 1], [3, 3, 3]]}}]\n"
        "run: {until: {time: 9}}\n";
    play p = play_open(scene, NULL);
    carom_channel c;
    ck_assert_int_eq(carom_sim_remove_particles(p.sim, 1, (const uint32_t[]){1}), CAROM_OK);
    ck_assert_int_eq(carom_frame_channel(carom_sim_frame(p.sim), "id", &c), CAROM_OK);
    const uint32_t *id = c.data;
    ck_assert(id[0] == 0 && id[1] == 2);
    for (uint32_t n = 2; n < c.shape[0]; n++) ck_assert_uint_eq(id[n], n + 1);
    play_close(&p);
}
END_TEST

/* A drive that would have moved its mesh before the change. */
START_TEST(meshes_do_not_jump)
{
    static const char scene[] =
        "carom: 1\nengine: hard\nbox: {size: [10, 10, 20], boundary: open}\nspecies: {ball: {diameter: 1}}\n"
        "meshes:\n"
        "  - {name: a, shape: {disk: {radius: 2, rings: 4}}, place: {at: [5, 5, 5]}, rigid: true}\n"
        "  - {name: b, shape: {disk: {radius: 2, rings: 4}}, place: {at: [5, 5, 12]}, rigid: true}\n"
        "drives: [{name: one, mesh: a, motion: [{velocity: [0, 0, -0.1]}]}]\n"
        "particles: [{species: ball, place: {at: [[5.1, 5.2, 9]]}, velocity: {each: [0, 0, 0.5]}}]\n"
        "run: {until: {time: 9}}\n";
    static const char *const begins[] = {"0", "1.5", "2"};
    play p = play_open(scene, NULL);
    run_to(&p, 2);
    for (int n = 0; n < 3; n++) {
        char set[200];
        snprintf(
            set, sizeof set,
            "drives=[{name: one, mesh: a, motion: [{velocity: [0, 0, -0.1]}]}, {name: two, mesh: b, motion: [{time: "
            "%s, velocity: [0, 0, -1]}]}]",
            begins[n]);
        const carom_status status = carom_sim_change(p.sim, set);
        printf("%s\n", carom_sim_message(p.sim));
        ck_assert_int_eq(status, n < 2 ? CAROM_USAGE : CAROM_OK);
        const carom_frame *f = carom_sim_frame(p.sim);
        ck_assert(carom_frame_positions(f)[3 * carom_frame_count(f) - 1] == 12);
    }
    run_to(&p, 4); /* at time 3 the ball is hit at z = 10.5; its speed is then 2.5 downwards */
    EXPECT_CLOSE("height", carom_frame_positions(carom_sim_frame(p.sim))[2], 8, 1e-12);
    play_close(&p);
}
END_TEST

/* A mesh that turns keeps its angle: only a later piece of its motion may be another. */
START_TEST(meshes_keep_their_angle)
{
#define TURN(more) "{turn: {axis: [0, 0, 1], through: [5, 5, 5], " more "}}"
#define DRIVES(pieces) "drives=[{name: one, mesh: a, motion: [" pieces "]}]"
    static const char scene[] =
        "carom: 1\nengine: hard\nbox: {size: [10, 10, 20], boundary: open}\nspecies: {ball: {diameter: 1}}\n"
        "meshes: [{name: a, shape: {disk: {radius: 2, rings: 1}}, place: {at: [5, 5, 5]}, rigid: true}]\n"
        "drives: [{name: one, mesh: a, motion: [" TURN(
            "rate: 0.25") "]}]\n"
                          "particles: [{species: ball, place: {at: [[5, 5, 9]]}}]\n"
                          "run: {until: {time: 9}}\n";
    static const struct {
        const char *set;
        carom_status wanted;
    } cases[] = {
        {DRIVES(TURN("rate: 0.5")), CAROM_USAGE},
        {"drives=[]", CAROM_USAGE},
        {DRIVES("{velocity: [0, 0, 0]}"), CAROM_USAGE},
        {DRIVES(TURN("rate: 0.25") ", {time: 1, velocity: [0, 0, 0]}"), CAROM_USAGE},
        {DRIVES(TURN("rate: 0.25") ", {time: 2, velocity: [0, 0, 1]}"), CAROM_OK},
    };
    play p = play_open(scene, NULL);
    run_to(&p, 2);
    carom_frame *before = NULL;
    ck_assert_int_eq(carom_sim_take(p.sim, &before), CAROM_OK);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const carom_status status = carom_sim_change(p.sim, cases[n].set);
        printf("%s: %s\n", cases[n].set, carom_sim_message(p.sim));
        ck_assert_int_eq(status, cases[n].wanted);
        const double *r = carom_frame_positions(before), *now = carom_frame_positions(carom_sim_frame(p.sim));
        for (size_t k = 0; k < 3 * carom_frame_count(before); k++) ck_assert(fabs(now[k] - r[k]) < 1e-14);
    }
    carom_frame_free(before);
    play_close(&p);
}
END_TEST

/* Refusals leave the state as it is. */
START_TEST(refused_changes_have_no_effect)
{
    play p = play_open(gases[0], NULL);
    run_to(&p, 0.3);
    const uint64_t before = hash_of(&p);
    const double v[] = {1, 2, (double)NAN}, r[] = {1, 1, 1}, far[] = {1e300, -1e15, (double)INFINITY};
    ck_assert_int_eq(carom_sim_set_velocities(p.sim, 1, (const uint32_t[]){2}, v), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_set_velocities(p.sim, 1, (const uint32_t[]){60}, r), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_set_velocities(p.sim, 1, NULL, r), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_remove_particles(p.sim, 2, (const uint32_t[]){4, 4}), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_change(p.sim, "seed=7"), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_change(p.sim, "fields.gravity=[1]"), CAROM_BAD_DATA);
    ck_assert_int_eq(carom_sim_change(p.sim, "hard.precision=float"), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_observe(p.sim, "{what: energie}"), CAROM_BAD_DATA);
    ck_assert_int_eq(carom_sim_observe(p.sim, "what: energy\nseed: 3"), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_add_particles(p.sim, &(carom_particles){.count = 1, .positions = v}, NULL),
                     CAROM_BAD_DATA);
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        const double place[] = {far[k], 1, 1};
        ck_assert_int_eq(carom_sim_add_particles(p.sim, &(carom_particles){.count = 1, .positions = place}, NULL),
                         CAROM_BAD_DATA);
        ck_assert_ptr_nonnull(strstr(carom_sim_message(p.sim), "near the box"));
    }
    ck_assert_uint_eq(hash_of(&p), before);
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_OK);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("changes");
    tcase_add_test(all, gravity_is_reversed_in_flight);
    tcase_add_loop_test(all, velocities_are_set_and_energy_is_accounted, 0, GASES);
    tcase_add_loop_test(all, a_saved_run_continues_with_the_same_bits, 0, GASES);
    tcase_add_test(all, a_removed_wall_of_balls_lets_a_ball_pass);
    tcase_add_test(all, an_added_observable_equals_that_of_a_scene);
    tcase_add_loop_test(all, changes_do_not_accumulate_memory, 0, 2);
    tcase_add_test(all, ids_remain);
    tcase_add_test(all, meshes_do_not_jump);
    tcase_add_test(all, meshes_keep_their_angle);
    tcase_add_test(all, refused_changes_have_no_effect);
    return suite_run("test_changes", all);
}
