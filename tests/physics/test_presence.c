/* Detects meshes that appear or vanish at a wrong time, act while they are absent, appear in grains, lose energy or grains, or
 * change bits with threads, in the reference or after a checkpoint. Closed forms: falls of a ball through and onto a plate. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/suite.h"

/* ---- one ball ---------------------------------------------------------------------------------------------------- */

/* A ball of diameter 1 and a plate of thickness 0.2 at height 5: they touch at height 5.6. */
#define PLATE                                                                                                          \
    "dimension: 3\nbox: {size: [6, 6, 20], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"                    \
    "particles: [{species: a, place: {at: [[3, 3, %.17g]]}, velocity: {each: [0, 0, %.17g]}}]\n"                       \
    "meshes: [{name: plate, shape: {rectangle: {length: 4, width: 4, along: 2, across: 2}}, place: {at: [3.1, 3.2, "   \
    "5]}, rigid: true, thickness: 0.2, %s}]\n"                                                                         \
    "fields: {gravity: [0, 0, %g]}\nvariational: {eta: 0.001, courant: 0.02}\n"

static play plate(double height, double speed, double gravity, const char *moments)
{
    char body[1000];
    snprintf(body, sizeof body, PLATE, height, speed, moments, gravity);
    return open_scene(body, NULL);
}

static double height(const play *p)
{
    return frame(p)->position[2];
}

static bool plate_is_absent(const play *p)
{
    frame_need(frame(p), FRAME_ALL);
    return frame_is_absent(frame(p), frame_particles(frame(p)));
}

/* It reaches height 5 after 2 s, and the mesh appears then or before or after. */
START_TEST(a_ball_passes_before)
{
    play early = plate(9, -2, 0, "appear: {time: 1, every: 0.1}"),
         late = plate(9, -2, 0, "appear: {time: 3, every: 0.1}");
    for (int n = 1; n <= 40; n++) {
        const double t = 0.1 * n + 0.05, bounce = 1.7, free = 9 - 2 * t;
        play_advance(&early, t);
        play_advance(&late, t);
        ck_assert_int_eq(plate_is_absent(&early), t < 1);
        ck_assert_int_eq(plate_is_absent(&late), t < 3);
        EXPECT_CLOSE("height of a ball that passes", height(&late), free, 1e-12);
        EXPECT_CLOSE("height of a ball that bounces", height(&early), t < bounce ? free : 5.6 + 2 * (t - bounce), 4e-3);
        EXPECT_CLOSE("energy balance", budget(&early), 2, t < bounce || t > bounce + 0.05 ? 2e-6 : 0.02);
    }
    play_close(&early);
    play_close(&late);
}
END_TEST

/* The plate waits until the ball, which crosses its place from 1.7 to 2.3, has left. */
START_TEST(a_plate_waits_for_its_place)
{
    play p = plate(9, -2, 0, "appear: {time: 1.8, every: 0.11}");
    for (int n = 1; n <= 40; n++) {
        const double t = 0.1 * n + 0.005;
        play_advance(&p, t);
        ck_assert_int_eq(plate_is_absent(&p), t < 1.8 + 5 * 0.11);
        EXPECT_CLOSE("height", height(&p), 9 - 2 * t, 1e-12);
    }
    play_close(&p);
}
END_TEST

static double taken(const play *p)
{
    const frame_ledger *l = &frame(p)->tallies.ledger;
    return l->restitution + l->friction - l->work;
}

/* At rest on the plate, in layers that hold some energy, which leaves with the plate: then a fall, with at most
 * the speed 0.004 that gravity adds in half a step. */
