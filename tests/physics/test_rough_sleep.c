/* Detects wrong motion of rough spheres in slow contacts, wrong sleep of bodies that roll, slide or
 * spin: sliding and rolling on a floor, on slopes and in a groove against exact accelerations, piles
 * against the reference path and against resumed runs. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include <unistd.h>

static play_text text;

static const char *const precisions[] = {"float", "double", "long_double", "quad"};

static void begin(const char *body)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\n%s", body);
}

static double energy_and_losses(play *p)
{
    const carom_frame *f = carom_sim_frame(p->sim);
    return frame_energy_of(f).total + f->tallies.dissipated;
}

/* ---- a ball on a plane ------------------------------------------------------------------------------------------- */

enum { SPEED_OF_SLEEP = 100 }; /* one over it */

/* On a floor along x, in a field of this slope; the ball falls by 0.02 first. */
static void write_ball(int dimension, double slope, double beta, const char *velocity, const char *precision)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: %d\n", dimension);
    play_add(&text, dimension == 2 ? "box: {size: [400, 4], boundary: [periodic, open]}\n"
                                   : "box: {size: [400, 4, 4], boundary: [periodic, open, periodic]}\n");
    play_add(&text, "species: {ball: {diameter: 1}}\nparticles: [{species: ball, place: {at: [[2, 0.52%s]]}, %s}]\n",
             dimension == 2 ? "" : ", 2", velocity);
    play_add(&text, "planes: [{name: floor, point: [0, 0%s], normal: [0, 1%s]}]\n", dimension == 2 ? "" : ", 0",
             dimension == 2 ? "" : ", 0");
    play_add(&text, "contacts: [{between: [ball, floor], restitution: 0.6, tangential: %g, friction: 0.2}]\n", beta);
    play_add(&text, "fields: {gravity: [%g, -1%s]}\n", slope, dimension == 2 ? "" : ", 0");
    play_add(&text, "hard: {precision: %s, collapse: {policy: sleep, speed: %g}}\nrun: {until: {time: 1000}}\n",
             precision, 1.0 / SPEED_OF_SLEEP);
}

/* The ball slides at -mu g until it rolls at v / (1 + q): its angular momentum about the line of contact remains. */
START_TEST(slides_and_rolls)
{
    const int dimension = 2 + _i % 2;
    const double q = dimension == 3 ? 0.4 : 0.5, rolls = 2 / (1 + q), bounce = 2.0 / SPEED_OF_SLEEP;
    const double grain = _i / 2 == 0 ? 0x1p-23 : 0x1p-52;
    write_ball(dimension, 0, 0, "velocity: {each: [2, 0]}", precisions[_i / 2]);
    if (dimension == 3) write_ball(3, 0, 0, "velocity: {each: [2, 0, 0]}", precisions[_i / 2]);
    play p = play_open(text.text, NULL);
    for (int t = 1; t <= 2; t++) {
        play_advance(&p, t);
        /* friction comes with the bounces, the next of which is due in their time, below 2 speeds of sleep */
        EXPECT_CLOSE("speed while it slides", carom_sim_frame(p.sim)->velocity[0], 2 - 0.2 * t, 0.2 * bounce);
    }
    for (int t = 10; t <= 30; t += 10) {
        play_advance(&p, t);
        const carom_frame *f = carom_sim_frame(p.sim);
        EXPECT_CLOSE("speed when it rolls", f->velocity[0], rolls, 64 * grain);
        EXPECT_CLOSE("spin when it rolls", f->spin[2], -2 * rolls, 128 * grain);
    }
    EXPECT_CLOSE("energy", energy_and_losses(&p), carom_sim_frame(p.sim)->mass[0] * (2 + 0.52), 256 * grain);
    play_close(&p);
}
END_TEST

/* A ball at rest on a slope is not asleep: below tan = mu (1 + 1/q) it rolls at g sin / (1 + q), above it slides at
 * g (sin - mu cos). Gravity is (tan, -1). The velocity is that at some time in a bounce, a period of 2 v / g. */
