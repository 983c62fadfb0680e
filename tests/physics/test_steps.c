/* Detects time-stepped aggregation that violates conservation laws, or depends on threads, checkpoints or neighbour
 * search, and modes that do not differ as they should. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include <unistd.h>

static play_text text;

/* A scene of n particles at phi = 0.2 and the speeds of the paper; `more` are lines. */
static const char *scene_of(int dimension, int count, const char *boundary, const char *steps, const char *more)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: aggregation\ndimension: %d\nseed: 3\n", dimension);
    play_add(&text, "box: {packing_fraction: 0.2, boundary: %s}\n", boundary);
    play_add(&text, "particles: [{species: a, count: %d, place: %s, velocity: {uniform: [-0.5, 0.5]}}]\n", count,
             dimension == 2 ? "square" : "sc");
    play_add(&text, "aggregation: {method: steps, steps: {%s}}\n%s", steps, more);
    return text.text;
}

#define EQUAL "species: {a: {radius: 0.2, mass: 1}}\n"
#define UNEQUAL "species: {a: {radius: {uniform: [0.15, 0.2]}, density: 1}}\n"
#define TO_ONE "run: {until: {clusters: 1}}\n"

/* Overlaps of all pairs, the worst of contact distances. */
static double worst_overlap(const carom_frame *f)
{
    double worst = 0;
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = 0; j < i; j++) {
            double square = 0, contact = f->radius[i] + f->radius[j];
            for (int k = 0; k < f->dimension; k++) {
                double r = f->position[i * (size_t)f->dimension + (size_t)k] -
                           f->position[j * (size_t)f->dimension + (size_t)k];
                if (f->boundary[k] == FRAME_PERIODIC) r -= f->box[k] * rint(r / f->box[k]);
                square += r * r;
            }
            worst = fmax(worst, 1 - sqrt(square) / contact);
        }
    return worst;
}

static double worst_outside(const carom_frame *f)
{
    double worst = 0;
    for (size_t i = 0; i < f->count; i++)
        for (int k = 0; k < f->dimension; k++) {
            double x = f->position[i * (size_t)f->dimension + (size_t)k], margin = f->radius[i];
            if (f->boundary[k] == FRAME_WALL) worst = fmax(worst, fmax(margin - x, x + margin - f->box[k]));
        }
    return worst;
}

/* ---- between walls ----------------------------------------------------------------------------------------------- */

/* The box around each cluster, by the number of the cluster. */
typedef struct outlines {
    double low[20][2], high[20][2], v[20][2], time;
    uint64_t merges;
} outlines;

static outlines outlines_of(const carom_frame *f)
{
    outlines o = {.time = f->time, .merges = f->events[EVENT_MERGE]};
    for (size_t k = 0; k < 40; k++) o.high[k / 2][k % 2] = -(o.low[k / 2][k % 2] = INFINITY);
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < 2; k++) {
            const size_t c = f->cluster[i];
            o.low[c][k] = fmin(o.low[c][k], f->position[2 * i + k] - f->radius[i]);
            o.high[c][k] = fmax(o.high[c][k], f->position[2 * i + k] + f->radius[i]);
            o.v[c][k] = f->velocity[2 * i + k];
        }
    return o;
}

/* While nothing merges, clusters go back and forth between the walls by their outermost members. */
START_TEST(outermost_members_meet_walls)
{
    play p = play_open("carom: 1\nengine: aggregation\ndimension: 2\nseed: 42\n"
                       "box: {packing_fraction: 0.1, boundary: wall}\n"
                       "species: {a: {radius: {uniform: [0.15, 0.2]}, density: 1}}\n"
                       "particles: [{species: a, count: 20, place: random, velocity: {uniform: [-0.5, 0.5]}}]\n"
                       "aggregation: {method: steps, steps: {dt: 0.125}}\nrun: {until: {time: 100}}\n",
                       NULL);
    double worst = 0;
    outlines a = outlines_of(carom_sim_frame(p.sim));
    for (int n = 1; n <= 60 && carom_sim_frame(p.sim)->clusters > 1; n++) {
        play_advance(&p, n);
        const carom_frame *f = carom_sim_frame(p.sim);
        const outlines b = outlines_of(f);
        for (size_t c = 0; c < 20 && a.merges == b.merges; c++)
            for (int k = 0; k < 2 && isfinite(b.low[c][k]); k++) {
                const double range = f->box[k] - (a.high[c][k] - a.low[c][k]);
                const double x = fabs(remainder(a.low[c][k] + a.v[c][k] * (b.time - a.time), 2 * range));
                worst = fmax(worst, fabs(x - b.low[c][k]));
            }
        a = b;
    }
    EXPECT_CLOSE("off the straight way from wall to wall", worst, 0, 1.1e-14);
    play_close(&p);
}
END_TEST

