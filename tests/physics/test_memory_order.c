/* Detects results that depend on the order of the bodies in memory, or on the time at which predictions are made. Runs
 * whose bodies are shuffled in memory at random times, with new predictions for all, have the bits of runs that are not
 * disturbed, on the fast and on the reference path; also where many events have the same time. Runs that are saved and
 * resumed have the same numbers of transfers, too. */
#include "../support/dice.h"
#include "../support/suite.h"

#ifndef CAROM_DIM
#define CAROM_DIM 2
#endif
#define HARD_KERNEL hard_kernel_of_test
#include "hard/kernel/kernel.c"

#include "../support/play.h"
#include "sim/sim.h"

typedef struct case_of {
    const char *name, *scene;
    uint64_t events;
} case_of;

#define GRAIN "species: {a: {diameter: 1, mass: 1}}\n"
#define GAS(count) "particles: [{species: a, count: " count ", place: random, velocity: {maxwell: 1}}]\n"
#if CAROM_DIM == 3
#define BOX(x, y) "dimension: 3\nbox: {size: [" x ", " y ", 6]"
#define DOWN "[0, -1, 0]"
#else
#define BOX(x, y) "dimension: 2\nbox: {size: [" x ", " y "]"
#define DOWN "[0, -1]"
#endif

/* A scene without particles gets clusters of bodies that meet at one time. */
static const case_of cases[] = {
    {"four bodies that meet at a fifth, many times at once", BOX("64", "64") "}\n" GRAIN, 6000},
    {"the same, inelastic, in a gas that cools",
     BOX("64", "64") "}\n" GRAIN "contacts: [{between: [a, a], restitution: 0.9}]\n", 6000},
    {"the same between walls", BOX("64", "64") ", boundary: wall}\n" GRAIN, 6000},
    {"a gas", BOX("30", "30") "}\n" GRAIN GAS("60"), 8000},
    {"a fluid", BOX("14", "14") "}\n" GRAIN GAS("90"), 8000},
    {"enough bodies to be sorted", BOX("90", "90") "}\n" GRAIN GAS("2100"), 4000},
    {"enough to cross cells together; they rise and fall",
     BOX("70", "70") ", boundary: wall}\n" GRAIN "fields: {gravity: " DOWN "}\n" GAS("300"), 4000},
    {"many sizes",
     BOX("20", "20") "}\nspecies: {a: {diameter: {lognormal: [1, 0.3], min: 0.3, max: 2}, density: 1}}\n" GAS("80"),
     8000},
    {"a bed that falls asleep",
     BOX("10", "30") ", boundary: wall}\n" GRAIN "fields: {gravity: " DOWN "}\ncontacts: [{between: [a, a], "
                     "restitution: 0.5}, {between: [a, wall], restitution: 0.5}]\nhard: {collapse: {policy: sleep, "
                     "speed: 0.1}}\n" GAS("40"),
     6000},
    {"contact durations",
     BOX("12", "12") "}\n" GRAIN "contacts: [{between: [a, a], restitution: 0.7}]\nhard: {collapse: {policy: tc, tc: "
                     "1e-3}}\n" GAS("60"),
     3000},
    {"steps",
     BOX("14", "14") "}\n" GRAIN "potentials: [{between: [a, a], square_well: {range: 1.5, depth: 1}}]\n" GAS("60"),
     8000},
    {"shear",
     BOX("14", "14") "}\n" GRAIN "contacts: [{between: [a, a], restitution: 0.9}]\nhard: {shear: {rate: "
                     "0.3}}\n" GAS("60"),
     8000},
    {"a heat bath", BOX("20", "20") "}\n" GRAIN "hard: {thermostat: {temperature: 1, rate: 0.5}}\n" GAS("60"), 8000},
    {"rough grains at thermal walls",
     BOX("14", "14") ", boundary: wall}\n" GRAIN "particles: [{species: a, count: 50, place: random, "
                     "velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}]\ncontacts: [{between: [a, a], "
                     "restitution: 0.9, "
                     "tangential: 0.5}, {between: [a, wall], temperature: 1}]\n",
     8000},
    {"ellipsoids",
     BOX("14", "14") "}\nspecies: {a: {semi_axes: "
#if CAROM_DIM == 3
                     "[0.7, 0.4, 0.4]"
#else
                     "[0.7, 0.4]"
#endif
                     ", mass: 1}, b: {diameter: 0.8}}\nparticles: [{species: {a: 2, b: 1}, count: 50, place: random, "
                     "velocity: "
                     "{maxwell: 1}}]\n",
     3000},
    {"a driven plate",
     BOX("12", "30") ", boundary: wall}\n" GRAIN "planes: [{name: plate, point: "
#if CAROM_DIM == 3
                     "[0, 1.5, 0], normal: [0, 1, 0]}]\ndrives: [{name: p, plane: plate, motion: [{oscillate: {by: [0, "
                     "0.2, 0]"
#else
                     "[0, 1.5], normal: [0, 1]}]\ndrives: [{name: p, plane: plate, motion: [{oscillate: {by: [0, 0.2]"
#endif
                     ", frequency: 1}}]}]\nfields: {gravity: " DOWN
                     "}\nparticles: [{species: a, count: 30, place: {random: {region: "
                     "{box: {from: "
#if CAROM_DIM == 3
                     "[0, 3, 0], to: [12, 29, 6]"
#else
                     "[0, 3], to: [12, 29]"
#endif
                     "}}}}, velocity: {maxwell: 1}}]\ncontacts: [{between: [a, plate], restitution: 0.9}]\n",
     5000},
};