START_TEST(slopes)
{
    static const double tans[] = {0.01, 0.1, 0.5, 0.69, 0.71, 1, 2};
    const double slope = tans[_i / 2], q = 0.4, period = 2.0 / SPEED_OF_SLEEP;
    write_ball(3, slope, _i % 2 ? 0.5 : 0, "velocity: {each: [0, 0, 0]}", "double");
    play p = play_open(text.text, NULL);
    play_advance(&p, 1);
    const double start = carom_sim_frame(p.sim)->velocity[0];
    play_advance(&p, 11);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double rolling = slope / (1 + q), sliding = slope - 0.2;
    const double expected = slope <= 0.2 * (1 + 1 / q) ? rolling : sliding;
    EXPECT_CLOSE("acceleration", (f->velocity[0] - start) / 10, expected, 2 * slope * period / 10);
    EXPECT_CLOSE("energy", (energy_and_losses(&p) - f->mass[0] * (0.52 - 2 * slope)) / f->mass[0], 0,
                 3e-14 * (1 + slope * f->position[0]));
    play_close(&p);
}
END_TEST

/* ---- a ball in a groove of two walls at 45 degrees: both contacts carry it --------------------------------------- */

static play open_groove(const char *motion, double speed)
{
    begin(
        "dimension: 3\nbox: {size: [20, 400, 20], boundary: [open, periodic, open]}\nspecies: {ball: {diameter: 1}}\n");
    play_add(&text,
             "particles: [{species: ball, place: {at: [[10, 2, 10.73]]}, %s}]\n"
             "planes: [{name: l, point: [10, 0, 10], normal: [1, 0, 1]}, {name: r, point: [10, 0, 10], normal: [-1, 0, "
             "1]}]\n"
             "contacts: [{between: [ball, l], restitution: 0.5, tangential: 0, friction: 0.1}, "
             "{between: [ball, r], restitution: 0.5, tangential: 0, friction: 0.1}]\n"
             "fields: {gravity: [0, 0, -1]}\nhard: {collapse: {policy: sleep, speed: %g}}\nrun: {until: {time: 100}}\n",
             motion, speed);
    return play_open(text.text, NULL);
}

/* Along the groove the walls press with sqrt(2) g in all: mu sqrt(2) g. */
START_TEST(slides_in_a_groove)
{
    play p = open_groove("velocity: {each: [0, 2, 0]}", 0.002);
    play_advance(&p, 1);
    const double before = carom_sim_frame(p.sim)->velocity[1];
    play_advance(&p, 4);
    const double after = carom_sim_frame(p.sim)->velocity[1];
    EXPECT_CLOSE("deceleration", (before - after) / 3, 0.1 * sqrt(2), 3 * 1.5e-4);
    play_close(&p);
}
END_TEST

/* With a spin along the groove, friction presses the ball on one wall more than on the other: sqrt(2) g / (1 + mu^2) in
 * all, which stops the spin. Then the ball sleeps. */
START_TEST(spins_in_a_groove)
{
    play p = open_groove("angular_velocity: {each: [0, 20, 0]}", 0.01);
    play_advance(&p, 2);
    const double before = carom_sim_frame(p.sim)->spin[1];
    play_advance(&p, 26);
    const double after = carom_sim_frame(p.sim)->spin[1];
    EXPECT_CLOSE("deceleration", (before - after) / 24, 0.1 * sqrt(2) / 1.01 * 0.5 / 0.1, 3 * 5e-4);
    play_run(&p, CAROM_STOP_NO_EVENTS);
    const carom_frame *f = carom_sim_frame(p.sim);
    for (int k = 0; k < 3; k++) ck_assert(f->velocity[k] == 0 && f->spin[k] == 0);
    const double mass = f->mass[0], all = mass * (10.73 + 0.5 * 0.4 * 0.25 * 400);
    EXPECT_CLOSE("energy", energy_and_losses(&p), all, 1e-12 * all);
    play_close(&p);
}
END_TEST

/* ---- sleep of a ball that rotates -------------------------------------------------------------------------------- */

/* A ball that rolls slowly sleeps, and the energy of its rotation is counted; a spin about the vertical, which the floor
 * does not brake, ends with that, unless it is fast: then the ball stays awake. */
