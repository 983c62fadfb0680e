/* Detects compiled variants of the double kernel, with cells or lists, whose bits differ from the all-pairs
 * reference. */
#include "../support/suite.h"
#include "base/cores.h"
#include "hard/kernel.h"
#include "sim/sim.h"
#include "support/play.h"

typedef struct case_of {
    const char *name, *scene;
    uint64_t events;
} case_of;

static const case_of cases[] = {
    {"dilute: cells",
     "dimension: 3\nbox: {packing_fraction: 0.05}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, count: 500, place: random, velocity: {maxwell: 1}}]\n",
     20000},
    {"dense: lists",
     "dimension: 3\nbox: {packing_fraction: 0.5}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, count: 500, place: fcc, velocity: {maxwell: 1}}]\n",
     20000},
    {"disks: cells",
     "dimension: 2\nbox: {packing_fraction: 0.2}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, count: 400, place: random, velocity: {maxwell: 1}}]\n",
     20000},
    {"disks: lists",
     "dimension: 2\nbox: {packing_fraction: 0.7}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, count: 400, place: square, velocity: {maxwell: 1}}]\n",
     20000},
    {"walls and gravity: cells",
     "dimension: 3\nbox: {size: [30, 30, 60], boundary: wall}\n"
     "species: {a: {diameter: 1, mass: 1}}\nfields: {gravity: [0, 0.01, -0.1]}\n"
     "particles: [{species: a, count: 300, place: random, velocity: {maxwell: 1}}]\n",
     20000},
    {"an open top: cells grow with the gas",
     "dimension: 3\nbox: {size: [12, 12, 400], boundary: [periodic, periodic, open]}\n"
     "species: {a: {diameter: 1, mass: 1}}\nfields: {gravity: [0, 0, -0.1]}\n"
     "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
     "particles: [{species: a, count: 100, place: random, velocity: {maxwell: 1}}]\n",
     10000},
    {"many sizes, inelastic",
     "dimension: 3\nbox: {packing_fraction: 0.3}\n"
     "species: {a: {diameter: {lognormal: [1, 0.3], min: 0.4, max: 2}, density: 1}}\n"
     "particles: [{species: a, count: 300, place: random, velocity: {maxwell: 1}}]\n"
     "contacts: [{between: [a, a], restitution: 0.9}]\n",
     20000},
    {"enough bodies to be put in order",
     "dimension: 3\nbox: {packing_fraction: 0.1}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, count: 2500, place: random, velocity: {maxwell: 1}}]\n",
     1500},
    {"steps: a well and a staircase, dense",
     "dimension: 3\nbox: {packing_fraction: 0.4}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
     "particles: [{species: {a: 1, b: 1}, count: 300, place: fcc, velocity: {maxwell: 1}}]\n"
     "potentials: [{between: [a, a], square_well: {range: 1.4, depth: 1}}, {between: [a, b], staircase: {range: 1.3, "
     "depth: 1, steps: 3}}]\n",
     15000},
    {"bonds in gravity: cells",
     "dimension: 2\nbox: {size: [40, 40], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "fields: {gravity: [0, -0.1]}\n"
     "particles: [{species: a, count: 200, place: {walk: {length: 8, step: 1.05}}, velocity: {maxwell: 1}}]\n"
     "bonds: [{name: b, chain: {from: 0, to: 199}, length: 8, shortest: 1, longest: 1.2}]\n",
     15000},
    {"light bodies among heavy ones: some cross alone",
     "dimension: 3\nbox: {packing_fraction: 0.05}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 1e-4}}\n"
     "particles: [{species: {a: 0.95, b: 0.05}, count: 400, place: random, velocity: {maxwell: 1}}]\n",
     20000},
    {"a fall from rest: cells",
     "dimension: 2\nbox: {size: [60, 60], boundary: [periodic, wall]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "fields: {gravity: [0.01, -1]}\ncontacts: [{between: [a, a], restitution: 0.95}]\n"
     "particles: [{species: a, count: 300, place: random}]\n",
     10000},
    {"clusters: many collisions in a period of crossings",
     "dimension: 2\nbox: {packing_fraction: 0.15}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "contacts: [{between: [a, a], restitution: 0.2}]\nhard: {collapse: {policy: tc, tc: 1e-9}}\n"
     "particles: [{species: a, count: 300, place: random, velocity: {maxwell: 1}}]\n",
     50000},
    {"a clump of many: cells that hold more than is predicted at once, and crossings together",
     "dimension: 3\nbox: {size: [400, 400, 400]}\nspecies: {a: {diameter: 1, mass: 1}}\n", 2000},
    {"a clump: cells that hold more than is predicted at once",
     "dimension: 3\nbox: {size: [400, 400, 400]}\nspecies: {a: {diameter: 1, mass: 1}}\n", 100},
};

