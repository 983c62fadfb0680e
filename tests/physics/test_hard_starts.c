/* Detects drives of the engine `hard` that start at a wrong check, move before, lose the state of their condition, or change bits with
 * threads, in the reference or after a checkpoint. Closed forms: an impact on a plate that rises; motions with given times. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/suite.h"

/* A ball of diameter 1 above a plate of thickness 0.2 at height 5. Without gravity there is another one beside them. */
#define PLATE                                                                                                          \
    "dimension: 3\nbox: {size: [6, 12, 20], boundary: [wall, open, open]}\nspecies: {a: {diameter: 1, mass: 1}}\n"     \
    "particles: [{species: a, place: {at: [[3, 3, %g]]}, velocity: {each: [0, 0, %g]}}%s]\n"                           \
    "meshes: [{name: plate, shape: {rectangle: {length: 4, width: 4, along: 2, across: 2}}, place: {at: [3.1, 3.2, "   \
    "5]}, rigid: true, thickness: 0.2}]\n"                                                                             \
    "fields: {gravity: [0, 0, %g]}\n"                                                                                  \
    "drives: [{name: lift, mesh: plate, motion: %s%s}]\n"
#define OTHER ", {species: a, place: {at: [[3, 10, 9]]}, velocity: {each: [0.1, 0, 0]}}"

static play plate(double height, double speed, double gravity, const char *motion, const char *start, const char *set)
{
    char body[1500];
    snprintf(body, sizeof body, PLATE, height, speed, gravity == 0 ? OTHER : "", gravity, motion, start);
    return open_engine("hard", body, set);
}

static double start_of(const play *p, size_t drive)
{
    const frame_tallies *t = &frame(p)->tallies;
    for (size_t k = 0; k < t->start_count; k++)
        if (t->starts[k].drive == drive) return t->starts[k].time;
    ck_abort_msg("drive %zu does not wait", drive);
}

/* ---- one ball ---------------------------------------------------------------------------------------------------- */

/* Thrown up at speed 2 under gravity 2, the ball is slower than 0.5 between 0.75 and 1.25: the plate rises from 0.9 on at speed 1.5. With
 * u = t - 1 the ball is at 7 - u^2, and they touch at u^2 + 1.5 u = 1.25. */
static void rise(const char *set, double bound)
{
    play p = plate(6, 2, -2, "[{velocity: [0, 0, 1.5]}]", ", start: {when: {slower: 0.5, every: 0.3}}", set);
    const double start = budget(&p), touch = (sqrt(7.25) - 1.5) / 2;
    for (int n = 1; n <= 25; n++) {
        const double t = 0.1 * n + 0.05, u = t - 1, since = u - touch;
        const double at = 7 - touch * touch, up = 3 + 2 * touch; /* where they touch, and the speed after it */
        play_advance(&p, t);
        const carom_frame *f = frame(&p);
        frame_need(f, FRAME_ALL);
        ck_assert_int_eq(!isnan(start_of(&p, 0)), t > 0.9);
        EXPECT_CLOSE("height of the plate", f->position[5], 5 + 1.5 * fmax(t - 0.9, 0), bound);
        EXPECT_CLOSE("height of the ball", f->position[2], since < 0 ? 7 - u * u : at + up * since - since * since,
                     bound);
        EXPECT_CLOSE("energy balance", budget(&p), start, 2 * bound);
    }
    ck_assert_uint_eq(frame(&p)->events[EVENT_WALL], 1);
    EXPECT_CLOSE("time of the start", start_of(&p, 0), 0.9, 2e-16);
    play_close(&p);
}

START_TEST(a_plate_rises_when_the_ball_is_slow)
{
    rise(NULL, 5e-15);
    rise("hard.reference=true", 5e-15);
    rise("hard.precision=float", 3e-6);
    rise("hard.precision=quad", 5e-15);
}
END_TEST

