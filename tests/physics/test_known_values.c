/* Detects wrong observables, random draws and thresholds, in runs of a few particles whose outcome is computed by
 * hand. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "sim/sim.h"

#define CAROM_DIM 2
#include "aggregation/kernel/stall.h"

static double value_of(play *p, const char *what, const char *name)
{
    for (size_t k = 0; k < p->sim->observer_count; k++) {
        const observer *o = &p->sim->observers[k];
        measure_result r;
        error e = {0};
        if (strcmp(o->kind->settings->name, what) != 0) continue;
        REQUIRE(o->kind->result(o->self, &r, &e) == CAROM_OK);
        for (size_t v = 0; v < r.value_count; v++)
            if (strcmp(r.values[v].name, name) == 0) return r.values[v].mean[0];
    }
    ck_abort_msg("no %s of %s", name, what);
}

/* All axes point the same way, which is none of the box's; and turn about one of the two axes that they may turn about. */
START_TEST(ellipsoids)
{
    static const char *const gases[] = {"dimension: 2\nbox: {size: [9, 9]}\nspecies: {a: {semi_axes: [0.6, 0.3], mass: "
                                        "2}}\nparticles: [{species: a, orientation: "
                                        "{along: [0.6, 0.8]}, place: {at: [[2, 2], [6, 6]]}, velocity: {each: [[0.1, "
                                        "0], [-0.1, 0]]}, angular_velocity: {each: %s}}]\n",
                                        "dimension: 3\nbox: {size: [9, 9, 9]}\nspecies: {a: {semi_axes: [0.6, 0.3, "
                                        "0.3], mass: 2}}\nparticles: [{species: a, "
                                        "orientation: {along: [0.6, 0.8, 0]}, place: {at: [[2, 2, 2], [6, 6, 6]]}, "
                                        "velocity: {each: [[0.1, 0, 0], [-0.1, 0, 0]]}, "
                                        "angular_velocity: {each: %s}}]\n"};
    static play_text gas, t;
    gas.length = t.length = 0;
    play_add(&gas, gases[_i], _i ? "[0, 0, 0.5]" : "0.5");
    play_add(&t,
             "carom: 1\nengine: hard\n%sobserve: [{what: nematic_order, every: 0.5}, {what: rotational_temperature, "
             "every: 0.5}]\n"
             "run: {until: {time: 1}}\n",
             gas.text);
    play p = play_open(t.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const double inertia = 2 * (0.36 + 0.09) / (_i ? 5 : 4);
    EXPECT_CLOSE("order", value_of(&p, "nematic_order", "nematic_order"), 1, 1e-13);
    EXPECT_CLOSE("temperature", value_of(&p, "rotational_temperature", "rotational_temperature"),
                 inertia * 0.25 / (_i ? 2 : 1), 1e-14);
    play_close(&p);
}
END_TEST

/* Two particles back to back: c^2 = 1 for each, and a2 = 0 for any N that is thermal; they fall together, and gain what they lose. */
START_TEST(two_that_fall)
{
    play p =
        play_open("carom: 1\nengine: hard\ndimension: 2\nbox: {size: [9, 7]}\nspecies: {a: {diameter: 1, mass: 2}}\n"
                  "fields: {gravity: [0.3, -0.7]}\nparticles: [{species: a, place: {at: [[2, 2], [6, 5]]}, velocity: "
                  "{each: [[0.3, "
                  "0.1], [-0.3, -0.1]]}}]\nobserve: [{what: velocity_distribution, every_collisions: 1}, {what: "
                  "energy, every: 1}]\n"
                  "run: {until: {time: 8}}\n",
                  NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double total = frame_energy_of(f).total;
    play_run(&p, CAROM_STOP_TIME);
    f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("a2", value_of(&p, "velocity_distribution", "a2"), 0, 1e-13);
    EXPECT_CLOSE("gravity", f->gravity[0], 0.3, 0);
    EXPECT_CLOSE("gravity", f->gravity[1], -0.7, 0);
    EXPECT_CLOSE("fallen", 0.5 * (frame_unwrapped(f, 0, 1) + frame_unwrapped(f, 1, 1)), 3.5 - 0.35 * 64, 1e-12);
    EXPECT_CLOSE("energy", frame_energy_of(f).total, total, 1e-12);
    play_close(&p);
}
END_TEST

/* Mean and deviation of a lognormal distribution are those of the diameters. */
START_TEST(lognormal)
{
    play p = play_open("carom: 1\nengine: hard\nseed: 3\ndimension: 2\nbox: {size: [300, 300]}\nspecies: {a: "
                       "{diameter: {lognormal: [1, "
                       "0.4]}}}\nparticles: [{species: a, count: 4000, place: random}]\nrun: {until: {time: 1}}\n",
                       NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    double sum = 0, square = 0;
    for (size_t i = 0; i < f->count; i++) {
        sum += 2 * f->radius[i];
        square += 4 * f->radius[i] * f->radius[i];
    }
    const double n = (double)f->count, mean = sum / n;
    EXPECT_CLOSE("mean", mean, 1, 3 * 0.4 / sqrt(n));
    EXPECT_CLOSE("deviation", sqrt(square / n - mean * mean), 0.4, 3 * 0.4 * sqrt(1.5 / n));
    play_close(&p);
}
END_TEST

/* Two that meet stick below the speed that the scene gives, and bounce above. */
START_TEST(sticking)
{
    for (int fast = 0; fast < 2; fast++) {
        static play_text t;
        t.length = 0;
        play_add(&t,
                 "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [30, 9], boundary: wall}\nspecies: {a: "
                 "{diameter: 1, mass: 2}}\n"
                 "particles: [{species: a, place: {at: [[10, 4], [13, 4]]}, velocity: {each: [[%g, 0], [0, 0]]}}]\n"
                 "contacts: [{between: [a, a], restitution: 0.5, stick: {below: 1}}]\nrun: {until: {time: 4}}\n",
                 fast ? 1.02 : 0.98);
        play p = play_open(t.text, NULL);
        (void)carom_sim_run(p.sim);
        ck_assert_uint_eq(carom_sim_frame(p.sim)->events[EVENT_MERGE], fast ? 0 : 1);
        play_close(&p);
    }
}
END_TEST

/* Two that have stuck, off the axes of the box: a line. */
START_TEST(shape_of_two)
{
    play p = play_open(
        "carom: 1\nengine: aggregation\ndimension: 3\nbox: {size: [9, 9, 9]}\nspecies: {a: {diameter: 1}}\n"
        "particles: [{species: a, place: {at: [[2, 4, 4], [4, 4.4, 4.3]]}, velocity: {each: [[1, 0, 0], [0, 0, "
        "0]]}}]\nobserve: [{what: shape, every: 0.5}]\nrun: {until: {time: 3}}\n",
        NULL);
    (void)carom_sim_run(p.sim);
    EXPECT_CLOSE("size", value_of(&p, "shape", "size"), 2, 0);
    EXPECT_CLOSE("radius of gyration", value_of(&p, "shape", "gyration_radius"), 0.5, 1e-12);
    EXPECT_CLOSE("anisotropy", value_of(&p, "shape", "anisotropy"), 1, 1e-12);
    play_close(&p);
}
END_TEST

/* Clusters that turn, stick and bounce: what energy is lost is told. */
START_TEST(turning_clusters)
{
    static const char *const boxes[] = {"dimension: 2\nbox: {size: [12, 12]}\n",
                                        "dimension: 3\nbox: {size: [6, 6, 6]}\n"};
    static play_text t;
    t.length = 0;
    play_add(&t,
             "carom: 1\nseed: 5\nengine: aggregation\n%sspecies: {a: {diameter: 1, mass: 2}}\naggregation: {rotation: "
             "true}\n"
             "particles: [{species: a, count: 30, place: random, velocity: {maxwell: 1}}]\n"
             "contacts: [{between: [a, a], restitution: 0.6, stick: {below: 0.9}}]\nrun: {until: {time: 6}}\n",
             boxes[_i]);
    play p = play_open(t.text, NULL);
    const double before = frame_energy_of(carom_sim_frame(p.sim)).total;
    (void)carom_sim_run(p.sim);
    const carom_frame *f = carom_sim_frame(p.sim);
    const frame_energy e = frame_energy_of(f);
    printf("%llu bounces, %llu merges, energy %g of %g\n", (unsigned long long)f->events[EVENT_COLLISION],
           (unsigned long long)f->events[EVENT_MERGE], e.total, before);
    ck_assert(f->events[EVENT_COLLISION] > 3 && f->events[EVENT_MERGE] > 3);
    EXPECT_CLOSE("energy and what was lost", (e.total + f->tallies.dissipated) / before, 1, 1e-11);
    play_close(&p);
}
END_TEST

static double push_along_x(void *user, double time, const double *positions, double *forces)
{
    (void)user;
    (void)time;
    if (forces != NULL) forces[0] += 3;
    return -3 * positions[0];
}

static double push_up(void *user, double time, const double *positions, double *forces)
{
    (void)user;
    (void)time;
    if (forces != NULL) forces[1] += 5;
    return -5 * positions[1];
}

/* Each of a user's forces acts on the particle that it names. */
START_TEST(potential_of_one)
{
    play p =
        play_open("carom: 1\nengine: variational\ndimension: 2\nbox: {size: [40, 40], boundary: open}\nspecies: {a: "
                  "{diameter: 1, "
                  "mass: 2}}\nparticles: [{species: a, place: {at: [[30, 30], [2, 2], [30, 2], [2, 30], [20, "
                  "20]]}}]\nvariational: {eta: 0.01, stiffness: 1000}\n"
                  "run: {until: {time: 1}}\n",
                  NULL);
    const size_t which = 3;
    const carom_potential one = {.force = push_along_x, .step = 0.01, .particles = &which, .count = 1};
    const size_t other = 1;
    const carom_potential two = {.force = push_up, .step = 0.02, .particles = &other, .count = 1};
    REQUIRE(carom_sim_add_potential(p.sim, &one) == CAROM_OK);
    REQUIRE(carom_sim_add_potential(p.sim, &two) == CAROM_OK);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    for (size_t i = 0; i < 5; i++) {
        EXPECT_CLOSE("speed", f->velocity[2 * i], i == which ? 1.5 : 0, 0.031);
        EXPECT_CLOSE("speed up", f->velocity[2 * i + 1], i == other ? 2.5 : 0, 0.11);
    }
    play_close(&p);
}
END_TEST

/* A run that goes on with another rhythm: the next occasion is a multiple from its start on. */
START_TEST(new_rhythm)
{
    const uint64_t events[EVENT_KINDS] = {0};
    rhythm r = {.every = 1, .start = 0.5};
    rhythm_skip(&r, 3.2, events);
    EXPECT_CLOSE("next", rhythm_time(&r), 3.5, 0);
    rhythm_skip(&r, 0.1, events);
    EXPECT_CLOSE("next", rhythm_time(&r), 1.5, 0);
}
END_TEST

/* How long clusters are waited for does not depend on how fast all of them drift. */
START_TEST(stall_of_a_drift)
{
    const double period[2] = {10, 10}, velocity[2][2] = {{11, 0}, {9, 0}}, momentum[2][2] = {{11, 0}, {9, 0}};
    drift d = {.mass = 0};
    for (int k = 0; k < 2; k++) drift_weigh(&d, 1, momentum[k]);
    for (int k = 0; k < 2; k++) drift_measure(&d, 1, velocity[k], period);
    EXPECT_CLOSE("wait", stall_wait(&d, 3, 20), 60, 1e-12);
}
END_TEST

/* A ball that bounces until it sleeps: what it has lost is what it had. */
START_TEST(asleep)
{
    play p =
        play_open("carom: 1\nengine: hard\ndimension: 2\nbox: {size: [4, 9], boundary: [periodic, wall]}\nspecies: {a: "
                  "{diameter: 1, "
                  "mass: 3}}\nfields: {gravity: [0, -1]}\nparticles: [{species: a, place: {at: [[2, 4]]}}]\n"
                  "contacts: [{between: [a, wall], restitution: 0.5}]\nhard: {collapse: {policy: sleep, speed: 0.3}}\n"
                  "run: {until: {time: 100}}\n",
                  NULL);
    (void)carom_sim_run(p.sim);
    const carom_frame *f = carom_sim_frame(p.sim);
    const frame_energy e = frame_energy_of(f);
    EXPECT_CLOSE("speed", f->velocity[1], 0, 0);
    EXPECT_CLOSE("energy and what was lost", e.total + f->tallies.dissipated, 12, 1e-12);
    play_close(&p);
}
END_TEST

/* One that lies, and does not turn, bounces as a ball does, in and out of the reach of its longer axis. */
START_TEST(ellipsoid_that_bounces)
{
    const double height = _i ? 2 : 0.02, speed = sqrt(2 * height), time = 40 * speed + 0.5 * speed;
    static play_text t;
    t.length = 0;
    play_add(&t,
             "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [9, 9, 9], boundary: [periodic, periodic, wall]}\n"
             "species: {a: {semi_axes: [1, 0.3, 0.3], mass: 2}}\nfields: {gravity: [0, 0, -1]}\n"
             "particles: [{species: a, orientation: {along: [0.6, 0.8, 0]}, place: {at: [[4, 4, %.17g]]}}]\n"
             "run: {until: {time: %.17g}}\n",
             0.3 + height, time);
    play p = play_open(t.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->events[EVENT_WALL], 20);
    /* half of a fall after the top; the clock is rounded at each bounce */
    const double rounding = 3 * sqrt(20) * time * 0x1p-53;
    EXPECT_CLOSE("height", f->position[2] - 0.3, 0.75 * height, speed * rounding + 1e-14);
    EXPECT_CLOSE("speed", f->velocity[2], -0.5 * speed, rounding + 1e-14);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("spin", f->spin[k], 0, 1e-14);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, ellipsoids, 0, 2);
    tcase_add_test(all, two_that_fall);
    tcase_add_test(all, lognormal);
    tcase_add_test(all, sticking);
    tcase_add_test(all, shape_of_two);
    tcase_add_loop_test(all, turning_clusters, 0, 2);
    tcase_add_test(all, potential_of_one);
    tcase_add_test(all, new_rhythm);
    tcase_add_test(all, stall_of_a_drift);
    tcase_add_test(all, asleep);
    tcase_add_loop_test(all, ellipsoid_that_bounces, 0, 2);
    tcase_set_timeout(all, 60);
    return suite_run("known values", all);
}
