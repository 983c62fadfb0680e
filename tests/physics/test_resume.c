/* Detects runs that are stopped, killed and resumed with other bits in state, summary or file than an uninterrupted
 * run. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include <hdf5.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const scenes[] = {
    /* a gas that loses energy, watched by everything */
    "dimension: 3\nbox: {packing_fraction: 0.3}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
    "particles: [{species: {a: 1, b: 1}, count: 60, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.9}, {between: [a, b], restitution: {viscoelastic: 0.1}}]\n",
    /* compressed, long double */
    "dimension: 2\nbox: {packing_fraction: 0.65}\nspecies: {a: {diameter: {uniform: [0.8, 1.2]}, mass: 1}}\n"
    "particles: [{species: a, count: 50, place: compress, velocity: {maxwell: 1}}]\nhard: {precision: long_double}\n",
    /* a floor, sleepers */
    "dimension: 2\nbox: {size: [8.3, 20], boundary: [wall, wall]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "fields: {gravity: [0, -1]}\nhard: {collapse: {policy: sleep, speed: 0.03}}\n"
    "particles: [{species: a, count: 25, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.6}, {between: [a, wall], restitution: 0.6}]\n",
    /* contact duration, a gas that drifts and cools */
    "dimension: 3\nbox: {packing_fraction: 0.2}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 40, place: random, velocity: {uniform: [0, 1]}}]\n"
    "contacts: [{between: [a, a], restitution: 0.2}]\nhard: {collapse: {policy: tc, tc: 1e-4}}\n",
    /* a well, a staircase and bridges between them, which lose energy */
    "dimension: 3\nbox: {packing_fraction: 0.2}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
    "particles: [{species: {a: 1, b: 1}, count: 60, place: random, velocity: {maxwell: 1}}]\n"
    "potentials: [{between: [a, a], square_well: {range: 1.5, depth: 1}}, {between: [a, b], bridge: {rupture: 1.2, "
    "energy: 0.1}}, {between: [b, b], staircase: {range: 1.6, depth: 1, steps: 3}}]\n",
    /* chains, and what is free between them */
    "dimension: 2\nbox: {size: [20, 20], boundary: [periodic, wall]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 40, place: {walk: {length: 8, step: 1.05}}, velocity: {maxwell: 1}}, "
    "{species: a, count: 20, place: random, velocity: {maxwell: 1}}]\n"
    "bonds: [{name: b, chain: {from: 0, to: 39}, length: 8, shortest: 1, longest: 1.2}]\n",
    /* rough, between a rough floor and lid */
    "dimension: 3\nbox: {packing_fraction: 0.2, boundary: [periodic, periodic, wall]}\n"
    "species: {a: {diameter: 1, mass: 1}}\nfields: {gravity: [0.1, 0, -0.1]}\n"
    "particles: [{species: a, count: 60, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 2}}]\n"
    "contacts: [{between: [a, a], restitution: 0.9, tangential: 0.5}, {between: [a, wall], tangential: 0}]\n",
    /* rough sleepers */
    "dimension: 3\nbox: {size: [5.3, 5.3, 20], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "fields: {gravity: [0, 0, -1]}\nhard: {collapse: {policy: sleep, speed: 0.1}}\n"
    "particles: [{species: a, count: 50, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.6, tangential: 0, friction: 0.5}, {between: [a, wall], restitution: "
    "0.6, tangential: 0, friction: 0.5}]\n",
    /* in a box that shrinks */
    "dimension: 3\nbox: {packing_fraction: 0.3, boundary: [wall, periodic, periodic]}\n"
    "species: {a: {diameter: {uniform: [0.8, 1.2]}, mass: 1}}\nhard: {compression: {rate: 0.01}}\n"
    "particles: [{species: a, count: 60, place: random, velocity: {maxwell: 1}}]\n",
    /* in a heat bath */
    "dimension: 3\nbox: {packing_fraction: 0.2}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 60, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.8}]\nhard: {thermostat: {temperature: 1, rate: 1}}\n",
    /* among images of a mesh */
    "dimension: 3\nbox: {size: [8, 8, 8]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "meshes: [{name: star, shape: {solid: {kind: octahedron, radius: 2}}, place: {at: [7, 7, 7]}, rigid: true}]\n"
    "particles: [{species: a, place: sc, count: 8, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.9}]\n",
    /* in a drum that turns, above a plate that swings */
    "dimension: 3\nbox: {size: [10, 10, 10], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "meshes: [{name: drum, shape: {solid: {kind: cube, radius: 6}}, place: {at: [5, 5, 5]}, rigid: true}]\n"
    "planes: [{name: plate, point: [5, 5, 2], normal: [0, 0, 1]}]\nfields: {gravity: [0, 0, -0.1]}\n"
    "drives:\n  - {name: d, mesh: drum, motion: [{turn: {axis: [0, 1, 0], through: [5, 5, 5], rate: 0.5}}]}\n"
    "  - {name: p, plane: plate, motion: [{time: 1, oscillate: {by: [0, 0, 0.1], frequency: 1}}]}\n"
    "particles: [{species: a, place: {at: [[5, 5, 5], [5, 5, 6.5], [6.5, 5, 5]]}, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.7}]\n",
    "title: an elastic fluid\nbox: {packing_fraction: 0.3}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 60, place: random, velocity: {maxwell: 1}}]\n",
    /* in a rough drum that turns, around a post that swings */
    "dimension: 3\nbox: {size: [10, 10, 8], boundary: [wall, wall, periodic]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "cylinders:\n  - {name: drum, through: [5, 5, 0], axis: [0, 0, 1], radius: 5, side: inside}\n"
    "  - {name: post, through: [5, 5, 0], axis: [0, 0, 1], radius: 0.5, side: outside}\nfields: {gravity: [0, -0.1, "
    "0]}\n"
    "drives:\n  - {name: d, cylinder: drum, motion: [{turn: {rate: 0.5}}]}\n"
    "  - {name: p, cylinder: post, motion: [{time: 1, oscillate: {by: [0.1, 0.2, 0], frequency: 1}}]}\n"
    "particles: [{species: a, count: 40, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.9}, {between: [a, drum], restitution: 0.9, tangential: 0.5}]\n",
    /* ellipsoids and spheres between walls */
    "dimension: 3\nbox: {packing_fraction: 0.2, boundary: [periodic, wall, periodic]}\n"
    "species: {a: {semi_axes: [0.8, 0.4, 0.4], mass: 1}, b: {diameter: 0.8}}\n"
    "particles: [{species: {a: 2, b: 1}, count: 60, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.9}]\n",
    /* in a box that is sheared */
    "dimension: 3\nbox: {packing_fraction: 0.2}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 60, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.8}]\nhard: {shear: {rate: 0.5}}\n",
    /* so dilute that flights go far */
    "dimension: 3\nbox: {size: [40, 40, 40]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 20, place: random, velocity: {maxwell: 1e6}}]\n",
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Those of the engine `aggregation`. */
static const char *const dusts[] = {
    /* in a periodic box, everything sticks */
    "dimension: 2\nbox: {packing_fraction: 0.03}\nspecies: {a: {diameter: {uniform: [0.5, 1]}, density: 1}}\n"
    "particles: [{species: a, count: 200, place: random, velocity: {maxwell: 1}}]\n",
    /* between walls, slow impacts stick */
    "dimension: 3\nbox: {packing_fraction: 0.03, boundary: [wall, periodic, wall]}\n"
    "species: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 200, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.7, stick: {below: 0.8}}]\n",
};
enum { DUSTS = sizeof dusts / sizeof *dusts };

