/* Detects errors of dilute gases in periodic boxes, whose flights are far longer than the box: overlaps beyond the
 * rounding of positions in the box, and other bits on the fast and the reference path. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include <math.h>

/* `grain`: the spacing of numbers at 1; `side`: the longest of the box, in diameters. */
typedef struct dilute {
    const char *what, *scene;
    double grain, side;
    uint64_t events;
} dilute;

#define BODIES(count) "particles: [{species: a, count: " #count ", place: random, velocity: {maxwell: 1}}]\n"
#define SPHERES(count) "species: {a: {diameter: 1, mass: 1}}\n" BODIES(count)

static const dilute gases[] = {
    {"flights of 36 boxes", "dimension: 3\nbox: {size: [57, 57, 57]}\n" SPHERES(20), 0x1p-52, 57, 1000},
    {"of 1,000", "dimension: 3\nbox: {size: [300, 300, 300]}\n" SPHERES(20), 0x1p-52, 300, 300},
    {"of 11,000", "dimension: 3\nbox: {size: [1000, 1000, 1000]}\n" SPHERES(20), 0x1p-52, 1000, 20},
    {"packing fraction 1e-5", "dimension: 3\nbox: {packing_fraction: 1e-5}\n" SPHERES(200), 0x1p-52, 219, 1000},
    {"a long box of disks", "dimension: 2\nbox: {size: [3000, 30]}\n" SPHERES(10), 0x1p-52, 3000, 1000},
    {"single precision", "dimension: 3\nbox: {size: [57, 57, 57]}\nhard: {precision: float}\n" SPHERES(20), 0x1p-23, 57,
     1000},
    {"long double", "dimension: 3\nbox: {size: [100, 100, 100]}\nhard: {precision: long_double}\n" SPHERES(20), 0x1p-63,
     100, 300},
    {"wells",
     "dimension: 3\nbox: {size: [100, 100, 100]}\npotentials: [{between: [a, a], square_well: {range: 1.5, depth: "
     "1}}]\n" SPHERES(20),
     0x1p-52, 100, 1000},
    {"sheared, images faster than bodies",
     "dimension: 3\nbox: {size: [105, 142, 81]}\nhard: {precision: float, shear: {rate: 0.1}}\n" SPHERES(20), 0x1p-23,
     142, 300},
    {"rough, cooling",
     "dimension: 3\nbox: {size: [60, 60, 60]}\n" SPHERES(
         20) "contacts: [{between: [a, a], restitution: 0.8, tangential: 0.5}]\n",
     0x1p-52, 60, 300},
    {"images of a mesh, single precision",
     "dimension: 3\nbox: {size: [24.715, 31.934, 32.099]}\nhard: {precision: float}\n"
     "meshes: [{name: m, shape: {sphere: {radius: 1, parts: 2}}, place: {at: [1, 2, 2]}, rigid: true}]\n" SPHERES(80),
     0x1p-23, 32, 3000},
    {"ellipsoids", "dimension: 2\nbox: {size: [60, 60]}\nspecies: {a: {semi_axes: [0.8, 0.2], mass: 1}}\n" BODIES(5),
     0x1p-52, 60, 300},
    {"compressed slowly", "dimension: 2\nbox: {size: [1000, 1000]}\nhard: {compression: {rate: 1e-5}}\n" SPHERES(100),
     0x1p-52, 1000, 100},
    {"cold, in a heat bath",
     "dimension: 2\nbox: {size: [1000, 1000]}\nhard: {thermostat: {temperature: 1, rate: 1e-6}}\n"
     "species: {a: {diameter: 1}}\n"
     "particles: [{species: a, count: 20, place: random, velocity: {maxwell: 1e-20}}]\n",
     0x1p-52, 1000, 100},
};

static play run(const dilute *d, const char *set)
{
    static play_text t;
    t.length = 0;
    play_add(&t, "carom: 1\nengine: hard\nseed: 3\n%srun: {until: {events: %llu}}\n", d->scene,
             (unsigned long long)d->events);
    play p = play_open(t.text, set);
    play_run(&p, CAROM_STOP_EVENTS);
    return p;
}