/* ---- all solvers, modes and boxes -------------------------------------------------------------------------------- */

static const char *const ways[] = {
    "solver: sor",
    "solver: newton",
    "solver: daha",
    "solver: daha, daha: {evolve: true}",
    "solver: aha, iterations: 300, aha: {constraint: non_smooth, beta: 0.1}",
    "mode: rigid",
    "mode: rigid, solver: newton",
    "mode: rigid, solver: daha",
    "cfl: 1",
    "dt: 0.05",
    "bound: 0.5",
    "bound: 1, bound_by: flight, cfl: 1",
    "bound: 1, bound_by: flight, mode: rigid",
    "bound: 1, bound_by: flight, solver: daha",
    "daha: {constraint: non_smooth}, solver: daha",
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Looks at the state again and again on the way to one cluster. */
static void watch_run(const char *scene, bool periodic)
{
    play p = play_open(scene, NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    frame_energy first = frame_energy_of(f);
    double energy = first.kinetic, overlap = 0, outside = 0, momentum = 0, scale = sqrt(2 * energy * (double)f->count);
    for (double t = 1; f->clusters > 1 && t < 1e6; t *= 1.5) {
        play_advance(&p, t);
        f = carom_sim_frame(p.sim);
        frame_energy now = frame_energy_of(f);
        ck_assert_msg(now.kinetic <= energy * (1 + 1e-14), "the energy rose from %.17g to %.17g", energy, now.kinetic);
        energy = now.kinetic;
        overlap = fmax(overlap, worst_overlap(f));
        outside = fmax(outside, worst_outside(f));
        for (int k = 0; k < f->dimension; k++) momentum = fmax(momentum, fabs(now.momentum[k] - first.momentum[k]));
        EXPECT_CLOSE("energy and what was lost", now.kinetic + f->tallies.dissipated, first.kinetic,
                     2.2e-15 * first.kinetic);
    }
    ck_assert_uint_eq(f->clusters, 1);
    ck_assert_uint_eq(f->tallies.merge_count, f->count - 1);
    ck_assert_uint_eq(f->tallies.steps.held_back, 0);
    EXPECT_CLOSE("overlap", overlap, 0, 1.0001e-7);
    EXPECT_CLOSE("outside the box", outside, 0, 0);
    if (periodic) EXPECT_CLOSE("change of momentum", momentum, 0, 3.4e-17 * scale);
    play_close(&p);
}

START_TEST(test_all_ways)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int wall = 0; wall < 2; wall++) {
            printf("---- %s, %dD, %s\n", ways[_i], dimension, wall ? "walls" : "periodic");
            watch_run(
                scene_of(dimension, 200, wall ? "wall" : "periodic", ways[_i], wall ? UNEQUAL TO_ONE : EQUAL TO_ONE),
                !wall);
        }
}
END_TEST

/* ---- the bound of displacements ---------------------------------------------------------------------------------- */