/* Its clusters are isolated when it stops at t = 3.375, 3.5 and 3.625, and their events are in the ring of the queue when
 * it goes on: of seven seeds, 2 alone. */
static const char isolated_clusters[] =
    "carom: 1\nengine: aggregation\nseed: 2\ndimension: 2\nbox: {packing_fraction: 0.1}\n"
    "species: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 400, place: square, velocity: {uniform: [-16, 16]}, zero_momentum: true}]\n";

static const char watched[] =
    "observe:\n  - {what: energy, every: 0.25}\n  - {what: momentum, every: 0.25}\n  - {what: temperature}\n"
    "  - {what: pressure}\n  - {what: msd, every: 0.1}\n  - {what: vacf, every: 0.1}\n"
    "  - {what: radial_distribution, range: 1.5, every: 0.5, start: 1}\n  - {what: velocity_distribution, "
    "every_collisions: 100}\n"
    "  - {what: impact_separation}\n  - {what: three_body}\n  - {what: stabilising}\n  - {what: collision_rate}\n"
    "  - {what: coordination, gap_ratio: 0.2, every: 0.25}\n  - {what: fabric, gap_ratio: 0.2, every: 0.25}\n"
    "output: {frames: {every: 0.5}}\nrun: {until: {time: 12}}\n";