static play_text text;

/* Clusters of five on a lattice: four bodies approach the one in the middle at the same speed, from the same distance.
 * All numbers are sums of few powers of two, so that the times are equal. */
static void add_clusters(void)
{
    static const int side[5][2] = {{1, 0}, {0, -1}, {0, 0}, {-1, 0}, {0, 1}};
    play_text v = {.length = 0};
    play_add(&text, "particles: [{species: a, place: {at: [");
    for (int n = 0; n < 320; n++) {
        const int cluster = 27 * (n / 5) % 64, *s = side[(n + n / 5) % 5];
        const double x = 4 + 8 * (cluster % 8) + 2 * s[0], y = 4 + 8 * (cluster / 8) + 2 * s[1];
        play_add(&text, DIM == 3 ? "%s[%g, %g, 2]" : "%s[%g, %g]", n > 0 ? ", " : "", x, y);
        play_add(&v, DIM == 3 ? "%s[%d, %d, 0]" : "%s[%d, %d]", n > 0 ? ", " : "", -s[0], -s[1]);
    }
    play_add(&text, "]}, velocity: {each: [%s]}}]\n", v.text);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static dice die = {4711};

static void shuffle(gas *g)
{
    error e = {0};
    curve_place *from = malloc((g->count + 1) * sizeof *from);
    REQUIRE(from != NULL);
    for (uint32_t i = 0; i < g->count; i++) from[i] = (curve_place){0, i};
    for (uint32_t i = g->count; i > 1; i--) {
        const uint32_t k = dice_below(&die, i), held = from[k].item;
        from[k].item = from[i - 1].item;
        from[i - 1].item = held;
    }
    arrange_bodies(g, from);
    free(from);
    REQUIRE(gas_find_events(g, &e) == CAROM_OK);
}

/* The state in a new simulation. */
static void *resumed(void *self, const scene *s, const initial_state *state)
{
    error e = {0};
    snapshot saved = {0};
    void *other = NULL;
    REQUIRE(hard_kernel_of_test.run.save(self, &saved, &e) == CAROM_OK);
    REQUIRE(hard_kernel_of_test.run.create(&other, s, state, 0, NULL, &e) == CAROM_OK);
    if (hard_kernel_of_test.run.load(other, &saved, &e) != CAROM_OK) ck_abort_msg("%s", error_text(&e));
    snapshot_free(&saved);
    hard_kernel_of_test.run.destroy(self);
    return other;
}

typedef struct outcome {
    uint64_t hash, events[EVENT_KINDS], stabilising;
    double time;
} outcome;

typedef enum disturbance { NO_DISTURBANCE, SHUFFLED, RESUMED } disturbance;

static outcome run(const play *p, uint64_t events, disturbance by, unsigned times)
{
    const scene *s = p->scene->checked;
    error e = {0};
    initial_state state;
    carom_frame frame;
    void *self = NULL;
    REQUIRE(state_create(&state, s, &e) == CAROM_OK);
    REQUIRE(hard_kernel_of_test.run.create(&self, s, &state, 0, NULL, &e) == CAROM_OK);
    for (unsigned part = 0; part <= times; part++) {
        const uint64_t until = part == times ? events : events * part / times;
        const engine_limits limits = {.time = INFINITY, .events = until, .collisions = UINT64_MAX, .slice = UINT64_MAX};
        carom_stop stop = CAROM_STOP_NONE;
        if (hard_kernel_of_test.run.advance(self, &limits, &stop, &e) != CAROM_OK) ck_abort_msg("%s", error_text(&e));
        REQUIRE(stop == CAROM_STOP_EVENTS || stop == CAROM_STOP_NO_EVENTS);
        if (by == SHUFFLED) shuffle(self);
        if (by == RESUMED) self = resumed(self, s, &state);
    }
    REQUIRE(sim_frame_create(p->sim, &frame, &e) == CAROM_OK);
    engine_fill_frame(&hard_kernel_of_test.run, self, hard_kernel_of_test.run.time(self), FRAME_ALL, &frame);
    outcome o = {.hash = frame.state_hash, .stabilising = frame.tallies.stabilising, .time = frame.time};
    memcpy(o.events, frame.events, sizeof o.events);
    hard_kernel_of_test.run.destroy(self);
    frame_destroy(&frame);
    state_free(&state);
    return o;
}

static void expect_same(const outcome *a, const outcome *b, bool transfers)
{
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        if (kind != EVENT_TRANSFER || transfers) ck_assert_uint_eq(a->events[kind], b->events[kind]);
    ck_assert_uint_eq(a->stabilising, b->stabilising);
    ck_assert(a->time == b->time);
    ck_assert_uint_eq(a->hash, b->hash);
}

static const case_of *write_case(int n)
{
    const case_of *c = &cases[n];
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 5\n%srun: {until: {events: %llu}}\n", c->scene,
             (unsigned long long)c->events);
    if (strstr(c->scene, "particles") == NULL) add_clusters();
    return c;
}