static play_text text;

enum { TRIES = 200 };

/* So many bodies in one of the wide cells of an empty box, and one in each of the next two. */
static void add_clump(int count)
{
    play_add(&text, "particles: [{species: a, velocity: {maxwell: 1}, place: {at: [[45, 20, 20], [75, 20, 20]");
    for (int k = 0; k < count; k++)
        play_add(&text, ", [%g, %g, %g]", 20 + 1.5 * (k % 5), 20 + 1.5 * (k / 5 % 5), 20 + 1.5 * (k / 25));
    play_add(&text, "]}}]\n");
}

/* The hash after so many events, by one kernel. */
static uint64_t hash_of(const hard_kernel *kernel, const scene *s, uint64_t events)
{
    error e = {0};
    initial_state state;
    carom_frame frame;
    void *gas = NULL;
    carom_stop stop = CAROM_STOP_NONE;
    const engine_limits limits = {INFINITY, events, UINT64_MAX, UINT64_MAX, 0, 0};
    REQUIRE(state_create(&state, s, &e) == CAROM_OK);
    REQUIRE(kernel->run.create(&gas, s, &state, 0, NULL, &e) == CAROM_OK);
    REQUIRE(kernel->run.advance(gas, &limits, &stop, &e) == CAROM_OK);
    REQUIRE(stop == CAROM_STOP_EVENTS);
    REQUIRE(frame_create(&frame, s->dimension, state.count, &e) == CAROM_OK);
    engine_fill_frame(&kernel->run, gas, kernel->run.time(gas), FRAME_ALL, &frame);
    uint64_t hash = frame.state_hash;
    kernel->run.destroy(gas);
    frame_destroy(&frame);
    state_free(&state);
    return hash;
}

START_TEST(all_give_the_same_bits)
{
    const case_of *c = &cases[_i];
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 3\n%srun: {until: {events: %llu}}\n", c->scene,
             (unsigned long long)c->events);
    if (strstr(c->scene, "particles") == NULL) add_clump(c->events > 100 ? 400 : 120);
    play p = play_open(text.text, "hard.reference=true");
    play_run(&p, CAROM_STOP_EVENTS);
    const uint64_t expected = play_hash(&p);
    play_close(&p);

    play fast = play_open(text.text, NULL);
    const scene *s = fast.scene->checked;
    int compared = 0;
    for (int level = 0; level < CORES_LEVELS; level++) {
        const hard_kernel *kernel = hard_kernel_level(s->dimension, level);
        if (kernel == NULL) continue;
        ck_assert_uint_eq(hash_of(kernel, s, c->events), expected);
        compared++;
    }
    printf("%s: %d kernels give %016llx after %llu events\n", c->name, compared, (unsigned long long)expected,
           (unsigned long long)c->events);
    play_close(&fast);
}
END_TEST

/* Two bodies head-on across the ends of a long, narrow box, from where they only just belong on each other's lists:
 * those must not miss them in cells far wider than that. */
static uint64_t head_on(int try, const char *set)
{
    const double length = 3e5, place = 0.05 + 0.00613 * try, apart = 1.45 - 1.7e-6 * (37 * try % TRIES);
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [%g, 3, 3]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
             "particles: [{species: a, velocity: {each: [[1, 0, 0], [-1, 0, 0]]},\n"
             "             place: {at: [[%.17g, 1, 1], [%.17g, 1, 1]]}}]\nrun: {until: {events: 1}}\n",
             length, length - place, apart - place);
    play p = play_open(text.text, set);
    play_run(&p, CAROM_STOP_EVENTS);
    const uint64_t hash = play_hash(&p);
    play_close(&p);
    return hash;
}

START_TEST(lists_miss_none_in_wide_cells)
{
    for (int try = 0; try < TRIES; try++) ck_assert_uint_eq(head_on(try, NULL), head_on(try, "hard.reference=true"));
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(more, all_give_the_same_bits, 0, 2);
    tcase_add_loop_test(all, all_give_the_same_bits, 2, 5);
    tcase_add_loop_test(rest, all_give_the_same_bits, 5, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(all, lists_miss_none_in_wide_cells);
    tcase_set_timeout(all, 300);
    return suite_run("kernels", all, more, rest);
}