/* ... of a flow, which has no msd, */
static const char watched_flow[] =
    "observe:\n  - {what: shear_viscosity, every: 0.25}\n  - {what: power, every: 0.25}\n  - {what: temperature}\n"
    "  - {what: pressure}\n  - {what: velocity_distribution, every_collisions: 100}\n"
    "output: {frames: {every: 0.5}}\nrun: {until: {time: 12}}\n";

/* ... of a fluid at rest, */
static const char watched_fluid[] = "observe:\n  - {what: viscosity, every: 0.1, lags: 10}\n"
                                    "  - {what: thermal_conductivity, every: 0.1, lags: 20, start: 1}\n"
                                    "output: {frames: {every: 0.5}}\nrun: {until: {time: 12}}\n";

/* ... and of ellipsoids. */
static const char watched_axes[] =
    "observe:\n  - {what: nematic_order, every: 0.25}\n  - {what: rotational_temperature, every: 0.25}\n"
    "  - {what: pressure}\n  - {what: packing_fraction, every: 1}\n  - {what: msd, every: 0.1}\n"
    "output: {frames: {every: 0.5}}\nrun: {until: {time: 12}}\n";

static const char *watched_in(const char *scene)
{
    if (strstr(scene, "semi_axes:") != NULL) return watched_axes;
    if (strstr(scene, "shear:") != NULL) return watched_flow;
    return strstr(scene, "elastic fluid") != NULL ? watched_fluid : watched;
}

static const char watched_dust[] =
    "observe:\n  - {what: energy, every: 0.25}\n  - {what: momentum, every: 0.25}\n  - {what: clusters, every: 0.2}\n"
    "  - {what: radial_distribution, every: 0.5, start: 1}\noutput: {frames: {every: 0.5}}\nrun: {until: {time: 12}}\n";

static play_text text;
static char whole[100], broken[100];

static void name_runs(void)
{
    snprintf(whole, sizeof whole, "resume-%ld-whole.h5", (long)getpid());
    snprintf(broken, sizeof broken, "resume-%ld-broken.h5", (long)getpid());
}

static void write_scene(int k)
{
    name_runs();
    text.length = 0;
    if (k < SCENES)
        play_add(&text, "carom: 1\nengine: hard\nseed: 21\n%s%s", scenes[k], watched_in(scenes[k]));
    else
        play_add(&text, "carom: 1\nengine: aggregation\nseed: 21\n%s%s", dusts[k - SCENES], watched_dust);
}

static void remove_run(const char *path)
{
    char checkpoint[120];
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    remove(path);
    remove(checkpoint);
}

static play open_run(const char *path, bool resume)
{
    carom_options options = {.output = path, .force = !resume, .resume = resume};
    play p = play_try(text.text, NULL, &options);
    if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    return p;
}