/* The longest displacement beyond its flight that a particle gets in a step, in flights of the step. */
static double worst_displacement(const char *steps)
{
    enum { COUNT = 200 };
    const double dt = 0.2;
    double before[COUNT][2], velocity[COUNT][2], worst = 0;
    play p = play_open(scene_of(2, COUNT, "periodic", steps, EQUAL TO_ONE), NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    for (int step = 1; f->clusters > 1 && step < 20000; step++) {
        memcpy(before, f->position, sizeof before);
        memcpy(velocity, f->velocity, sizeof velocity);
        play_advance(&p, (step + 0.5) * dt);
        f = carom_sim_frame(p.sim);
        for (size_t i = 0; i < COUNT; i++) {
            double way = 0, speed = 0;
            for (size_t k = 0; k < 2; k++) {
                double by = f->position[2 * i + k] - before[i][k] - velocity[i][k] * dt;
                by -= f->box[k] * rint(by / f->box[k]);
                way += by * by;
                speed += velocity[i][k] * velocity[i][k];
            }
            worst = fmax(worst, (sqrt(way) - 1e-12) / (sqrt(speed) * dt));
        }
    }
    ck_assert_uint_eq(f->clusters, 1);
    ck_assert_uint_eq(f->tallies.steps.held_back, 0);
    play_close(&p);
    return worst;
}

/* Slow clusters that are hit by quick ones are displaced by many flights where there is no bound. */
START_TEST(test_bound)
{
    static const char *const solvers[] = {"solver: sor", "solver: newton", "solver: daha", "mode: rigid"};
    char bounded[100];
    const double free = worst_displacement("dt: 0.2");
    for (int k = 0; k < 4; k++) {
        snprintf(bounded, sizeof bounded, "dt: 0.2, bound: 1.5, bound_by: flight, %s", solvers[k]);
        const double worst = worst_displacement(bounded);
        printf("%s: at most %g flights; without a bound %g\n", solvers[k], worst, free);
        ck_assert_msg(worst <= 1.5 * (1 + 1e-9), "displaced by %g flights", worst);
        ck_assert_msg(worst > 1, "the bound does not act");
    }
    ck_assert(free > 10);
}
END_TEST

/* The farthest that one of ten light particles, of radius 0.1, gets in a step beyond its flight, in its radius, when each
 * meets a heavy one at another phase of the steps; both fly as far as the light one's radius. */
static double farthest_in_radii(const char *steps)
{
    enum { PAIRS = 10 };
    const double dt = 0.1;
    double worst = 0;
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [40, 40]}\nspecies: {light: {radius: 0.1, mass: 1}, "
        "heavy: {radius: 0.2, mass: 100}}\naggregation: {method: steps, steps: {dt: %g%s}}\n"
        "run: {until: {time: 1}}\nparticles:\n",
        dt, steps);
    for (int k = 0; k < PAIRS; k++)
        play_add(&text,
                 "  - {species: light, place: {at: [[%.17g, %d]]}, velocity: {each: [[-1, 0]]}}\n"
                 "  - {species: heavy, place: {at: [[5, %d]]}, velocity: {each: [[1, 0]]}}\n",
                 5 + 0.3 + 0.35 + 0.2 * (k + 0.25) / PAIRS, 3 * k + 2, 3 * k + 2);
    play p = play_open(text.text, NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    for (int step = 1; step <= 5; step++) {
        double before[PAIRS], velocity[PAIRS];
        for (size_t k = 0; k < PAIRS; k++) before[k] = f->position[4 * k], velocity[k] = f->velocity[4 * k];
        play_advance(&p, (step + 0.5) * dt);
        f = carom_sim_frame(p.sim);
        for (size_t k = 0; k < PAIRS; k++)
            worst = fmax(worst, fabs(f->position[4 * k] - before[k] - velocity[k] * dt) / 0.1);
    }
    ck_assert_uint_eq(f->clusters, PAIRS);
    play_close(&p);
    return worst;
}

/* Particles are bounded by their own radii, rigid clusters by the smallest. */
START_TEST(test_bound_in_radii)
{
    static const char *const modes[] = {", mode: flexible", ", mode: flexible, solver: newton", ", mode: rigid"};
    for (int k = 0; k < 3; k++) {
        char bounded[60];
        snprintf(bounded, sizeof bounded, ", bound: 1%s", modes[k]);
        const double worst = farthest_in_radii(bounded), free = farthest_in_radii(modes[k]);
        printf("%s: at most %g radii; without a bound %g\n", modes[k], worst, free);
        EXPECT_CLOSE("farthest, in radii", worst, 1, 3.4e-16);
        /* overlaps of up to 2 - 0.15 radii, of which the light one has all but a hundredth */
        EXPECT_CLOSE("the same without a bound", free, 1.85 * 100 / 101, 1.1e-10);
    }
}
END_TEST

/* ---- the same bits ----------------------------------------------------------------------------------------------- */

static uint64_t hash_with(const char *scene, int threads, double *seconds)
{
    carom_options options = {.threads = threads};
    play p = play_try(scene, NULL, &options);
    if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    play_run(&p, CAROM_STOP_CLUSTERS);
    uint64_t hash = play_hash(&p);
    json_t *summary = play_summary(&p);
    *seconds = play_number(summary, "cpu_s");
    json_decref(summary);
    play_close(&p);
    return hash;
}

START_TEST(test_threads)
{
    static const char *const modes[] = {"mode: flexible", "mode: rigid", "solver: daha, daha: {evolve: true}"};
    const char *scene = scene_of(2, 15000, "wall", modes[_i], UNEQUAL "run: {until: {clusters: 6000}}\n");
    double seconds;
    uint64_t one = hash_with(scene, 1, &seconds);
    for (int threads = 2; threads <= 3; threads++) {
        uint64_t more = hash_with(scene, threads, &seconds);
        printf("%s: %016llx with one thread, %016llx with %d\n", modes[_i], (unsigned long long)one,
               (unsigned long long)more, threads);
        ck_assert_uint_eq(one, more);
    }
}
END_TEST

/* Stopped at some merge, resumed, and run to the end; and run to the end at once. */
START_TEST(test_resume)
{
    char file[100], checkpoint[120];
    snprintf(file, sizeof file, "steps-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", file);
    const char *scene =
        scene_of(2, 300, _i == 0 ? "periodic" : "wall", _i == 0 ? "solver: daha, daha: {evolve: true}" : "mode: rigid",
                 UNEQUAL "run: {until: {events: 150}}\n");
    carom_options begin = {.output = file, .force = true}, on = {.output = file, .resume = true};
    play whole = play_open(scene, "run.until.events=100000");
    play_run(&whole, CAROM_STOP_CLUSTERS);
    play part = play_try(scene, NULL, &begin);
    REQUIRE(part.created == CAROM_OK);
    play_run(&part, CAROM_STOP_EVENTS);
    play_close(&part);
    play rest = play_try(scene, "run.until.events=100000", &on);
    if (rest.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(rest.sim));
    play_run(&rest, CAROM_STOP_CLUSTERS);
    printf("%016llx at once, %016llx resumed\n", (unsigned long long)play_hash(&whole),
           (unsigned long long)play_hash(&rest));
    ck_assert_uint_eq(play_hash(&whole), play_hash(&rest));
    ck_assert_mem_eq(carom_sim_frame(whole.sim)->tallies.merges, carom_sim_frame(rest.sim)->tallies.merges,
                     299 * sizeof(frame_merge));
    ck_assert_mem_eq(carom_sim_frame(whole.sim)->events, carom_sim_frame(rest.sim)->events,
                     sizeof carom_sim_frame(rest.sim)->events);
    play_close(&whole);
    play_close(&rest);
    remove(file);
    remove(checkpoint);
}
END_TEST

/* ---- physics ----------------------------------------------------------------------------------------------------- */

/* Pairs nearer than 1.05 contact distances, a particle, the mean over seeds. */
static double contacts(const char *steps)
{
    enum { SEEDS = 12, COUNT = 400 };
    double sum = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        char set[40];
        snprintf(set, sizeof set, "seed=%d", seed);
        play p = play_open(scene_of(2, COUNT, "periodic", steps, EQUAL TO_ONE), set);
        play_run(&p, CAROM_STOP_CLUSTERS);
        const carom_frame *f = carom_sim_frame(p.sim);
        for (size_t i = 0; i < f->count; i++)
            for (size_t j = 0; j < i; j++) {
                double x = f->position[2 * i] - f->position[2 * j], y = f->position[2 * i + 1] - f->position[2 * j + 1];
                x -= f->box[0] * rint(x / f->box[0]);
                y -= f->box[1] * rint(y / f->box[1]);
                sum += x * x + y * y <= 0.42 * 0.42;
            }
        play_close(&p);
    }
    return sum / (SEEDS * COUNT);
}