START_TEST(a_ball_falls_when_the_plate_vanishes)
{
    char body[1200];
    snprintf(body, sizeof body, PLATE, 5.6, 0.0, "vanish: {time: 6}", -2.0);
    char *layers = strstr(body, "variational:");
    snprintf(layers, 200,
             "contacts: [{between: [a, a], restitution: 0}]\nvariational: {eta: 0.05, stiffness: 60, courant: 0.02}\n");
    play p = open_scene(body, NULL);
    const double start = budget(&p);
    play_advance(&p, 5.99);
    const double rest = height(&p), stored = frame_energy_of(frame(&p)).stored, before = taken(&p);
    EXPECT_CLOSE("height at rest", rest, 5.55, 0.05);
    ck_assert(stored > 0.01);
    for (int n = 0; n < 20; n++) {
        const double t = 0.1 * n + 0.01;
        play_advance(&p, 6 + t);
        ck_assert(plate_is_absent(&p));
        EXPECT_CLOSE("height", height(&p), rest - t * t, 8e-6 + 4e-3 * t);
        EXPECT_CLOSE("energy balance", budget(&p), start, 2e-5);
        EXPECT_CLOSE("energy that the plate takes", taken(&p) - before, stored, 1e-4 * stored);
    }
    play_close(&p);
}
END_TEST

/* A moving plate goes on while it is absent: it appears where its drive has led it. */
START_TEST(an_absent_plate_follows_its_drive)
{
    char body[1200];
    snprintf(body, sizeof body, PLATE "drives: [{name: lift, mesh: plate, motion: [{velocity: [0, 0, 1.5]}]}]\n", 12.0,
             0.0, "appear: {time: 2, every: 0.1}", 0.0);
    play p = open_scene(body, NULL);
    play_advance(&p, 1.9);
    const carom_frame *f = frame(&p);
    frame_need(f, FRAME_ALL);
    EXPECT_CLOSE("height of the plate", f->position[5], 5 + 1.5 * 1.9, 1e-12);
    play_advance(&p, 4);
    EXPECT_CLOSE("height before the impact", height(&p), 12, 0); /* they touch at (12 - 5.6) / 1.5 = 4.27 */
    play_advance(&p, 5);
    EXPECT_CLOSE("height after it", height(&p), 12 + 3 * (5 - 6.4 / 1.5), 4e-3);
    play_close(&p);
}
END_TEST

/* The ball falls below 0.5 once, at the top of its flight up: from 4 + 1 at speed 2, after 1 s. */
START_TEST(conditions_hold_at_checks)
{
    play slow = plate(5 + 1, 2, -2, "vanish: {when: {slower: 0.5, every: 0.3}}");
    play count = plate(9, -0.1, 0, "appear: {when: {particles: 1, every: 0.4}}");
    play_advance(&slow, 0.89); /* the speed is 2 - 2 t */
    ck_assert(!plate_is_absent(&slow));
    play_advance(&slow, 0.91);
    ck_assert(plate_is_absent(&slow));
    play_advance(&count, 0.39);
    ck_assert(plate_is_absent(&count));
    play_advance(&count, 0.41);
    ck_assert(!plate_is_absent(&count));
    play_close(&slow);
    play_close(&count);
}
END_TEST

/* 0.7 is below 70 times 0.01 by rounding: a state at the moment of the change can be resumed. */
START_TEST(a_change_between_checks_can_be_resumed)
{
    char body[1000];
    snprintf(body, sizeof body, PLATE, 9.0, -2.0,
             "appear: {time: 0.7, every: 0.1}, vanish: {when: {slower: 0.1, every: 0.01}}", 0.0);
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 0.7}}\n%s", body);
    char path[60];
    snprintf(path, sizeof path, "presence-moment-%ld.h5", (long)getpid());
    carom_options options = {.output = path, .force = true};
    for (int n = 0; n < 2; n++) {
        play p = play_try(text.text, n == 0 ? NULL : "run.until.time=1", &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        play_run(&p, CAROM_STOP_TIME);
        ck_assert(!plate_is_absent(&p));
        play_close(&p);
        options = (carom_options){.output = path, .resume = true};
    }
    remove(path);
}
END_TEST

/* ---- many grains ------------------------------------------------------------------------------------------------- */