/* ---- comparing ------------------------------------------------------------------------------------------------- */

static json_t *summary_without_clocks(play *p)
{
    static const char *const clocks[] = {"setup_s", "cpu_s", "wall_s", "events_per_s", "peak_rss_bytes"};
    json_t *s = play_summary(p);
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++) json_object_del(s, clocks[k]);
    return s;
}

static bool is_plain(hid_t type)
{
    return H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT;
}

/* 1 where both hold the same numbers, 0 where they hold something else than numbers. */
static int compare_datasets(hid_t a, hid_t b, const char *name)
{
    hid_t type = H5Dget_type(a), space_a = H5Dget_space(a), space_b = H5Dget_space(b);
    hssize_t count = H5Sget_simple_extent_npoints(space_a), others = H5Sget_simple_extent_npoints(space_b);
    bool plain = is_plain(type) && count > 0;
    if (strcmp(name, "/carom/summary") == 0 || strcmp(name, "/carom/checkpoint") == 0)
        count = others = plain = 0; /* they tell how long it took */
    if (count != others) ck_abort_msg("%s has %lld and %lld elements", name, (long long)count, (long long)others);
    if (plain) {
        size_t size = (size_t)count * H5Tget_size(type);
        void *one = malloc(size), *two = malloc(size);
        REQUIRE(one != NULL && two != NULL);
        REQUIRE(H5Dread(a, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, one) >= 0);
        REQUIRE(H5Dread(b, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, two) >= 0);
        if (memcmp(one, two, size) != 0) ck_abort_msg("dataset %s differs", name);
        free(one);
        free(two);
    }
    H5Sclose(space_a);
    H5Sclose(space_b);
    H5Tclose(type);
    return plain;
}

/* The numbers below a group; returns how many datasets of them there are. */
static int compare_groups(hid_t a, hid_t b, const char *path)
{
    H5G_info_t info;
    int datasets = 0;
    REQUIRE(H5Gget_info(a, &info) >= 0);
    for (hsize_t k = 0; k < info.nlinks; k++) {
        char name[200], full[1000];
        REQUIRE(H5Lget_name_by_idx(a, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name, H5P_DEFAULT) > 0);
        snprintf(full, sizeof full, "%s/%s", path, name);
        if (H5Lexists(b, name, H5P_DEFAULT) <= 0) ck_abort_msg("no %s after a resume", full);
        hid_t one = H5Oopen(a, name, H5P_DEFAULT), two = H5Oopen(b, name, H5P_DEFAULT);
        REQUIRE(one >= 0 && two >= 0);
        if (H5Iget_type(one) == H5I_GROUP) datasets += compare_groups(one, two, full);
        if (H5Iget_type(one) == H5I_DATASET) datasets += compare_datasets(one, two, full);
        H5Oclose(one);
        H5Oclose(two);
    }
    return datasets;
}

static void compare_files(void)
{
    hid_t a = H5Fopen(whole, H5F_ACC_RDONLY, H5P_DEFAULT), b = H5Fopen(broken, H5F_ACC_RDONLY, H5P_DEFAULT);
    REQUIRE(a >= 0 && b >= 0);
    int datasets = compare_groups(a, b, "");
    printf("%d datasets are the same\n", datasets);
    ck_assert_int_ge(datasets, 20);
    H5Fclose(a);
    H5Fclose(b);
}

static void expect_same(const json_t *a, const json_t *b)
{
    char *one = json_dumps(a, JSON_INDENT(1)), *two = json_dumps(b, JSON_INDENT(1));
    size_t same = 0, from;
    while (one[same] != '\0' && one[same] == two[same]) same++;
    from = same > 200 ? same - 200 : 0;
    if (one[same] != two[same]) ck_abort_msg("summaries differ: %.300s\nnot\n%.300s", two + from, one + from);
    free(one);
    free(two);
}