START_TEST(sleep_of_spins)
{
    static const struct {
        const char *motion;
        bool sleeps;
        double energy;
    } cases[] = {
        {"velocity: {each: [0.002, 0, 0]}, angular_velocity: {each: [0, 0, -0.004]}", true, 0.5 * 1.4 * 4e-6},
        {"angular_velocity: {each: [0, 0.2, 0]}", true, 0.5 * 0.1 * 0.04},
        {"angular_velocity: {each: [0, 0.4, 0]}", false, 0.5 * 0.1 * 0.16},
        {"velocity: {each: [0.02, 0, 0]}, angular_velocity: {each: [0, 0, -0.04]}", false, 0.5 * 1.4 * 4e-4},
    };
    write_ball(3, 0, 0, cases[_i].motion, "double");
    play p = play_open(text.text, "run.until.time=20");
    play_run(&p, cases[_i].sleeps ? CAROM_STOP_NO_EVENTS : CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("energy", energy_and_losses(&p) / f->mass[0], 0.52 + cases[_i].energy, 1e-14);
    for (int k = 0; k < 3 && cases[_i].sleeps; k++) ck_assert(f->velocity[k] == 0 && f->spin[k] == 0);
    if (!cases[_i].sleeps) ck_assert(f->spin[1] != 0 || f->spin[2] != 0);
    play_close(&p);
}
END_TEST

/* A ball comes slowly, at the top of its path, to one that sleeps: a wall that is not moved or turned. Friction without a
 * bound, at a surface that is fast, wakes it. */
START_TEST(a_sleeper_is_a_wall)
{
    static const char *const contacts[] = {"tangential: 0, friction: 0.1", "tangential: 0, friction: 10",
                                           "tangential: 0", "tangential: 0"};
    static const double spins[] = {1, 2.395, 2.395, 1};
    const double speed = 1.2, lean = 0.008 / speed, x = 3 + lean + 0.8 * speed, y = 0.5 + sqrt(1 - lean * lean) - 0.32;
    const double mu = _i == 0 ? 0.1 : INFINITY, spin = spins[_i];
    begin("dimension: 2\nbox: {size: 8, boundary: [open, wall]}\nspecies: {a: {diameter: 1}, b: {diameter: 1, mass: "
          "20}}\n");
    play_add(&text,
             "particles:\n  - {species: a, place: {at: [[3, 0.5000005]]}}\n"
             "  - {species: b, place: {at: [[%.17g, %.17g]]}, velocity: {each: [-%g, 0.8]}, angular_velocity: {each: "
             "%g}}\n"
             "contacts: [{between: [a, b], restitution: 0.5, %s}, {between: [a, wall], restitution: 0.5}]\n"
             "fields: {gravity: [0, -1]}\nhard: {collapse: {policy: sleep, speed: 0.01}}\n"
             "run: {until: {collisions: 1, time: 5}}\n",
             x, y, speed, spin, contacts[_i]);
    play p = play_open(text.text, NULL);
    play_advance(&p, 0.5);
    ck_assert(carom_sim_frame(p.sim)->velocity[1] == 0);
    play_run(&p, CAROM_STOP_COLLISIONS);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double *v = f->velocity, t = f->time;
    const bool stays = v[0] == 0 && v[1] == 0 && f->spin[2] == 0;
    printf("at %.17g: sleeper at velocity %g, %g, spin %g\n", t, v[0], v[1], f->spin[2]);
    ck_assert(stays == (_i < 3));
    if (stays) {
        const double n[2] = {f->position[2] - 3, f->position[3] - f->position[1]}, before[2] = {-speed, 0.8 - t};
        const double across = before[0] * n[0] + before[1] * n[1];
        const double along = -before[0] * n[1] + before[1] * n[0]; /* along (-n_y, n_x), where the surface has -w / 2 */
        const double slip = along - spin / 2, full = -slip / 3, most = mu * 2 * fabs(across);
        const double push = fmin(fmax(full, -most), most);
        EXPECT_CLOSE("across", v[2] * n[0] + v[3] * n[1], -across, 1e-14);
        EXPECT_CLOSE("along", -v[2] * n[1] + v[3] * n[0], along + push, 1e-14);
        EXPECT_CLOSE("spin", f->spin[5], spin - push / (0.5 * 0.5), 1e-14);
    }
    play_close(&p);
}
END_TEST

/* ---- piles ------------------------------------------------------------------------------------------------------- */

static void write_pile(int dimension, double mu)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 4\ndimension: %d\nbox: {size: [%s], boundary: wall}\n", dimension,
             dimension == 2 ? "8.6, 16" : "5.3, 5.3, 14");
    play_add(&text,
             "species: {a: {diameter: {uniform: [0.9, 1.1]}, density: 1}}\nfields: {gravity: [%s]}\n"
             "particles: [{species: a, count: 40, place: random, velocity: {maxwell: 0.1}, angular_velocity: {maxwell: "
             "1}}]\n"
             "contacts: [{between: [a, a], restitution: 0.6, tangential: 0.2, friction: %g}, "
             "{between: [a, wall], restitution: 0.6, tangential: 0, friction: %g}]\n"
             "hard: {collapse: {policy: sleep, speed: 0.1}}\nrun: {until: {time: 2000}}\n",
             dimension == 2 ? "0, -1" : "0, 0, -1", mu, mu);
}