START_TEST(memory_does_not_matter)
{
    const case_of *c = write_case(_i);
    play fast = play_open(text.text, NULL), reference = play_open(text.text, "hard.reference=true");
    const outcome whole = run(&fast, c->events, NO_DISTURBANCE, 0),
                  quarter = run(&fast, c->events / 4, NO_DISTURBANCE, 0);
    printf("%s: hash %016llx, %llu collisions\n", c->name, (unsigned long long)whole.hash,
           (unsigned long long)whole.events[EVENT_COLLISION]);
    for (unsigned times = 5; times < 30; times += 20) {
        const outcome o = run(&fast, c->events, SHUFFLED, times);
        expect_same(&o, &whole, false);
    }
    const outcome o = run(&reference, c->events / 4, SHUFFLED, 5);
    expect_same(&o, &quarter, false);
    play_close(&fast);
    play_close(&reference);
}
END_TEST

START_TEST(resuming_does_not_matter)
{
    const case_of *c = write_case(_i);
    for (int reference = 0; reference < 2; reference++) {
        play p = play_open(text.text, reference ? "hard.reference=true" : NULL);
        const uint64_t events = reference ? c->events / 8 : c->events;
        const outcome whole = run(&p, events, NO_DISTURBANCE, 0), o = run(&p, events, RESUMED, 30);
        printf("%s: %llu transfers\n", c->name, (unsigned long long)whole.events[EVENT_TRANSFER]);
        expect_same(&o, &whole, true);
        play_close(&p);
    }
}
END_TEST

int main(void)
{
    const int count = (int)(sizeof cases / sizeof *cases);
    TCase *all = tcase_create("all"), *more = suite_ci_case();
    tcase_add_loop_test(all, memory_does_not_matter, 0, 5);
    tcase_add_loop_test(all, memory_does_not_matter, 6, 10);
    tcase_add_loop_test(all, resuming_does_not_matter, 0, 5);
    tcase_add_loop_test(all, resuming_does_not_matter, 6, 10);
    tcase_add_loop_test(more, memory_does_not_matter, 5, 6);
    tcase_add_loop_test(more, memory_does_not_matter, 10, count);
    tcase_add_loop_test(more, resuming_does_not_matter, 5, 6);
    tcase_add_loop_test(more, resuming_does_not_matter, 10, count);
    tcase_set_timeout(all, 300);
    return suite_run(DIM == 3 ? "memory_order_3d" : "memory_order", all, more);
}