static void compare_to_whole(play *p)
{
    play w = open_run(whole, false);
    (void)carom_sim_run(w.sim);
    json_t *a = summary_without_clocks(&w), *b = summary_without_clocks(p);
    printf("stopped by %s, hash %016llx\n", carom_stop_name(carom_sim_stop(w.sim)), (unsigned long long)play_hash(&w));
    ck_assert_msg(play_hash(&w) == play_hash(p), "states differ");
    expect_same(a, b);
    json_decref(a);
    json_decref(b);
    play_close(&w);
    play_close(p);
    compare_files();
    remove_run(whole);
    remove_run(broken);
}

/* ---- interruptions --------------------------------------------------------------------------------------------- */

/* Stopped as by a signal, again and again. */
START_TEST(stopped_and_resumed)
{
    static const double stops[] = {0.1, 1.03, 2.5, 2.6, 7.77, 11.3};
    write_scene(_i);
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        play p = open_run(broken, k > 0);
        play_advance(&p, stops[k]);
        carom_sim_request_stop(p.sim);
        carom_status status = carom_sim_run(p.sim);
        if (carom_sim_stop(p.sim) != CAROM_STOP_NO_EVENTS) ck_assert_int_eq(status, CAROM_EARLY);
        play_close(&p);
    }
    play p = open_run(broken, true);
    (void)carom_sim_run(p.sim);
    compare_to_whole(&p);
}
END_TEST

/* Stopped and resumed while clusters are isolated: their particles are in no cell of the grid. */
START_TEST(stopped_with_isolated_clusters)
{
    name_runs();
    text.length = 0;
    play_add(&text, "%s%s", isolated_clusters, watched_dust);
    for (double t = 3.25; t < 4; t += 0.125) {
        play p = open_run(broken, false);
        play_advance(&p, t);
        carom_sim_request_stop(p.sim);
        ck_assert_int_eq(carom_sim_run(p.sim), CAROM_EARLY);
        play_close(&p);
        p = open_run(broken, true);
        (void)carom_sim_run(p.sim);
        compare_to_whole(&p);
    }
}
END_TEST

/* Killed without a word, some time after a checkpoint. */
static void run_and_die(double checkpoint, double death, bool resume)
{
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        play p = open_run(broken, resume);
        (void)carom_sim_advance(p.sim, checkpoint);
        carom_sim_request_checkpoint(p.sim);
        (void)carom_sim_advance(p.sim, death);
        raise(SIGKILL);
    }
    int status;
    REQUIRE(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

START_TEST(killed_and_resumed)
{
    write_scene(_i);
    run_and_die(1.3, 3.1, false);
    run_and_die(1.4, 1.9, true);
    run_and_die(6, 8.8, true);
    play p = open_run(broken, true);
    (void)carom_sim_run(p.sim);
    compare_to_whole(&p);
}
END_TEST

/* Killed when all was done but to close the file; killed, as far as the file tells, before its end was noted. */
START_TEST(killed_at_the_end)
{
    write_scene(_i / 2);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        play p = open_run(broken, false);
        (void)carom_sim_run(p.sim);
        if (_i % 2 == 0) raise(SIGKILL);
        play_close(&p);
        _exit(0);
    }
    REQUIRE(waitpid(child, NULL, 0) == child);
    if (_i % 2 == 1) {
        hid_t file = H5Fopen(broken, H5F_ACC_RDWR, H5P_DEFAULT);
        REQUIRE(file >= 0 && H5Adelete_by_name(file, "carom", "stop", H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0);
    }
    play p = open_run(broken, true);
    (void)carom_sim_run(p.sim);
    play_close(&p);
    hid_t file = H5Fopen(broken, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_msg(file >= 0, "the result is still marked as being written");
    ck_assert_msg(H5Aexists_by_name(file, "carom", "stop", H5P_DEFAULT) > 0,
                  "the result does not say how the run ended");
    H5Fclose(file);
    p = open_run(broken, true); /* which has nothing left to do */
    compare_to_whole(&p);
}
END_TEST

/* A run that has reached its end goes on when its limit grows, as if it had been meant to. */
START_TEST(ended_and_prolonged)
{
    write_scene(_i);
    carom_options options = {.output = broken, .force = true};
    play p = play_try(text.text, "run.until.time=4.2", &options);
    ck_assert_int_eq(p.created, CAROM_OK);
    (void)carom_sim_run(p.sim);
    play_close(&p);
    p = open_run(broken, true);
    (void)carom_sim_run(p.sim);
    compare_to_whole(&p);
}
END_TEST

/* A finished run has nothing to resume, and says what it came to. */
START_TEST(finished_stays_finished)
{
    write_scene(0);
    play p = open_run(broken, false);
    play_run(&p, CAROM_STOP_TIME);
    json_t *before = summary_without_clocks(&p);
    play_close(&p);
    char lock[120]; /* that a kill has left, after all else was done */
    snprintf(lock, sizeof lock, "%s.lock", broken);
    FILE *left = fopen(lock, "w");
    REQUIRE(left != NULL && fclose(left) == 0);
    p = open_run(broken, true);
    ck_assert_msg(access(lock, F_OK) != 0, "a lock is left beside the result");
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_OK);
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_TIME);
    json_t *after = summary_without_clocks(&p);
    expect_same(before, after);
    json_decref(before);
    json_decref(after);
    play_close(&p);
    remove_run(broken);
}
END_TEST