/* Pieces count from the start: two translations, a turn and an oscillation are those of a drive with these times. */
START_TEST(pieces_count_from_the_start)
{
    play waits = plate(
        15, 0, 0,
        "[{time: 0.1, velocity: [0, 0.3, 0], turn: {axis: [1, 2, 0], through: [3, 3, 5], rate: 0.7}}, {time: 0.5, "
        "velocity: [0.1, 0, -0.2]}, {time: 1.1, oscillate: {by: [0, 0, 1], frequency: 0.3, phase: 1}}]",
        ", start: {when: {particles: 2, slower: 1, for: 0.7, every: 0.2}}", NULL);
    play given = plate(
        15, 0, 0,
        "[{time: 1.1, velocity: [0, 0.3, 0], turn: {axis: [1, 2, 0], through: [3, 3, 5], rate: 0.7}}, {time: 1.5, "
        "velocity: [0.1, 0, -0.2]}, {time: 2.1, oscillate: {by: [0, 0, 1], frequency: 0.3, phase: 1}}]",
        "", NULL); /* slow at the checks from 0.2 on: the condition holds at 1 */
    for (int n = 0; n <= 40; n++) {
        double worst = 0;
        play_advance(&waits, 0.1 * n);
        play_advance(&given, 0.1 * n);
        frame_need(frame(&waits), FRAME_ALL);
        frame_need(frame(&given), FRAME_ALL);
        for (size_t k = 6; k < 3 * frame(&waits)->count; k++)
            worst = fmax(worst, fabs(frame(&waits)->position[k] - frame(&given)->position[k]));
        EXPECT_CLOSE("vertices", worst, 0, 2.6e-15);
    }
    EXPECT_CLOSE("time of the start", start_of(&waits, 0), 1, 2e-16);
    play_close(&waits);
    play_close(&given);
}
END_TEST

/* A change of the scene makes another engine, and new velocities a re-basing: what has started goes on, and what waits counts on. Another
 * motion is refused. */
START_TEST(changes_keep_the_start)
{
    const uint32_t id = 1;
    const double other[] = {0.2, 0, 0};
    play p = plate(15, 0, 0, "[{velocity: [0, 0, 1.5]}]", ", start: {when: {slower: 1, for: 0.55, every: 0.1}}", NULL);
    for (int n = 0; n < 8; n++) {
        const double t = 0.25 * n + 0.125;
        play_advance(&p, t);
        ck_assert_int_eq(carom_sim_change(p.sim, n % 2 == 0 ? "run.until.time=1e5" : "run.until.time=1e4"), CAROM_OK);
        if (n % 3 == 1) ck_assert_int_eq(carom_sim_set_velocities(p.sim, 1, &id, other), CAROM_OK);
        frame_need(frame(&p), FRAME_ALL);
        EXPECT_CLOSE("height of the plate", frame(&p)->position[8], 5 + 1.5 * fmax(t - 0.7, 0), 2e-15);
    }
    ck_assert_int_eq(carom_sim_change(p.sim, "drives.0.motion.0.velocity=[0, 0, 2]"), CAROM_USAGE);
    play_close(&p);
}
END_TEST

/* ---- gases ------------------------------------------------------------------------------------------------------- */

/* A gas above a floor that sinks once all are slower than 3.6, beside a paddle that swings, and a cage that turns, from a check on. */
#define GAS                                                                                                            \
    "dimension: 3\nseed: %d\nbox: {size: [7, 7, 9], boundary: wall}\n"                                                 \
    "species: {a: {diameter: {uniform: [0.25, %s]}, mass: 1}}\n"                                                       \
    "particles: [{species: a, count: 200, place: {random: {region: {box: {from: [0, 0, 4.1], to: [7, 7, 9]}}}}, "      \
    "velocity: {maxwell: 1}%s}]\n"                                                                                     \
    "meshes:\n"                                                                                                        \
    "  - {name: floor, shape: {rectangle: {length: 6.9, width: 6.9, along: 4, across: 4}}, place: {at: [3.5, 3.5, "    \
    "4]},\n     rigid: true, thickness: 0.1}\n"                                                                        \
    "  - {name: cage, shape: {sphere: {radius: 0.6, parts: 2}}, place: {at: [2, 2, 2]}, rigid: true}\n"                \
    "  - {name: paddle, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [5, 5, 2]},\n"     \
    "     rigid: true, appear: {time: 2, every: 0.1}}\n"                                                               \
    "drives:\n"                                                                                                        \
    "  - {name: sink, mesh: floor, motion: [{velocity: [0, 0, -2]}, {time: 0.5}], start: {when: {slower: 3.6, every: " \
    "0.05}}}\n"                                                                                                        \
    "  - {name: swing, mesh: paddle, motion: [{oscillate: {by: [0, 0, 0.5], frequency: 0.7}}], start: {when: "         \
    "{particles: 200, every: 0.37}}}\n"                                                                                \
    "  - {name: turn, mesh: cage, motion: [{turn: {axis: [1, 1, 0], through: [2, 2, 2], rate: 2}}], start: {when: "    \
    "{slower: 9, for: 1, every: 0.2}}}\n%s"