START_TEST(overlaps_are_the_rounding_of_places)
{
    const dilute *d = &gases[_i];
    play fast = run(d, NULL), slow = run(d, "hard.reference=true");
    const double overlap = carom_sim_frame(fast.sim)->tallies.max_overlap;
    printf("%s: deepest overlap %g, %.3g grains of the box\n", d->what, overlap, overlap / (d->grain * d->side));
    /* these fourteen: 3 to 39 grains of the box; none at all would mean that none were seen */
    ck_assert_double_gt(overlap, d->grain * d->side);
    ck_assert_double_lt(overlap, 64 * d->grain * d->side);
    ck_assert(play_hash(&fast) == play_hash(&slow));
    play_close(&fast);
    play_close(&slow);
}
END_TEST

/* In an open box, from 1e8 diameters away (single precision: 1e4). */
START_TEST(a_shot_from_afar_hits)
{
    static const char *const precisions[] = {"double", "float"};
    play_text t = {.length = 0};
    const double unit = _i == 0 ? 1e9 : 1e3;
    play_add(&t,
             "carom: 1\nengine: hard\nbox: {size: [%g, %g, %g], boundary: open}\nspecies: {a: {diameter: 1}}\n"
             "particles: [{species: a, place: {at: [[%g, %g, %g], [%.17g, %.17g, %.17g]]}, "
             "velocity: {each: [[0.73, 0.37, 0.51], [0, 0, 0]]}}]\n"
             "run: {until: {time: %g}}\nhard: {precision: %s}\n",
             10 * unit, 10 * unit, 10 * unit, unit, unit, unit, 8.3 * unit, 4.7 * unit + (_i == 0 ? 0 : 0.5),
             6.1 * unit, 20 * unit, precisions[_i]);
    uint64_t hash[2];
    for (int reference = 0; reference < 2; reference++) {
        play p = play_open(t.text, reference ? "hard.reference=true" : NULL);
        (void)carom_sim_run(p.sim);
        ck_assert_uint_eq(carom_sim_frame(p.sim)->events[EVENT_COLLISION], 1);
        hash[reference] = play_hash(&p);
        play_close(&p);
    }
    ck_assert(hash[0] == hash[1]);
}
END_TEST

/* Until the first kick nothing happens, however short 16 sides of the box are in the scene's units. */
START_TEST(nothing_happens_at_rest)
{
    play p =
        play_open("carom: 1\nengine: hard\nbox: {size: [1e-6, 1e-6, 1e-6]}\n"
                  "species: {a: {diameter: 1e-7, mass: 1e-18}}\nparticles: [{species: a, count: 10, place: random}]\n"
                  "run: {until: {time: 1e5}}\nhard: {thermostat: {temperature: 1e-40, rate: 1e-6}}\n",
                  NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    printf("%llu kicks, %llu collisions, %llu origins\n", (unsigned long long)f->events[EVENT_FORCE],
           (unsigned long long)f->events[EVENT_COLLISION], (unsigned long long)f->events[EVENT_REBASE]);
    ck_assert_uint_le(f->events[EVENT_REBASE], f->events[EVENT_FORCE]);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(all, overlaps_are_the_rounding_of_places, 0, 1);
    tcase_add_loop_test(rest, overlaps_are_the_rounding_of_places, 1, 4);
    tcase_add_loop_test(all, overlaps_are_the_rounding_of_places, 4, 6);
    tcase_add_loop_test(more, overlaps_are_the_rounding_of_places, 6, 9);
    tcase_add_loop_test(all, overlaps_are_the_rounding_of_places, 9, 10);
    tcase_add_loop_test(rest, overlaps_are_the_rounding_of_places, 10, 11);
    tcase_add_loop_test(all, overlaps_are_the_rounding_of_places, 11, sizeof gases / sizeof *gases);
    tcase_add_loop_test(all, a_shot_from_afar_hits, 0, 2);
    tcase_add_test(all, nothing_happens_at_rest);
    tcase_set_timeout(all, 100);
    return suite_run("dilute", all, more, rest);
}
