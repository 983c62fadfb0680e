/* Detects wrong times, numbers, places and energies of particles that enter and leave in the engine `hard`, overlaps of those that
 * enter, bodies that stay asleep without their supports, and bits that depend on the reference, on frames or on a resumed run.
 * Closed forms: falls, an ideal gas that leaves through an open side, effusion. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/suite.h"

static const double PI = 3.14159265358979323846;

/* ---- without contacts -------------------------------------------------------------------------------------------- */

/* Disks far apart enter at height 9 and leave below height 1: 2 s apart, with speed 1 downwards. */
#define FALL                                                                                                           \
    "dimension: 2\nseed: 3\nbox: {size: [40, 10], boundary: open}\nspecies: {a: {diameter: 0.1, mass: 3}}\n"           \
    "particles: [{species: a, count: 20, velocity: {each: [0, -1]},\n"                                                 \
    "  place: {inflow: {region: {box: {from: [0, 9], to: [40, 9.1001]}}, rate: 0.5, start: 1}}}]\n"                    \
    "outflow: [{name: below, region: {box: {from: [-1, -100], to: [41, 1]}}, every: 0.01, start: 0.005}]\n"            \
    "fields: {gravity: [0, -2]}\n"

/* Height 9.05 within 5e-5: the time to height 1 is (sqrt(1 + 4 * 8.05) - 1) / 2 = 2.380. */
START_TEST(a_fall_takes_its_time)
{
    play p = open_engine("hard", FALL, NULL);
    const double fall = 0.5 * (sqrt(1 + 4 * 8.05) - 1);
    for (int n = 0; n < 90; n++) {
        const double t = 0.4377 * n;
        uint64_t entered = 0, left = 0;
        for (int k = 0; k < 20; k++) {
            entered += 1 + 2 * k <= t;
            left += 1 + 2 * k + fall + 0.02 <= t;
            if (fabs(1 + 2 * k + fall - t) < 0.03) left = UINT64_MAX / 2; /* the checks are 0.01 apart */
        }
        play_advance(&p, t);
        const frame_flow *flow = &frame(&p)->tallies.flow;
        ck_assert_uint_eq(flow->entered, entered);
        if (left < 100) ck_assert_uint_eq(flow->left, left);
        ck_assert_uint_eq(frame_present(frame(&p)), flow->entered - flow->left);
        EXPECT_CLOSE("mass that has entered", flow->mass_entered, 3.0 * (double)entered, 0);
        EXPECT_CLOSE("energy that has entered", flow->energy_entered, (double)entered * 3 * (0.5 + 2 * 9.05), 6e-3);
        EXPECT_CLOSE("energy that has left", flow->energy_left, (double)flow->left * 3 * (0.5 + 2 * 9.05), 6e-3);
        EXPECT_CLOSE("energy balance", budget(&p), 0, 1e-14 * (1 + flow->energy_entered));
    }
    play_close(&p);
}
END_TEST

/* A disk that has entered at 1 + 2 k with speed 1 falls as from there: positions and velocities, at any time. */
START_TEST(ids_stay)
{
    play p = open_engine("hard", FALL, NULL);
    for (int n = 0; n < 40; n++) {
        const double now = 0.3217 * n;
        play_advance(&p, now);
        const carom_frame *f = frame(&p);
        frame_need(f, FRAME_ALL);
        for (uint32_t i = 0; i < 20; i++) {
            const double since = now - (1 + 2.0 * i);
            ck_assert_uint_eq(f->id[i], i);
            ck_assert(f->present[i] == UINT32_MAX || f->present[i] == i);
            ck_assert_int_eq(frame_is_absent(f, i), f->present[i] == UINT32_MAX);
            if (frame_is_absent(f, i)) {
                ck_assert(since < 0 || since > 2.37);
                EXPECT_CLOSE("place", fabs(f->position[2 * i]) + fabs(f->velocity[2 * i + 1]), 0, 0);
                continue;
            }
            ck_assert(since >= 0 && since < 2.4);
            EXPECT_CLOSE("velocity", f->velocity[2 * i + 1], -1 - 2 * since, 1e-14);
            EXPECT_CLOSE("height", f->position[2 * i + 1], 9.05005 - since - since * since, 5.001e-5);
        }
    }
    play_close(&p);
}
END_TEST