enum { SEEDS = 12, SOME = 3 };

static const char *some_text(int n)
{
    static char body[2500];
    static const char *const contacts[] = {
        "", "contacts: [{between: [a, a], friction: 0.4, tangential: 0, restitution: 0.9}]\n",
        "contacts: [{between: [a, a], restitution: 0.8}]\nhard: {collapse: {policy: cutoff, speed: 0.01}}\n"};
    snprintf(body, sizeof body, GAS, n, n % 2 == 0 ? "0.3" : "0.7",
             n % 3 == 1 ? ", angular_velocity: {maxwell: 1}" : "", contacts[n % 3]);
    return body;
}

START_TEST(the_reference_agrees)
{
    play fast = open_engine("hard", some_text(_i), NULL);
    play all_pairs = open_engine("hard", some_text(_i), "hard.reference=true");
    const double start = budget(&fast);
    for (int n = 0; n <= 8; n++) {
        play_advance(&fast, 0.55 * n);
        play_advance(&all_pairs, 0.55 * n);
        same_state(&fast, &all_pairs);
        EXPECT_CLOSE("drift", budget(&fast), start, 6e-16 * fabs(start));
        EXPECT_CLOSE("overlap", frame(&fast)->tallies.max_overlap, 0, 1e-13);
    }
    printf("starts: %.3g %.3g %.3g\n", start_of(&fast, 0), start_of(&fast, 1), start_of(&fast, 2));
    ck_assert(start_of(&fast, 0) > 0.04 && start_of(&fast, 1) == 0.37 && start_of(&fast, 2) >= 1.2);
    play_close(&fast);
    play_close(&all_pairs);
}
END_TEST

/* Stopped between frames; and a run with other frames, some of them at times of checks. */
START_TEST(resumed_runs_agree)
{
    char name[40];
    snprintf(name, sizeof name, "hard-starts-%d", _i);
    parts_of_engine("hard", 1, name, some_text(_i), "output.frames.every=0.31", 3);
    play some = open_engine("hard", some_text(_i), "output.frames.every=0.1");
    play none = open_engine("hard", some_text(_i), NULL);
    for (int n = 1; n <= 15; n++) play_advance(&some, 0.2 * n);
    play_advance(&none, 3);
    same_state(&some, &none);
    play_close(&some);
    play_close(&none);
}
END_TEST

START_TEST(threads_agree)
{
    char name[40];
    snprintf(name, sizeof name, "hard-starts-threads-%d", _i);
    parts_of_engine("hard", 2 + _i % 2, name, some_text(2 * _i), NULL, 3);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *rest = suite_long_case();
    tcase_add_test(all, a_plate_rises_when_the_ball_is_slow);
    tcase_add_test(all, pieces_count_from_the_start);
    tcase_add_test(all, changes_keep_the_start);
    suite_split_loop(all, rest, the_reference_agrees, SOME, SEEDS);
    suite_split_loop(all, rest, resumed_runs_agree, SOME, SEEDS);
    tcase_add_loop_test(all, threads_agree, 0, 3);
    tcase_set_timeout(all, 300);
    return suite_run("hard starts", all, rest);
}
