/* Detects bits of the state, or of sums, that depend on the number of threads. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#define HEAD "carom: 1\nengine: variational\ndimension: 3\nseed: 4\n"

/* Each has batches of more than a thousand touches, or shells of more than two thousand elements. */
static const char *const scenes[] = {
    /* elastic and dense: pairs */
    HEAD "box: {packing_fraction: 0.45, boundary: periodic}\n"
         "species: {a: {diameter: 1}}\n"
         "particles: [{species: a, count: 4000, place: fcc, velocity: {maxwell: 1}}]\n"
         "variational: {eta: 0.2}\n"
         "run: {until: {time: 0.4}}\n",
    /* that lose energy, between plates that close in: responses, friction, surfaces, work */
    HEAD "box: {size: [14, 14, 15.5], boundary: [periodic, periodic, open]}\n"
         "species: {a: {diameter: 1}}\n"
         "particles: [{species: a, count: 2916, place: fcc, velocity: {maxwell: 0.1}}]\n"
         "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}, {name: lid, point: [0, 0, 15.5], normal: [0, 0, "
         "-1]}]\n"
         "drives: [{name: press, plane: lid, motion: [{time: 0, velocity: [0, 0, -2]}]}]\n"
         "contacts: [{between: [a, a], restitution: 0.6, friction: 0.4}, {between: [a, floor], restitution: 0.5},\n"
         "           {between: [a, lid], restitution: 0.5, friction: 0.3}]\n"
         "fields: {gravity: [0, 0, -1]}\n"
         "variational: {eta: 0.1}\n"
         "run: {until: {time: 0.5}}\n",
    /* that rotate: torques of friction, rolling and twisting, cohesion */
    HEAD
    "box: {size: [14, 14, 15.5], boundary: [periodic, periodic, open]}\n"
    "species: {a: {diameter: 1}}\n"
    "particles: [{species: a, count: 2916, place: fcc, velocity: {maxwell: 0.1}, angular_velocity: {maxwell: 1}}]\n"
    "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}, {name: lid, point: [0, 0, 15.5], normal: [0, 0, "
    "-1]}]\n"
    "drives: [{name: press, plane: lid, motion: [{time: 0, velocity: [0, 0, -2]}]}]\n"
    "contacts: [{between: [a, a], restitution: 0.6, friction: 0.4, rolling_friction: 0.1, twisting_friction: 0.1,\n"
    "            cohesion: 0.1}, {between: [a, floor], restitution: 0.5, friction: 0.5, rolling_viscosity: 0.1}]\n"
    "fields: {gravity: [0, 0, -1]}\n"
    "variational: {eta: 0.1, rotation: true}\n"
    "run: {until: {time: 0.5}}\n",
    /* of elastic spheres: forces of Hertz, partial slip */
    HEAD
    "box: {size: [14, 14, 15.5], boundary: [periodic, periodic, open]}\n"
    "species: {a: {diameter: 1, density: 2, young: 1000, poisson: 0.3}}\n"
    "particles: [{species: a, count: 2916, place: fcc, velocity: {maxwell: 0.1}, angular_velocity: {maxwell: 1}}]\n"
    "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}, {name: lid, point: [0, 0, 15.5], normal: [0, 0, "
    "-1]}]\n"
    "drives: [{name: press, plane: lid, motion: [{time: 0, velocity: [0, 0, -2]}]}]\n"
    "contacts: [{between: [a, a], restitution: 0.6, friction: 0.4}, {between: [a, floor], friction: 0.5, young: 100, "
    "poisson: 0.1}]\n"
    "fields: {gravity: [0, 0, -1]}\n"
    "variational: {rotation: true}\n"
    "run: {until: {time: 0.5}}\n",
    /* a cloth on a ball: linked contacts, shells, damping */
    HEAD
    "box: {size: 10, boundary: open}\n"
    "species: {cloth: {diameter: 0.1}}\n"
    "meshes:\n"
    "  - {name: cloth, shape: {rectangle: {length: 6, width: 6, along: 24, across: 24}}, place: {at: [5, 5, 5.35]},\n"
    "     thickness: 0.1, stretch: 500, bend: 0.05, damping: {stretch: 0.01, bend: 0.0001}, velocity: [0, 0, -40]}\n"
    "  - {name: ball, shape: {sphere: {radius: 2.2, parts: 5}}, place: {at: [5, 5, 3]}, thickness: 0.1, rigid: true}\n"
    "contacts: [{between: [cloth, cloth], friction: 0.3, restitution: 0.5}]\n"
    "fields: {gravity: [0, 0, -100]}\n"
    "run: {until: {time: 0.04}}\n"};

static const char *const sums[] = {"kinetic", "contact", "total", "restitution", "friction", "damping", "work"};
enum { SUMS = sizeof sums / sizeof *sums };

typedef struct outcome {
    uint64_t hash;
    double sum[SUMS], rolling, twisting, impacts, forces;
} outcome;

static outcome run_with(const char *scene, int threads)
{
    outcome o;
    carom_options options = {.threads = threads};
    play p = play_try(scene, NULL, &options);
    if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    play_run(&p, CAROM_STOP_TIME);
    o.hash = play_hash(&p);
    o.rolling = carom_sim_frame(p.sim)->tallies.ledger.rolling;
    o.twisting = carom_sim_frame(p.sim)->tallies.ledger.twisting;
    json_t *summary = play_summary(&p);
    for (int k = 0; k < SUMS; k++) o.sum[k] = play_number(json_object_get(summary, "energy"), sums[k]);
    o.impacts = play_number(json_object_get(summary, "events"), "collision");
    o.forces = play_number(json_object_get(summary, "events"), "force");
    json_decref(summary);
    play_close(&p);
    return o;
}

START_TEST(same_bits)
{
    outcome one = run_with(scenes[_i], 1);
    printf("%016llx: %g impacts, %g forces\n", (unsigned long long)one.hash, one.impacts, one.forces);
    ck_assert(one.impacts > 1000);
    for (int threads = 2; threads <= 3; threads++) {
        outcome more = run_with(scenes[_i], threads);
        ck_assert_uint_eq(one.hash, more.hash);
        ck_assert(one.impacts == more.impacts && one.forces == more.forces);
        ck_assert(one.rolling == more.rolling && one.twisting == more.twisting);
        for (int k = 0; k < SUMS; k++)
            if (one.sum[k] != more.sum[k]) ck_abort_msg("%s: %.17g, %.17g", sums[k], one.sum[k], more.sum[k]);
    }
}
END_TEST

/* Simulations side by side, in threads of the caller's: there what asks for two may get one. */
START_TEST(same_bits_within_a_team)
{
    outcome alone = run_with(scenes[_i], 1), beside[2];
#pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int k = 0; k < 2; k++) beside[k] = run_with(scenes[_i], 1 + k);
    for (int k = 0; k < 2; k++) {
        ck_assert_uint_eq(alone.hash, beside[k].hash);
        for (int n = 0; n < SUMS; n++) ck_assert(alone.sum[n] == beside[k].sum[n]);
    }
}
END_TEST

int main(void)
{
    TCase *runs = tcase_create("runs"), *more = suite_ci_case();
    tcase_set_timeout(runs, 0);
    tcase_set_timeout(more, 0);
    suite_split_loop(runs, more, same_bits, 3, (int)(sizeof scenes / sizeof *scenes));
    suite_split_loop(runs, more, same_bits_within_a_team, 3, (int)(sizeof scenes / sizeof *scenes));
    return suite_run("variational threads", runs, more);
}