/* A region with room for one disk: the next one enters at the first multiple of 0.1 at which the one before has moved by its
 * diameter, less what both may differ in place. */
START_TEST(an_occupied_region_waits)
{
    play p = open_engine("hard",
                         "dimension: 2\nbox: {size: [4, 30], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                         "particles: [{species: a, count: 5, velocity: {each: [0, -1]},\n"
                         "  place: {inflow: {region: {box: {from: [1, 20], to: [2.001, 21.001]}}, rate: 10}}}]\n",
                         NULL);
    for (int n = 1; n <= 60; n++) {
        play_advance(&p, 0.1 * n + 0.05);
        const uint64_t most = 1 + (uint64_t)((0.1 * n + 0.05) / 0.998), least = 1 + (uint64_t)((0.1 * n + 0.05) / 1.1);
        ck_assert_uint_le(frame(&p)->tallies.flow.entered, most < 5 ? most : 5);
        ck_assert_uint_ge(frame(&p)->tallies.flow.entered, least < 5 ? least : 5);
        EXPECT_CLOSE("energy balance", budget(&p), 0, 1e-15);
    }
    ck_assert_uint_eq(frame(&p)->events[EVENT_COLLISION], 0);
    play_close(&p);
}
END_TEST

/* ---- gases that leave -------------------------------------------------------------------------------------------- */

/* The fraction of an ideal gas in the box 0 < x < 1, with a wall at 0, that is inside at time t: places are uniform, and those with
 * their images in the wall are uniform from -1 to 1. Speeds along x have the variance 1: E max(0, 1 - |v| t / 2). */
static double ideal_rest(double t)
{
    const double w = 2 / t; /* of the fastest that may be there */
    return erf(w / sqrt(2)) - sqrt(2 / PI) * (1 - exp(-w * w / 2)) / w;
}

/* The flux at the start is n v / 4 for each area, v the mean speed. */
START_TEST(an_ideal_gas_leaves_through_an_open_side)
{
    enum { COUNT = 20000, TIMES = 12 };
    char body[600];
    snprintf(body, sizeof body,
             "dimension: 3\nseed: %d\nbox: {size: [1, 1, 1], boundary: [open, periodic, periodic]}\n"
             "species: {a: {diameter: 1e-9, mass: 1}}\n"
             "planes: [{name: back, point: [0, 0, 0], normal: [1, 0, 0]}]\n"
             "particles: [{species: a, count: %d, place: random, velocity: {maxwell: 1}}]\n"
             "outflow: [{name: side, side: x+, every: 0.01}]\n",
             5 + _i, COUNT);
    play p = open_engine("hard", body, NULL);
    const double start = budget(&p);
    for (int n = 1; n <= TIMES; n++) {
        const double t = n < 3 ? 0.02 * n : 0.25 * (n - 2), rest = ideal_rest(t);
        play_advance(&p, t);
        EXPECT_CLOSE("fraction that is left", (double)frame_present(frame(&p)) / COUNT, rest,
                     3 * sqrt(rest * (1 - rest) / COUNT));
    }
    EXPECT_CLOSE("flux at the start", (1 - ideal_rest(1e-3)) / 1e-3, sqrt(8 / PI) / 4, 1e-15 / 1e-3);
    EXPECT_CLOSE("energy balance", budget(&p), start, 1e-12 * start);
    play_close(&p);
}
END_TEST

/* A gas of spheres of diameter d below a plate at height z with a hole, a polygon of 48 sides. Centres are in the box less half a
 * diameter, and pass the hole as far from its edge, so that the flux n v / 4 leaves through this area.
 * The mean free path, 8, is long beside the hole, and short beside the flight of a particle until it leaves, 1300. */
enum { GAS = 600, SIDES = 48 };
static const double d = 0.1, side = 6, hole = 0.5;

static double time_constant(void)
{
    const double apothem = hole * cos(PI / SIDES) - d / 2, area = SIDES * apothem * apothem * tan(PI / SIDES);
    const double volume = (side - d) * (side - d) * (side - d);
    return 4 * volume / (area * sqrt(8 / PI));
}

static play effusion(int seed, const char *laws)
{
    char body[1200];
    snprintf(
        body, sizeof body,
        "dimension: 3\nseed: %d\nbox: {size: [%g, %g, %g], boundary: [wall, wall, open]}\n"
        "species: {a: {diameter: %g, mass: 1}, iron: {diameter: 1, mass: 1}}\n"
        "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
        "meshes: [{name: plate, rigid: true, species: iron, place: {at: [%g, %g, %g]},\n"
        "  shape: {revolution: {profile: [[%g, 0], [%g, 0]], around: %d}}}]\n"
        "particles: [{species: a, count: %d, place: {random: {region: {box: {from: [0, 0, 0], to: [%g, %g, %g]}}}},\n"
        "  velocity: {maxwell: 1}}]\noutflow: [{name: hole, side: z+, every: 0.5}]\n%s",
        seed, side, side, side, d, side / 2, side / 2, side, hole, side, SIDES, GAS, side, side, side, laws);
    return open_engine("hard", body, NULL);
}

/* Walls at constant temperature: the number decays as exp(-t / tau). */
START_TEST(effusion_at_constant_temperature)
{
    const double tau = time_constant();
    play p = effusion(1 + _i, "contacts: [{between: [a, wall], temperature: 1}, {between: [a, floor], temperature: 1}, "
                              "{between: [a, iron], temperature: 1}]\n");
    const double start = budget(&p);
    for (int n = 1; n <= 5; n++) {
        const double t = 0.3 * n * tau, rest = exp(-t / tau);
        play_advance(&p, t);
        EXPECT_CLOSE("fraction that is left", (double)frame_present(frame(&p)) / GAS, rest,
                     3 * sqrt(rest * (1 - rest) / GAS));
        EXPECT_CLOSE("energy balance", budget(&p), start, 1e-12 * start);
    }
    play_close(&p);
}
END_TEST

/* Elastic walls: those that leave have the mean energy 2 T, the others 3/2 T. With N (T / T0)^(1/2) for the rate, T = N^(1/3), and
 * N = (1 + t / (6 tau))^-6. The energy of N particles has the standard error T sqrt(3/2 N). */
START_TEST(effusion_cools_a_gas)
{
    const double tau = time_constant();
    play p = effusion(11 + _i, "");
    const double start = frame_energy_of(frame(&p)).kinetic / (1.5 * GAS); /* of this sample */
    for (int n = 1; n <= 5; n++) {
        const double t = 0.3 * n * tau, x = 1 + sqrt(start) * t / (6 * tau), rest = pow(x, -6);
        play_advance(&p, t);
        const double present = (double)frame_present(frame(&p)), energy = frame_energy_of(frame(&p)).kinetic;
        EXPECT_CLOSE("fraction that is left", present / GAS, rest, 3 * sqrt(rest * (1 - rest) / GAS));
        EXPECT_CLOSE("temperature", energy / (1.5 * present), start / (x * x),
                     3 * start / (x * x) / sqrt(1.5 * present));
        EXPECT_CLOSE("energy balance", budget(&p), 1.5 * start * GAS, 1e-12 * GAS);
    }
    play_close(&p);
}
END_TEST

/* ---- with contacts ----------------------------------------------------------------------------------------------- */

/* A bed into which grains fall, and of which a part leaves, in contact. */
#define BED                                                                                                            \
    "dimension: 3\nseed: %d\nbox: {size: [3.5, 3, 6], boundary: [periodic, wall, open]}\n"                             \
    "species: {a: {diameter: {uniform: [%s, 1.2]}, density: 1.9}, b: {diameter: 0.7, mass: 0.4}}\n"                    \
    "particles:\n"                                                                                                     \
    "  - {species: b, count: 6, place: {random: {region: {box: {from: [0, 0, 1], to: [3.5, 3, 3]}}}}}\n"               \
    "  - {species: {a: 1, b: 1}, count: 24, velocity: {maxwell: 0.2}, angular_velocity: {maxwell: 1},\n"               \
    "     place: {inflow: {region: {cylinder: {from: [1.7, 1.5, 3.5], to: [1.7, 1.5, 5.5], radius: 1.5}}, rate: "      \
    "6}}}\n"                                                                                                           \
    "  - {species: a, count: 2, place: {inflow: {region: {ball: {centre: [1, 1, 5], radius: 1}}, rate: 1, start: "     \
    "3}}}\n"                                                                                                           \
    "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"                                                   \
    "meshes: [{name: post, rigid: true, thickness: 0.2, shape: {solid: {kind: octahedron, radius: 0.5}}, place: {at: " \
    "[1.5, 1.5, 0.8]}}]\n"                                                                                             \
    "contacts:\n  - {between: [a, a], restitution: 0.6, friction: 0.4, tangential: 0}\n"                               \
    "  - {between: [a, b], restitution: 0.6, friction: 0.4, tangential: 0}\n"                                          \
    "  - {between: [b, b], restitution: 0.6, friction: 0.4, tangential: 0}\n"                                          \
    "  - {between: [a, floor], restitution: 0.6, friction: 0.4, tangential: 0}\n"                                      \
    "  - {between: [b, floor], restitution: 0.6, friction: 0.4, tangential: 0}\n"                                      \
    "  - {between: [a, wall], restitution: 0.6, friction: 0.4, tangential: 0}\n"                                       \
    "  - {between: [b, wall], restitution: 0.6, friction: 0.4, tangential: 0}\n"                                       \
    "outflow:\n  - {name: drain, region: {box: {from: [0, 0, -1], to: [1.2, 3, 0.9]}}, every: 1.1, start: 3.3, end: "  \
    "7}\n"                                                                                                             \
    "  - {name: splash, side: z+, every: 0.5}\n"                                                                       \
    "fields: {gravity: [0, 0, -1]}\nhard: {collapse: {%s}}\n%s"

enum { SEEDS = 24, SOME = 8 };

/* Three policies of collapse; sizes that require separate grids; a floor that shakes. */
static const char *bed_text(int seed)
{
    static char body[3000];
    static const char *const policies[] = {"policy: sleep, speed: 0.01", "policy: cutoff, speed: 0.01",
                                           "policy: tc, tc: 0.001"};
    snprintf(body, sizeof body, BED, seed, seed % 2 == 0 ? "0.8" : "0.25", policies[seed % 3],
             seed % 4 == 3
                 ? "drives: [{name: shaker, plane: floor, motion: [{oscillate: {by: [0, 0, -0.05], frequency: "
                   "1}}]}]\n"
                 : "");
    return body;
}

/* A gas in a box with an open side, in which cells find the neighbours; bodies are sorted in memory. */
static const char *gas_text(int seed)
{
    static char body[1200];
    snprintf(body, sizeof body,
             "dimension: %d\nseed: %d\nbox: {size: [%s], boundary: %s}\nspecies: {a: {diameter: 0.3, mass: 1}}\n"
             "particles:\n  - {species: a, count: 150, place: random, velocity: {maxwell: 1}}\n"
             "  - {species: a, count: 250, velocity: {maxwell: 2}, place: {inflow: {region: {box: {from: [1, 1%s], to: "
             "[6, 6%s]}}, rate: 40}}}\n"
             "outflow: [{name: side, side: x-, every: 0.37}]\n",
             2 + seed % 2, seed, seed % 2 != 0 ? "12, 12, 10" : "40, 40",
             seed % 2 != 0 ? "[open, wall, periodic]" : "[open, periodic]", seed % 2 != 0 ? ", 1" : "",
             seed % 2 != 0 ? ", 6" : "");
    return body;
}

static const char *some_text(int n)
{
    return n % 4 == 2 ? gas_text(n / 4) : bed_text(n);
}

START_TEST(the_reference_agrees)
{
    play fast = open_engine("hard", some_text(_i), NULL);
    play all_pairs = open_engine("hard", some_text(_i), "hard.reference=true");
    const double start = budget(&fast);
    for (int n = 0; n <= 6; n++) {
        play_advance(&fast, 1.5 * n);
        play_advance(&all_pairs, 1.5 * n);
        same_state(&fast, &all_pairs);
        EXPECT_CLOSE("drift", budget(&fast), start, 1e-13 * (fabs(start) + frame(&fast)->tallies.flow.energy_entered));
        EXPECT_CLOSE("overlap", frame(&fast)->tallies.max_overlap, 0, 1e-13);
    }
    ck_assert_uint_gt(frame(&fast)->tallies.flow.left, 0);
    play_close(&fast);
    play_close(&all_pairs);
}
END_TEST

/* A periodic box that empties, in which single bodies collide with none, and into which others enter. */
START_TEST(a_box_that_empties_goes_on)
{
    const char *const body = "dimension: 3\nseed: 3\nbox: {size: [5, 6, 4]}\nspecies: {a: {diameter: 0.6, mass: 1}}\n"
                             "particles: [{species: a, count: 40, velocity: {maxwell: 0.7},\n"
                             "  place: {inflow: {region: {box: {from: [0, 0, 0], to: [5, 6, 4]}}, rate: 1}}}]\n"
                             "outflow: [{name: all, region: {box: {from: [0, 0, 0], to: [5, 6, 4]}}, every: 3.3}]\n";
    play fast = open_engine("hard", body, NULL), all_pairs = open_engine("hard", body, "hard.reference=true");
    for (int n = 1; n <= 45; n++) {
        play_advance(&fast, n);
        play_advance(&all_pairs, n);
        same_state(&fast, &all_pairs);
    }
    ck_assert_uint_eq(frame(&fast)->tallies.flow.left, 40);
    play_close(&fast);
    play_close(&all_pairs);
}
END_TEST

/* Stopped between frames; and a run with other frames, some of them at times of exchange. */
START_TEST(resumed_runs_agree)
{
    char name[40];
    snprintf(name, sizeof name, "hard-flows-%d", _i);
    parts_of_engine("hard", 1, name, some_text(_i), "output.frames.every=0.31", 8);
    play some = open_engine("hard", some_text(_i), "output.frames.every=0.1");
    play none = open_engine("hard", some_text(_i), NULL);
    for (int n = 1; n <= 40; n++) play_advance(&some, 0.2 * n);
    play_advance(&none, 8);
    same_state(&some, &none);
    ck_assert_uint_eq(frame(&some)->events[EVENT_TRANSFER], frame(&none)->events[EVENT_TRANSFER]);
    play_close(&some);
    play_close(&none);
}
END_TEST

/* A tower of three balls asleep: the upper ones fall when the lowest has left, and rest on the floor again. */
START_TEST(what_rested_on_it_falls)
{
    play p =
        open_engine("hard",
                    "dimension: 2\nbox: {size: [1, 10], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                    "particles: [{species: a, place: {at: [[0.5, 0.6], [0.5, 1.7], [0.5, 2.8]]}}]\n"
                    "contacts: [{between: [a, a], restitution: 0.3}, {between: [a, wall], restitution: 0.3}]\n"
                    "outflow: [{name: drain, region: {box: {from: [0, 0], to: [1, 1]}}, every: 50, start: 50, end: "
                    "60}]\nfields: {gravity: [0, -1]}\nhard: {collapse: {policy: sleep, speed: 1e-4}}\n",
                    NULL);
    play_advance(&p, 49);
    ck_assert_uint_eq(frame_present(frame(&p)), 3);
    EXPECT_CLOSE("at rest", frame_energy_of(frame(&p)).kinetic, 0, 0);
    play_advance(&p, 50.5);
    ck_assert_uint_eq(frame_present(frame(&p)), 2);
    EXPECT_CLOSE("falls", frame_energy_of(frame(&p)).kinetic, 2 * 0.5 * 0.5 * 0.5, 1e-4);
    play_advance(&p, 99);
    EXPECT_CLOSE("at rest", frame_energy_of(frame(&p)).kinetic, 0, 0);
    EXPECT_CLOSE("height", frame_energy_of(frame(&p)).potential, 0.5 + 1.5, 1e-7);
    play_close(&p);
}
END_TEST

/* ---- changes from outside ---------------------------------------------------------------------------------------- */

/* A change replaces the scene to which times and regions belong, and the engine with the absent particles. */
START_TEST(changes_keep_the_exchange)
{
    play p = open_engine("hard", FALL, NULL);
    for (int n = 1; n <= 12; n++) {
        play_advance(&p, 2.0 * n + 0.01);
        ck_assert_uint_eq(frame(&p)->tallies.flow.entered, (uint64_t)n);
        EXPECT_CLOSE("energy that has entered", frame(&p)->tallies.flow.energy_entered, n * 3 * (0.5 + 2 * 9.05), 6e-3);
        ck_assert_int_eq(carom_sim_change(p.sim, n % 2 == 0 ? "run.until.time=1e5" : "run.until.time=1e4"), CAROM_OK);
    }
    play_close(&p);
}
END_TEST

/* With meshes a change makes the initial state again, in which those that have entered are absent. */
START_TEST(changes_beside_a_mesh_keep_the_bodies)
{
    play p = open_engine("hard",
                         "dimension: 3\nseed: 5\nbox: {size: [5, 5, 6], boundary: wall}\n"
                         "species: {a: {diameter: 0.6, mass: 1}}\n"
                         "particles: [{species: a, count: 30, velocity: {maxwell: 1},\n"
                         "  place: {inflow: {region: {box: {from: [0, 0, 3], to: [5, 5, 6]}}, rate: 6}}}]\n"
                         "meshes: [{name: post, rigid: true, shape: {solid: {kind: octahedron, radius: 0.5}}, "
                         "place: {at: [2.5, 2.5, 1]}}]\n",
                         NULL);
    for (int n = 1; n <= 4; n++) {
        play_advance(&p, n);
        const double kinetic = frame_energy_of(frame(&p)).kinetic, balance = budget(&p);
        const size_t present = frame_present(frame(&p));
        ck_assert_uint_gt(present, 3);
        ck_assert_int_eq(carom_sim_change(p.sim, n % 2 == 0 ? "run.until.time=1e5" : "run.until.time=1e4"), CAROM_OK);
        EXPECT_CLOSE("kinetic energy", frame_energy_of(frame(&p)).kinetic, kinetic, 1e-12 * kinetic);
        EXPECT_CLOSE("energy balance", budget(&p), balance, 1e-12 * kinetic);
        ck_assert_uint_eq(frame_present(frame(&p)), present);
    }
    play_close(&p);
}
END_TEST

START_TEST(velocities_are_those_of_present_particles)
{
    const uint32_t ids[] = {0, 7};
    const double velocities[] = {0.5, 0, 0.5, 0}, place[] = {1, 1};
    play p = open_engine("hard", FALL, NULL);
    play_advance(&p, 1.5);
    ck_assert_int_eq(carom_sim_set_velocities(p.sim, 2, ids, velocities), CAROM_OK);
    const carom_frame *f = frame(&p);
    frame_need(f, FRAME_ALL);
    EXPECT_CLOSE("of the present one", f->velocity[0], 0.5, 0);
    EXPECT_CLOSE("of the absent one", f->velocity[14], 0, 0);
    const carom_particles more = {.count = 1, .positions = place};
    uint32_t id;
    ck_assert_int_eq(carom_sim_add_particles(p.sim, &more, &id), CAROM_USAGE);
    ck_assert(strstr(carom_sim_message(p.sim), "inflow and outflow refer to particles by number") != NULL);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_test(all, a_fall_takes_its_time);
    tcase_add_test(all, ids_stay);
    tcase_add_test(all, an_occupied_region_waits);
    suite_split_loop(more, rest, an_ideal_gas_leaves_through_an_open_side, 1, 8);
    suite_split_loop(all, rest, effusion_at_constant_temperature, 1, 8);
    suite_split_loop(all, rest, effusion_cools_a_gas, 1, 8);
    suite_split_loop(all, rest, the_reference_agrees, SOME, SEEDS);
    suite_split_loop(all, rest, resumed_runs_agree, SOME, SEEDS);
    tcase_add_test(all, a_box_that_empties_goes_on);
    tcase_add_test(all, what_rested_on_it_falls);
    tcase_add_test(all, changes_keep_the_exchange);
    tcase_add_test(all, changes_beside_a_mesh_keep_the_bodies);
    tcase_add_test(all, velocities_are_those_of_present_particles);
    tcase_set_timeout(all, 300);
    return suite_run("hard flows", all, more, rest);
}