static uint64_t resumed_pile(void)
{
    char path[100], checkpoint[120];
    snprintf(path, sizeof path, "rough-pile-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    uint64_t hash = 0;
    for (int k = 0; k < 4; k++) {
        const carom_options options = {.output = path, .force = k == 0, .resume = k > 0};
        play p = play_try(text.text, NULL, &options);
        ck_assert_msg(p.created == CAROM_OK, "%s", carom_sim_message(p.sim));
        if (k < 3) {
            play_advance(&p, 3.3 * (k + 1));
            carom_sim_request_stop(p.sim);
        }
        (void)carom_sim_run(p.sim);
        hash = play_hash(&p);
        play_close(&p);
    }
    remove(path);
    remove(checkpoint);
    return hash;
}

START_TEST(piles)
{
    static const double mus[] = {0.1, 0.5, 1.5};
    uint64_t hash[2];
    write_pile(2 + _i % 2, mus[_i / 2]);
    for (int reference = 0; reference < 2; reference++) {
        play p = play_open(text.text, reference ? "hard.reference=true" : NULL);
        const double before = energy_and_losses(&p);
        double least = INFINITY;
        for (int t = 1; t < 20 && carom_sim_stop(p.sim) == CAROM_STOP_NONE; t++) {
            play_advance(&p, t);
            const double now = frame_energy_of(carom_sim_frame(p.sim)).total;
            REQUIRE(now <= least * (1 + 1e-12));
            least = now;
        }
        play_run(&p, CAROM_STOP_NO_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        printf("at rest at %g after %llu collisions, energy %g\n", f->time,
               (unsigned long long)f->events[EVENT_COLLISION], frame_energy_of(f).total);
        for (size_t k = 0; k < f->count * (size_t)f->dimension; k++) REQUIRE(f->velocity[k] == 0);
        for (size_t k = 0; k < f->count * 3; k++) REQUIRE(f->spin[k] == 0);
        EXPECT_CLOSE("energy and losses, of the initial energy", energy_and_losses(&p) / before, 1, 2e-13);
        EXPECT_CLOSE("deepest overlap", f->tallies.max_overlap, 0, 6.6e-15);
        hash[reference] = f->state_hash;
        play_close(&p);
    }
    ck_assert(hash[0] == hash[1]);
    ck_assert(resumed_pile() == hash[0]);
}
END_TEST

/* Two layers on plates around a plug of 3.96 diameters: when it has gone, nothing hangs above the hole. */
START_TEST(a_pile_is_drained)
{
    begin("dimension: 3\nseed: 2\nbox: {size: [8, 8, 12], boundary: wall}\n"
          "species: {a: {diameter: {uniform: [0.9, 1.0]}, density: 1}, floor: {diameter: 1, density: 1}}\n"
          "fields: {gravity: [0, 0, -1]}\nparticles: [{species: a, place: {at: [");
    for (int k = 0; k < 98; k++)
        play_add(&text, "%s[%g, %g, %g]", k > 0 ? ", " : "", 0.7 + 1.1 * (k % 7) + 0.01 * (k % 5),
                 0.7 + 1.1 * (k / 7 % 7) + 0.01 * (k % 3), 4.8 + 1.3 * (k / 49) + 0.02 * (k % 11));
    play_add(&text, "]}}]\nmeshes:\n");
    static const double plates[][4] = {
        {1, 4, 1.98, 7.9}, {7, 4, 1.98, 7.9}, {4, 1, 3.98, 1.9}, {4, 7, 3.98, 1.9}, {4, 4, 3.96, 3.96}};
    for (int k = 0; k < 5; k++)
        play_add(&text,
                 "  - {name: %c, rigid: true, species: floor, place: {at: [%g, %g, 4]}, shape: {rectangle: "
                 "{length: %g, width: %g, along: 1, across: 1}}}\n",
                 'a' + k, plates[k][0], plates[k][1], plates[k][2], plates[k][3]);
    static const char *const partners[] = {"a", "wall", "floor"};
    for (int k = 0; k < 3; k++)
        play_add(&text, "%s{between: [a, %s], restitution: 0.5, tangential: 0, friction: 0.5}%s",
                 k == 0 ? "contacts: [" : ", ", partners[k], k == 2 ? "]\n" : "");
    play_add(&text, "drives: [{name: plug, mesh: e, motion: [{time: 0}, {time: 20, velocity: [0, 0, -20]}, "
                    "{time: 20.15}]}]\n"
                    "hard: {collapse: {policy: sleep, speed: 0.2}}\nrun: {until: {time: 50}}\n");
    play p = play_open(text.text, NULL);
    int asleep = 0, below = 0, above = 0;
    const double before = energy_and_losses(&p);
    play_advance(&p, 19);
    (void)carom_sim_run(p.sim);
    const carom_frame *f = carom_sim_frame(p.sim);
    for (size_t i = 0; i < 98; i++) {
        const double *r = f->position + 3 * i, *v = f->velocity + 3 * i;
        asleep += v[0] == 0 && v[1] == 0 && v[2] == 0;
        below += r[2] < 4;
        above += r[2] > 4 && fabs(r[0] - 4) < 1.5 && fabs(r[1] - 4) < 1.5; /* beyond reach of the rim */
    }
    printf("%d asleep, %d below the floor, %d above the hole\n", asleep, below, above);
    ck_assert_msg(asleep > 40 && below >= 12 && above == 0, "%d asleep, %d below, %d above", asleep, below, above);
    EXPECT_CLOSE("energy and losses less work", (energy_and_losses(&p) - f->tallies.ledger.work) / before, 1, 3e-13);
    play_close(&p);
}
END_TEST

/* ---- driven supports --------------------------------------------------------------------------------------------- */

/* A ball on a belt: it is accelerated at mu g, then it rolls at q / (1 + q) of the speed of the belt relative to the
 * floor, v / (1 + q) slower than the belt. Work and losses balance. */
START_TEST(a_belt)
{
    begin(
        "dimension: 3\nbox: {size: [400, 4, 4], boundary: [periodic, periodic, open]}\nspecies: {ball: {diameter: 1}}\n"
        "particles: [{species: ball, place: {at: [[2, 2, 0.52]]}}]\n"
        "planes: [{name: belt, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
        "drives: [{name: d, plane: belt, motion: [{velocity: [1, 0, 0]}]}]\n"
        "contacts: [{between: [ball, belt], restitution: 0.6, tangential: 0, friction: 0.1}]\n"
        "fields: {gravity: [0, 0, -1]}\nhard: {collapse: {policy: sleep, speed: 0.01}}\nrun: {until: {time: 20}}\n");
    play p = play_open(text.text, NULL);
    play_advance(&p, 1);
    EXPECT_CLOSE("velocity after a second", carom_sim_frame(p.sim)->velocity[0], 0.1, 0.1 * 0.4);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("velocity when it rolls", f->velocity[0], 2.0 / 7, 1e-13);
    EXPECT_CLOSE("spin when it rolls", f->spin[1], -2 * 5.0 / 7, 1e-13);
    EXPECT_CLOSE("energy", (energy_and_losses(&p) - f->tallies.ledger.work) / f->mass[0], 0.52, 1e-13);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case();
    tcase_add_loop_test(all, slides_and_rolls, 0, 8);
    tcase_add_loop_test(all, slopes, 0, 14);
    tcase_add_test(all, slides_in_a_groove);
    tcase_add_test(all, spins_in_a_groove);
    tcase_add_loop_test(all, sleep_of_spins, 0, 4);
    tcase_add_loop_test(all, a_sleeper_is_a_wall, 0, 4);
    suite_split_loop(all, more, piles, 2, 6);
    tcase_add_test(all, a_pile_is_drained);
    tcase_add_test(all, a_belt);
    tcase_set_timeout(all, 200);
    return suite_run("rough sleep", all, more);
}