/* A tree has one contact a particle. Flexible clusters bend into more the longer the steps are; rigid ones hardly do. N_c
 * of the paper, with its self term, is (1 + 2 contacts) / 6: 0.5 of a tree, and somewhat more as pairs count that are near
 * and do not touch. What is expected are the means of 36 seeds, bounds are three errors of the mean of twelve. */
START_TEST(test_contacts)
{
    double flexible[2] = {contacts("cfl: 0.1"), contacts("cfl: 1")};
    double rigid[2] = {contacts("mode: rigid, cfl: 0.1"), contacts("mode: rigid, cfl: 1")};
    printf("contacts a particle: flexible %g at cfl 0.1, %g at cfl 1; rigid %g and %g\n", flexible[0], flexible[1],
           rigid[0], rigid[1]);
    printf("N_c with self term: flexible %g and %g\n", (1 + 2 * flexible[0]) / 6, (1 + 2 * flexible[1]) / 6);
    EXPECT_CLOSE("flexible, cfl 1 less 0.1", flexible[1] - flexible[0], 0.0585, 3 * 0.0046);
    EXPECT_CLOSE("rigid, cfl 1 less 0.1", rigid[1] - rigid[0], 0.0074, 3 * 0.0035);
    EXPECT_CLOSE("N_c at cfl 0.1", (1 + 2 * flexible[0]) / 6, 0.5156, 3 * 0.0009);
}
END_TEST