/* Frames may come at another rhythm after a resume: the next one at the next multiple. */
START_TEST(frames_at_another_rhythm)
{
    text.length = 0;
    write_scene(0);
    play p = open_run(broken, false);
    play_advance(&p, 3.3);
    carom_sim_request_stop(p.sim);
    (void)carom_sim_run(p.sim);
    play_close(&p);
    carom_options options = {.output = broken, .resume = true};
    p = play_try(text.text, "output.frames.every=2", &options);
    ck_assert_msg(p.created == CAROM_OK, "%s", carom_sim_message(p.sim));
    play_run(&p, CAROM_STOP_TIME);
    play_close(&p);
    hid_t file = H5Fopen(broken, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "/particles/all/position/time", H5P_DEFAULT), space = H5Dget_space(set);
    double times[64];
    hssize_t count = H5Sget_simple_extent_npoints(space);
    REQUIRE(count > 0 && count <= 64);
    REQUIRE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times) >= 0);
    for (hssize_t k = 0; k < count; k++) printf("%g ", times[k]);
    printf("\n");
    ck_assert_double_eq(times[count - 1], 12);
    ck_assert_double_eq(times[count - 2], 10);
    ck_assert_double_eq(times[count - 5], 4);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    remove_run(broken);
}
END_TEST

int main(void)
{
    /* `make test` takes each scene in one of the three ways. */
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(all, stopped_and_resumed, 0, 4);
    tcase_add_loop_test(rest, stopped_and_resumed, 4, SCENES + DUSTS);
    tcase_add_loop_test(rest, killed_and_resumed, 0, 4);
    tcase_add_loop_test(all, killed_and_resumed, 4, 8);
    tcase_add_loop_test(rest, killed_and_resumed, 8, SCENES + DUSTS);
    suite_split_loop(all, more, killed_at_the_end, 2, 4);
    tcase_add_loop_test(rest, ended_and_prolonged, 0, 8);
    tcase_add_loop_test(all, ended_and_prolonged, 8, 12);
    tcase_add_loop_test(more, ended_and_prolonged, 12, SCENES + DUSTS);
    tcase_add_test(all, finished_stays_finished);
    tcase_add_test(more, stopped_with_isolated_clusters);
    tcase_add_test(all, frames_at_another_rhythm);
    tcase_set_timeout(all, 200);
    return suite_run("resume", all, more, rest);
}