/* Grains pour onto a gate that vanishes when they are slow; then a moving slab appears above them, and vanishes again. */
#define GATE                                                                                                           \
    "dimension: 3\nseed: %d\nbox: {size: [6, 3, 9], boundary: [periodic, wall, wall]}\n"                               \
    "species: {a: {diameter: {uniform: [0.8, 1.2]}, density: 1.9}}\n"                                                  \
    "particles: [{species: a, count: 30, velocity: {maxwell: 0.2}, angular_velocity: {maxwell: 1},\n"                  \
    "  place: {inflow: {region: {box: {from: [0, 0, 6], to: [6, 3, 8.5]}}, rate: 12}}}]\n"                             \
    "meshes:\n"                                                                                                        \
    "  - {name: gate, shape: {rectangle: {length: 6, width: 3, along: 6, across: 3}}, place: {at: [3, 1.5, 3]},\n"     \
    "     rigid: true, thickness: 0.2, vanish: {when: {slower: 1, every: 0.2, particles: 30}}}\n"                      \
    "  - {name: slab, shape: {rectangle: {length: 2, width: 2, along: 2, across: 2}}, place: {at: [2, 1.5, 5]},\n"     \
    "     rigid: true, thickness: 0.2, appear: {time: 3, every: 0.05}, vanish: {time: 8}}\n"                           \
    "drives: [{name: press, mesh: slab, motion: [{velocity: [0, 0, -0.3]}, {time: 4}]}]\n"                             \
    "contacts:\n  - {between: [a, a], restitution: 0.6, friction: 0.4, rolling_friction: 0.1%s}\n"                     \
    "  - {between: [a, wall], restitution: 0.6, friction: 0.4}\n"                                                      \
    "fields: {gravity: [0, 0, -1]}\nvariational: {rotation: true, courant: 0.2}\n"

enum { SEEDS = 12, SOME = 3 };

static const char *gate_text(int seed)
{
    static char body[2000];
    snprintf(body, sizeof body, GATE, seed, seed % 2 == 0 ? ", cohesion: 0.05" : "");
    return body;
}

START_TEST(the_reference_agrees)
{
    reference_gives_the_same(gate_text(_i), 1.5, 7);
}
END_TEST

START_TEST(resumed_runs_and_threads_agree)
{
    char name[40];
    snprintf(name, sizeof name, "presence-%d", _i);
    parts_give_the_same(name, gate_text(_i), NULL, 10);
}
END_TEST

/* All grains rest on the gate and then on the floor of the box; the balance drifts as in scenes without gates. */
START_TEST(the_energy_is_balanced)
{
    play p = open_scene(gate_text(_i), "variational.courant=0.05");
    const double start = budget(&p);
    for (int n = 1; n <= 14; n++) play_advance(&p, n);
    const carom_frame *f = frame(&p);
    frame_need(f, FRAME_ALL);
    const double drift = fabs(budget(&p) - start) / f->tallies.flow.energy_entered;
    ck_assert_uint_eq(f->tallies.flow.entered, 30);
    for (size_t i = 0; i < frame_particles(f); i++) ck_assert(f->position[3 * i + 2] < 8.5);
    for (size_t i = frame_particles(f); i < f->count; i++) ck_assert(frame_is_absent(f, i));
    EXPECT_CLOSE("drift / energy that has entered", drift, 0, 2e-5);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_test(all, a_ball_passes_before);
    tcase_add_test(all, a_plate_waits_for_its_place);
    tcase_add_test(all, a_ball_falls_when_the_plate_vanishes);
    tcase_add_test(all, an_absent_plate_follows_its_drive);
    tcase_add_test(all, conditions_hold_at_checks);
    tcase_add_test(all, a_change_between_checks_can_be_resumed);
    tcase_add_loop_test(more, the_reference_agrees, 0, SOME);
    tcase_add_loop_test(rest, the_reference_agrees, SOME, SEEDS);
    suite_split_loop(all, rest, resumed_runs_and_threads_agree, SOME, SEEDS);
    suite_split_loop(all, more, the_energy_is_balanced, 2, SEEDS);
    tcase_set_timeout(all, 300);
    return suite_run("presence", all, more, rest);
}