/* Two rigid clusters of two keep their shapes, and go on with the common velocity. */
START_TEST(test_rigid_shape)
{
    const char *scene =
        "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [20, 20]}\n"
        "species: {a: {radius: 0.5, mass: 1}, b: {radius: 0.5, mass: 3}}\n"
        "particles:\n"
        "  - {species: a, place: {at: [[5, 5], [6.4, 5]]}, velocity: {each: [[1, 0], [0.5, 0]]}}\n"
        "  - {species: b, place: {at: [[14, 5.3], [12.6, 5.3]]}, velocity: {each: [[-1, 0], [-0.5, 0]]}}\n"
        "aggregation: {method: steps, steps: {mode: rigid}}\nrun: {until: {clusters: 1}}\n";
    play p = play_open(scene, "run.until.clusters=2");
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    double x = f->position[2] - f->position[0], y = f->position[3] - f->position[1];
    play_close(&p);
    p = play_open(scene, NULL);
    play_run(&p, CAROM_STOP_CLUSTERS);
    f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("x of the shape", f->position[2] - f->position[0], x, 2.7e-15);
    EXPECT_CLOSE("y of the shape", f->position[3] - f->position[1], y, 2.7e-15);
    EXPECT_CLOSE("velocity", f->velocity[0], (1.5 - 3 * 1.5) / 8, 1.7e-16);
    for (int i = 0; i < 4; i++) ck_assert_uint_eq(f->cluster[i], 0);
    play_close(&p);
}
END_TEST

/* ---- no progress, bad input -------------------------------------------------------------------------------------- */

START_TEST(test_no_progress)
{
    static const char *const hopeless[] = {
        "velocity: zero", "velocity: {each: [1, 0.5]}",
        "velocity: {each: [[1, 0], [1, 0], [1, 0], [1, 0], [-1, 0], [-1, 0], [-1, 0], [-1, 0]]}"};
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [8, 8]}\nspecies: {a: {radius: 0.3, mass: 1}}\n"
             "particles:\n  - {species: a, place: {at: [[1, 2], [3, 2], [5, 2], [7, 2], [1, 5], [3, 5], [5, 5], [7, "
             "5]]}, %s}\n"
             "aggregation: {method: steps}\nrun: {until: {clusters: 1}}\n",
             hopeless[_i]);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_NO_PROGRESS);
    printf("%s\n", carom_sim_message(p.sim));
    ck_assert_ptr_nonnull(strstr(carom_sim_message(p.sim), "no progress"));
    play_close(&p);
}
END_TEST

/* Rows that pass each other: both methods wait for 100 mean free paths, to a step. */
START_TEST(test_patience)
{
    static const char *const methods[] = {"aggregation.method=events", "aggregation.method=steps"};
    const char *scene =
        "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [8, 8]}\nspecies: {a: {radius: 0.3, mass: 1}}\n"
        "particles:\n  - {species: a, place: {at: [[1, 2], [5, 2], [1, 5], [5, 5]]},\n"
        "     velocity: {each: [[2, 0], [2, 0], [-2, 0], [-2, 0]]}}\nrun: {until: {clusters: 1}}\n";
    const double path = 2 * 64 / (4 * 2 * 0.6), step = 0.5 * 0.3 / 2;
    for (int k = 0; k < 2; k++) {
        play p = play_open(scene, methods[k]);
        play_run(&p, CAROM_STOP_NO_PROGRESS);
        EXPECT_CLOSE(methods[k], carom_frame_time(carom_sim_frame(p.sim)), 100 * path / 2, k == 0 ? 7e-13 : step);
        play_close(&p);
    }
}
END_TEST

static void expect_refused(const char *scene, const char *why)
{
    play p = play_try(scene, NULL, NULL);
    printf("%s\n", carom_sim_message(p.sim));
    ck_assert_int_eq(p.created, CAROM_BAD_DATA);
    ck_assert_msg(strstr(carom_sim_message(p.sim), why) != NULL, "does not say '%s'", why);
    play_close(&p);
}

/* Refused by the engine's own check, before anything is drawn. */
static void expect_scene_refused(const char *set, const char *other, const char *why)
{
    const char *words = scene_of(2, 100, "wall", "cfl: 0.5", EQUAL TO_ONE);
    carom_scene *s = carom_scene_new();
    REQUIRE(s != NULL && carom_scene_set(s, set) == CAROM_OK);
    if (other != NULL) REQUIRE(carom_scene_set(s, other) == CAROM_OK);
    ck_assert_int_eq(carom_scene_load_text(s, "test.yaml", words, strlen(words)), CAROM_BAD_DATA);
    printf("%s\n", carom_scene_message(s));
    ck_assert_msg(strstr(carom_scene_message(s), why) != NULL, "does not say '%s'", why);
    carom_scene_free(s);
}

START_TEST(test_bad_input)
{
    expect_refused(scene_of(2, 100, "wall", "dt: 1", EQUAL TO_ONE), "at most 0.");
    expect_refused(
        "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [1.5, 9]}\nspecies: {a: {radius: 0.4, mass: 1}}\n"
        "particles: [{species: a, place: {at: [[0.5, 1], [0.5, 3]]}, velocity: {each: [[1, 0], [0, 1]]}}]\n"
        "aggregation: {method: steps}\nrun: {until: {clusters: 1}}\n",
        "too small");
    expect_scene_refused("aggregation.steps.solver=daha", "aggregation.steps.daha.beta=5", "2 alpha2 beta");
    expect_scene_refused("aggregation.steps.bound=0.4", NULL, "at least 0.5");
    expect_scene_refused("aggregation.steps.bound=0.9", "aggregation.steps.dt=0.1", "at least 1");
    expect_scene_refused("aggregation.steps.bound=0.9", "aggregation.steps.bound_by=flight", "at least 1");
    expect_scene_refused("aggregation.steps.bound_by=flight", NULL, "no effect without");
    expect_scene_refused("aggregation.reference=true", NULL, "`method: events` alone");
}
END_TEST

/* Radii from 1 to 1000, and one particle alone. */
START_TEST(test_extremes)
{
    const char *scene = "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [9000, 9000], boundary: wall}\n"
                        "species: {big: {radius: 1000, mass: 1e6}, small: {radius: 1, mass: 1}}\n"
                        "particles:\n  - {species: big, count: 4, place: random, velocity: {maxwell: 1000000}}\n"
                        "  - {species: small, count: 200, place: random, velocity: {maxwell: 1}}\n"
                        "aggregation: {method: steps}\nrun: {until: {clusters: 1}}\n";
    play p = play_open(scene, NULL);
    play_run(&p, CAROM_STOP_CLUSTERS);
    EXPECT_CLOSE("overlap", worst_overlap(carom_sim_frame(p.sim)), 0, 1.0001e-7);
    EXPECT_CLOSE("outside", worst_outside(carom_sim_frame(p.sim)), 0, 0);
    play_close(&p);
    p = play_open(scene_of(2, 1, "wall", "cfl: 0.5", EQUAL TO_ONE), NULL);
    play_run(&p, CAROM_STOP_CLUSTERS);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *runs = tcase_create("runs");
    tcase_add_test(runs, outermost_members_meet_walls);
    tcase_add_loop_test(runs, test_all_ways, 0, WAYS);
    tcase_add_test(runs, test_bound);
    tcase_add_test(runs, test_bound_in_radii);
    tcase_add_loop_test(runs, test_threads, 0, 3);
    tcase_add_loop_test(runs, test_resume, 0, 2);
    tcase_add_test(runs, test_contacts);
    tcase_add_test(runs, test_rigid_shape);
    tcase_add_loop_test(runs, test_no_progress, 0, 3);
    tcase_add_test(runs, test_patience);
    tcase_add_test(runs, test_bad_input);
    tcase_add_test(runs, test_extremes);
    return suite_run("steps", runs);
}
