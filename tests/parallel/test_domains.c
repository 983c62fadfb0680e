/* Detects runs of `hard` on several threads or ranks whose results differ from those on one: states, stop, events, observables;
 * whole, in parts, and continued with another number of threads; and features that such runs must refuse. */
#include "../support/lone_ranks.h"
#include "../support/random_domains.h"
#include "../support/suite.h"

#include <math.h>
#include <unistd.h>

enum { QUICK = 30, ALL = 230, RANKS_QUICK = 10, RANKS_ALL = 130, EVENTS_MOST = 3000, PARTS = 4 };

#define GAS                                                                                                            \
    "carom: 1\nengine: hard\nseed: 3\nbox: {size: 10, boundary: %s}\n"                                                 \
    "species: {a: {diameter: 1, mass: 1}}\nparticles: [{species: a, count: 40, place: random, velocity: {maxwell: "    \
    "1}}]\n"                                                                                                           \
    "run: {until: {time: 1}}\n"

static const int numbers_of_threads[] = {2, 3, 5, 8};
static play_text text;

/* A run without further events ends at the time of a test for that, which depends on the search for neighbours. */
static json_t *results_at_rest(const json_t *o)
{
    static const char *const kept[] = {"stop", "state_hash"};
    json_t *rest = json_object();
    for (size_t n = 0; n < sizeof kept / sizeof *kept; n++) json_object_set(rest, kept[n], json_object_get(o, kept[n]));
    json_object_set(rest, "events", json_object_get(o, "events"));
    return rest;
}

/* The summary, less durations and counts that depend on the number of threads. */
static json_t *results(play *p)
{
    static const char *const dropped[] = {"setup_s",        "cpu_s",   "wall_s",  "events_per_s",
                                          "peak_rss_bytes", "threads", "domains", "ranks"};
    json_t *o = play_summary(p);
    for (size_t n = 0; n < sizeof dropped / sizeof *dropped; n++) json_object_del(o, dropped[n]);
    json_object_del(json_object_get(o, "events"), "transfer"); /* depends on how neighbours are found */
    if (strcmp(json_string_value(json_object_get(o, "stop")), "no_events") != 0) return o;
    json_t *rest = results_at_rest(o);
    json_decref(o);
    return rest;
}

static void require_equal(const json_t *one, play *p, const char *what, int threads)
{
    json_t *other = results(p);
    if (!json_equal(one, other)) {
        char *a = json_dumps(one, JSON_INDENT(1)), *b = json_dumps(other, JSON_INDENT(1));
        size_t n = 0;
        while (a[n] != '\0' && a[n] == b[n]) n++;
        const size_t from = n < 60 ? 0 : n - 60;
        ck_abort_msg("%s on %d threads:\n%.160s\n-- on 1 thread:\n%.160s\n%s", what, threads, b + from, a + from,
                     text.text);
    }
    json_decref(other);
}

static void require_same_frame(play *p, play *other, const char *what, int threads)
{
    if (play_hash(p) != play_hash(other))
        ck_abort_msg("%s: other states on %d threads at t = %.17g, %.17g\n%s", what, threads, carom_sim_time(p->sim),
                     carom_sim_time(other->sim), text.text);
}

static play open_on(int threads)
{
    const carom_options options = {.threads = threads};
    play p = play_try(text.text, NULL, &options);
    if (p.created != CAROM_OK) ck_abort_msg("%s\n%s", carom_sim_message(p.sim), text.text);
    return p;
}

/* Saves a simulation, and continues with another number of threads. */
static void change_threads(play *p, int threads)
{
    char path[80];
    const carom_options options = {.threads = threads};
    snprintf(path, sizeof path, "test_domains_%d.save", (int)getpid());
    ck_assert_int_eq(carom_sim_save(p->sim, path), CAROM_OK);
    carom_sim_free(p->sim);
    const carom_status status = carom_sim_load(&p->sim, p->scene, path, &options);
    if (status != CAROM_OK) ck_abort_msg("%s\n%s", carom_sim_message(p->sim), text.text);
    remove(path);
}

static void compare(uint64_t number, bool widest)
{
    dice d = {number};
    const domains_scene s = random_domains_write(&text, number, widest, EVENTS_MOST);
    const int threads = numbers_of_threads[dice_below(&d, 4)], later = numbers_of_threads[dice_below(&d, 4)];
    const bool back = dice_below(&d, 3) == 0;
    play serial = open_on(1), whole = open_on(threads), parts = open_on(threads);
    for (int k = 1; k < PARTS && carom_sim_stop(serial.sim) == CAROM_STOP_NONE; k++) {
        const double time = s.time * (k * k) / (PARTS * PARTS);
        const carom_status status = carom_sim_advance(serial.sim, time);
        ck_assert_int_eq(carom_sim_advance(parts.sim, time), status);
        require_same_frame(&serial, &parts, "in parts", threads);
        if (k == 2) change_threads(&parts, back ? 1 : later);
    }
    const carom_status status = carom_sim_run(serial.sim);
    ck_assert_int_eq(carom_sim_run(whole.sim), status);
    ck_assert_int_eq(carom_sim_run(parts.sim), status);
    json_t *one = results(&serial);
    require_equal(one, &whole, "whole", threads);
    require_equal(one, &parts, "in parts", back ? 1 : later);
    require_same_frame(&serial, &whole, "whole", threads);
    json_decref(one);
    play_close(&serial);
    play_close(&whole);
    play_close(&parts);
}

START_TEST(several_threads_give_the_bits_of_one)
{
    compare((uint64_t)_i, _i >= 40);
}
END_TEST

/* Detects bodies of a sorted state, as one thread saves it, with the links of others. */
START_TEST(a_state_of_one_thread_continues_on_domains)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 3\nbox: {packing_fraction: 0.2, boundary: periodic}\n"
                    "species: {a: {diameter: 1, mass: 1}}\n"
                    "potentials: [{between: [a, a], square_well: {range: 1.5, depth: 1}}]\n"
                    "particles: [{species: a, count: 2400, place: fcc, velocity: {maxwell: 1}}]\n"
                    "run: {until: {time: 0.6}}\n");
    play serial = open_on(1), parts = open_on(1);
    ck_assert_int_eq(carom_sim_advance(serial.sim, 0.3), CAROM_OK);
    ck_assert_int_eq(carom_sim_advance(parts.sim, 0.3), CAROM_OK);
    change_threads(&parts, 2 + _i);
    ck_assert_int_eq(carom_sim_run(serial.sim), CAROM_OK);
    ck_assert_int_eq(carom_sim_run(parts.sim), CAROM_OK);
    require_same_frame(&serial, &parts, "a sorted state", 2 + _i);
    play_close(&serial);
    play_close(&parts);
}
END_TEST

/* Detects a state that is saved, or looked at, between the event that completes a stage and its re-basing. */
START_TEST(limits_at_a_rebasing)
{
    enum { BODIES = 100, STAGE = 16 * BODIES };
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\nseed: 3\nbox: {packing_fraction: 0.3, boundary: periodic}\n"
             "species: {a: {diameter: 1, mass: 1}}\n"
             "particles: [{species: a, count: %d, place: fcc, velocity: {maxwell: 1}}]\n"
             "run: {until: {collisions: %d}}\n",
             BODIES, 3 * STAGE);
    play serial = open_on(1), parts = open_on(2 + _i);
    for (int n = 1; n <= 2; n++) {
        carom_limits limits;
        ck_assert_int_eq(carom_scene_limits(serial.scene, &limits), CAROM_OK);
        limits.collisions = (uint64_t)n * STAGE;
        ck_assert_int_eq(carom_sim_run_to(serial.sim, &limits), CAROM_OK);
        ck_assert_int_eq(carom_sim_run_to(parts.sim, &limits), CAROM_OK);
        ck_assert_uint_eq(carom_sim_frame(serial.sim)->events[EVENT_REBASE], (uint64_t)n);
        require_same_frame(&serial, &parts, "at a re-basing", 2 + _i);
        change_threads(&parts, n == 1 ? 1 : 3);
    }
    ck_assert_int_eq(carom_sim_run(serial.sim), CAROM_OK);
    ck_assert_int_eq(carom_sim_run(parts.sim), CAROM_OK);
    require_same_frame(&serial, &parts, "after re-basings", 2 + _i);
    play_close(&serial);
    play_close(&parts);
}
END_TEST

/* ---- ranks ------------------------------------------------------------------------------------------------------- */

/* expected: in the middle, and at the end. */
static void lead_in_two_parts(lone_engine *own, int domains, const void *expected)
{
    for (int k = 0; k < 2; k++) {
        lone_advance(own, k == 0 ? 0.5 : 1);
        if (!lone_same((const lone_engine *)expected + k, own))
            ck_abort_msg("other results in %d domains\n%s", domains, text.text);
    }
}

START_TEST(several_ranks_give_the_bits_of_one)
{
    enum { MOST_RANKS = 5 };
    dice d = {(uint64_t)_i + 1000};
    random_domains_write(&text, (uint64_t)_i, _i >= 40, EVENTS_MOST);
    const int ranks = 2 + (int)dice_below(&d, MOST_RANKS - 1), threads = ranks < 4 ? 1 + (int)dice_below(&d, 2) : 1;
    play serial = play_try(text.text, "hard.precision=double", NULL); /* the only one that has ranks */
    lone_engine alone[2] = {{.self = NULL}, {.self = NULL}};
    for (int k = 0; k < 2; k++) {
        lone_create(&alone[k], serial.scene, NULL, NULL);
        lone_advance(&alone[k], 0.5);
    }
    lone_advance(&alone[1], 1);
    lone_ranks_run(ranks, (uint64_t)_i, (lone_ranks){serial.scene, threads, lead_in_two_parts, alone});
    lone_destroy(&alone[0]);
    lone_destroy(&alone[1]);
    play_close(&serial);
}
END_TEST

/* Detects ranks that continue a loaded state with the clock of the state before: they disagree on the end of the first window,
 * which is that of the call. */
enum { LOADED_STEPS = 3 };

typedef struct loaded_run {
    const snapshot *saved;
    const lone_engine *expected; /* after each step */
} loaded_run;

static double loaded_part(int step)
{
    return 0.5 + 1e-6 * (step + 1) * (step + 1);
}

static void lead_from_a_state(lone_engine *own, int domains, const void *context)
{
    const loaded_run *run = context;
    if (own->kernel->load(own->self, run->saved, &own->e) != CAROM_OK) ck_abort_msg("%s", error_text(&own->e));
    for (int k = 0; k < LOADED_STEPS; k++) {
        lone_advance(own, loaded_part(k));
        if (!lone_same(&run->expected[k], own)) ck_abort_msg("step %d: other results in %d domains", k, domains);
    }
}

START_TEST(ranks_continue_a_loaded_state)
{
    lone_engine alone[LOADED_STEPS] = {{.self = NULL}};
    snapshot saved = {.arrays = NULL};
    text.length = 0;
    play_add(&text, GAS, "periodic");
    play p = play_try(text.text, "run.until.time=400", NULL);
    for (int k = 0; k < LOADED_STEPS; k++) {
        lone_create(&alone[k], p.scene, NULL, NULL);
        lone_advance(&alone[k], 0.5);
        if (k == 0) ck_assert_int_eq(alone[0].kernel->save(alone[0].self, &saved, &alone[0].e), CAROM_OK);
        for (int m = 0; m <= k; m++) lone_advance(&alone[k], loaded_part(m));
    }
    ck_assert_uint_gt(alone[0].frame.events[EVENT_REBASE], 0);
    const loaded_run run = {&saved, alone};
    lone_ranks_run(2 + _i, (uint64_t)_i, (lone_ranks){p.scene, 1, lead_from_a_state, &run});
    for (int k = 0; k < LOADED_STEPS; k++) lone_destroy(&alone[k]);
    snapshot_free(&saved);
    play_close(&p);
}
END_TEST

/* Light bodies of three diameters, which have bounds of contact times for all their neighbours, fly through the domains. */
START_TEST(large_bodies_cross_domains)
{
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\nseed: %d\nbox: {size: [64, 9, 9], boundary: periodic}\n"
             "species: {a: {diameter: 1, mass: 1}, b: {diameter: 3, mass: 0.3}}\n"
             "particles: [{species: {a: 60, b: 1}, count: 1220, place: random, velocity: {maxwell: 1}}]\n"
             "run: {until: {time: 6}}\n",
             _i);
    play serial = open_on(1), several = open_on(2 + _i);
    for (int k = 1; k <= 3; k++) {
        ck_assert_int_eq(carom_sim_advance(serial.sim, 2 * k), CAROM_OK);
        ck_assert_int_eq(carom_sim_advance(several.sim, 2 * k), CAROM_OK);
        require_same_frame(&serial, &several, "large bodies", 2 + _i);
    }
    play_close(&serial);
    play_close(&several);
}
END_TEST

/* ---- given scenes ------------------------------------------------------------------------------------------------ */

/* Whole runs of the present scene: the same end, with the same message. */
static void require_same_run(const char *what, int threads)
{
    play serial = open_on(1), several = open_on(threads);
    const carom_status status = carom_sim_run(serial.sim);
    ck_assert_int_eq(carom_sim_run(several.sim), status);
    ck_assert_str_eq(carom_sim_message(several.sim), carom_sim_message(serial.sim));
    json_t *one = results(&serial);
    require_equal(one, &several, what, threads);
    require_same_frame(&serial, &several, what, threads);
    json_decref(one);
    play_close(&serial);
    play_close(&several);
}

/* Equal distances and speeds: all bodies collide at the same times. The coordinate of a cut is that of a body. */
START_TEST(few_bodies_at_equal_times)
{
    static const struct {
        int bodies, threads, collisions; /* the last: a limit within the collisions of one time */
    } cases[] = {{1, 2, 99},  {1, 8, 99},   {2, 2, 99},   {3, 3, 99}, {2, 5, 99}, {5, 8, 99},
                 {8, 8, 999}, {12, 3, 999}, {12, 5, 999}, {8, 3, 7},  {12, 5, 9}, {12, 2, 101}};
    const int bodies = cases[_i].bodies;
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nbox: {size: [24, 4, 4], boundary: [wall, periodic, periodic]}\n"
                    "species: {a: {diameter: 1, mass: 1}}\nparticles:\n  - species: a\n    place: {at: [");
    for (int n = 0; n < bodies; n++) play_add(&text, "%s[%.17g, 2, 2]", n > 0 ? ", " : "", 24.0 * (n + 0.5) / bodies);
    play_add(&text, "]}\n    velocity: {each: [");
    for (int n = 0; n < bodies; n++) play_add(&text, "%s[%d, 0, 0]", n > 0 ? ", " : "", n % 2 ? -1 : 1);
    play_add(&text,
             "]}\nobserve: [{what: energy, every: 1}, {what: momentum, every: 1}]\nrun: {until: {time: 300, "
             "collisions: %d}}\n",
             cases[_i].collisions);
    require_same_run("few bodies", cases[_i].threads);
}
enum { FEW_CASES = 12 };
END_TEST

/* Diameters from 0.1 to 10, their numbers a power law. The six largest are heavy, move along the longest side, and pass at
 * least one cut each: the distances between them are less than their displacement. */
static void write_sizes(int number)
{
    enum { SIZES = 9, LARGEST = 6 };
    double diameter = 10, count = LARGEST;
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: %d\nbox: {size: [120, 24, 24], boundary: periodic}\nspecies:\n",
             number);
    for (int k = 0; k < SIZES; k++, diameter /= pow(100, 1.0 / (SIZES - 1)))
        play_add(&text, "  s%d: {diameter: %.9g, mass: %g}\n", k, diameter, k == 0 ? 100.0 : 1.0);
    play_add(&text, "particles:\n  - {species: s0, place: {at: [");
    for (int n = 0; n < LARGEST; n++) play_add(&text, "%s[%d, 12, 12]", n > 0 ? ", " : "", 20 * n + 3);
    play_add(&text, "]}, velocity: {each: [4, 0, 0]}}\n");
    for (int k = 1; k < SIZES; k++) {
        count *= pow(100, 1.0 / (SIZES - 1));
        play_add(&text, "  - {species: s%d, count: %d, place: random, velocity: {maxwell: 1}}\n", k, (int)count);
    }
    play_add(&text, "run: {until: {time: 7}}\n");
}

static double least_displacement(const play *p, uint32_t count)
{
    const carom_frame *f = carom_sim_frame(p->sim);
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) least = fmin(least, fabs(frame_unwrapped(f, i, 0) - (20.0 * i + 3)));
    return least;
}

START_TEST(sizes_of_a_power_law_cross_domains)
{
    static const int threads[] = {2, 3, 5};
    write_sizes(_i);
    play serial = open_on(1), several = open_on(threads[_i]);
    for (int k = 1; k <= 4; k++) {
        ck_assert_int_eq(carom_sim_advance(serial.sim, 7 * k / 4.0), CAROM_OK);
        ck_assert_int_eq(carom_sim_advance(several.sim, 7 * k / 4.0), CAROM_OK);
        require_same_frame(&serial, &several, "sizes 1:100", threads[_i]);
    }
    ck_assert_double_gt(least_displacement(&serial, 6), 20);
    json_t *one = results(&serial);
    require_equal(one, &several, "sizes 1:100", threads[_i]);
    json_decref(one);
    play_close(&serial);
    play_close(&several);
}
END_TEST

/* A gas that its walls cool until the time is beyond numbers, after some 16,000 events. */
#define COOLED_BEYOND_NUMBERS                                                                                          \
    "box: {size: 10, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"                                          \
    "particles: [{species: a, count: 12, place: random, velocity: {maxwell: 1}}]\n"                                    \
    "contacts: [{between: [a, a], restitution: 0.9}, {between: [a, wall], restitution: 0.2}]\n"                        \
    "run: {until: {events: 100000}}\n"

/* Detects limits other than time that depend on the domains, and runs to times that are no numbers. */
START_TEST(runs_without_a_limit_of_time)
{
    static const char *const scenes[] = {
        /* a gas, to a number of collisions; to a number of events */
        "box: {size: 10, boundary: periodic}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles: [{species: a, count: "
        "80, "
        "place: random, velocity: {maxwell: 1}}]\nrun: {until: {collisions: 2345}}\n",
        "box: {size: 10, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles: [{species: a, count: 80, "
        "place: random, velocity: {maxwell: 1}}]\nrun: {until: {events: 2345}}\n",
        /* a gas that disperses; bodies at rest */
        "box: {size: 10, boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles: [{species: a, count: 80, "
        "place: random, velocity: {maxwell: 1}}]\nrun: {until: {collisions: 100000}}\n",
        "box: {size: 10, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles: [{species: a, count: 80, "
        "place: random, velocity: zero}]\nrun: {until: {collisions: 10}}\n",
        /* a gas that walls cool by more than 2^32 in velocity, so that it is rescaled */
        "box: {size: 10, boundary: wall}\nspecies: {a: {diameter: 0.5, mass: 1}}\nparticles: [{species: a, count: 40, "
        "place: random, velocity: {maxwell: 1}}]\ncontacts: [{between: [a, a], restitution: 0.9}, {between: [a, wall], "
        "restitution: 0.2}]\nrun: {until: {events: 4000}}\n",
        COOLED_BEYOND_NUMBERS};
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 3\n%s", scenes[_i]);
    for (int threads = 2; threads <= 3; threads++) require_same_run("without a limit of time", threads);
}
enum { ENDLESS_CASES = 6 };
END_TEST

/* Detects states after the last event that cannot be loaded, and changes that move the bodies to the time that the search for a
 * further event has reached. */
START_TEST(states_after_the_last_event)
{
    enum { COUNT = 80, NUMBERS = 3 * COUNT };
    static double places[NUMBERS], velocities[NUMBERS];
    const int threads = 1 + _i % 2;
    const bool at_rest = _i >= 2;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\nseed: 3\nbox: {size: 10, boundary: %s}\nspecies: {a: {diameter: 1, mass: 1}}\n"
             "particles: [{species: a, count: %d, place: random, velocity: %s}]\nrun: {until: {collisions: 100000}}\n",
             at_rest ? "periodic" : "open", COUNT, at_rest ? "zero" : "{maxwell: 1}");
    play p = open_on(threads);
    play_run(&p, CAROM_STOP_NO_EVENTS);
    const uint64_t hash = play_hash(&p);
    change_threads(&p, 3 - threads);
    ck_assert_uint_eq(play_hash(&p), hash);
    const carom_frame *f = carom_sim_frame(p.sim);
    memcpy(places, carom_frame_positions(f), sizeof places);
    memcpy(velocities, carom_frame_velocities(f), sizeof velocities);
    ck_assert_int_eq(carom_sim_set_velocities(p.sim, COUNT, NULL, velocities), CAROM_OK);
    const double *now = carom_frame_positions(carom_sim_frame(p.sim));
    for (int k = 0; k < NUMBERS; k++) ck_assert_double_eq_tol(now[k], places[k], 1e-12 * (1 + fabs(places[k])));
    play_close(&p);
}
END_TEST

START_TEST(times_beyond_numbers_end_a_run)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 3\n%s", COOLED_BEYOND_NUMBERS);
    play p = open_on(1);
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_DYNAMICS);
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_NO_PROGRESS);
    ck_assert_msg(strstr(carom_sim_message(p.sim), "exceeds the range of numbers") != NULL, "%s",
                  carom_sim_message(p.sim));
    play_close(&p);
}
END_TEST

/* ---- windows ------------------------------------------------------------------------------------------------------ */

/* Detects halos of the size of the bodies in a gas whose bodies are small beside their gaps: windows without events. */
START_TEST(windows_of_a_dilute_gas_are_not_short)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: 2\nseed: 3\nbox: {size: 4, boundary: wall}\n"
                    "species: {a: {diameter: 1e-6, mass: 1}}\n"
                    "particles: [{species: a, count: 50, place: random, velocity: {maxwell: 1}}]\n"
                    "run: {until: {events: 500}}\n");
    const engine_workers workers = {.threads = 2};
    play p = play_open(text.text, NULL);
    lone_engine own = {.self = NULL};
    engine_domains cost;
    lone_create(&own, p.scene, NULL, &workers);
    lone_advance(&own, 1);
    ck_assert_int_eq(own.stop, CAROM_STOP_EVENTS);
    ck_assert(own.kernel->domains(own.self, &cost));
    printf("%llu windows of 500 events\n", (unsigned long long)cost.windows);
    ck_assert_uint_le(cost.windows, 6 * 500);
    lone_destroy(&own);
    play_close(&p);
}
END_TEST

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

typedef struct refusal {
    const char *key, *named;
} refusal;

static const refusal refusals[] = {
    {"hard={collapse: {policy: sleep, speed: 0.01}}", "`sleep`"},
    {"species.a={semi_axes: [0.6, 0.4, 0.4], mass: 1}", "not spheres"},
    {"hard.shear.rate=0.1", "hard.shear"},
    {"hard.compression.rate=0.01", "hard.compression"},
    {"hard.reference=true", "hard.reference"},
    {"hard.detection=naive", "hard.detection"},
};
enum { REFUSALS = sizeof refusals / sizeof *refusals };

START_TEST(what_domains_cannot_execute_is_refused)
{
    const refusal *r = &refusals[_i];
    text.length = 0;
    play_add(&text, GAS, strstr(r->key, "shear") != NULL ? "periodic" : "wall");
    if (strstr(r->key, "sleep") != NULL) play_add(&text, "fields: {gravity: [0, 0, -1]}\n");
    play alone = play_try(text.text, r->key, NULL),
         several = play_try(text.text, r->key, &(carom_options){.threads = 2});
    ck_assert_msg(alone.created == CAROM_OK, "%s", carom_sim_message(alone.sim));
    ck_assert_int_eq(several.created, CAROM_USAGE);
    ck_assert_msg(strstr(carom_sim_message(several.sim), r->named) != NULL, "%s", carom_sim_message(several.sim));
    ck_assert_msg(strstr(carom_sim_message(several.sim), "--threads") != NULL, "%s", carom_sim_message(several.sim));
    play_close(&alone);
    play_close(&several);
}
END_TEST

/* A refused recording leaves the run as it is. */
START_TEST(a_recording_is_refused)
{
    static carom_event events[10];
    const carom_record_options options = {.buffer = events, .capacity = 10};
    carom_recording *recording = NULL;
    text.length = 0;
    play_add(&text, GAS, "periodic");
    play p = play_try(text.text, NULL, &(carom_options){.threads = 2});
    ck_assert_int_eq(p.created, CAROM_OK);
    ck_assert_int_eq(carom_sim_record(p.sim, &options, &recording), CAROM_USAGE);
    ck_assert_ptr_null(recording);
    ck_assert_msg(strstr(carom_sim_message(p.sim), "recorded") != NULL, "%s", carom_sim_message(p.sim));
    play_run(&p, CAROM_STOP_TIME);
    play_close(&p);
}
END_TEST

static void change_rank(transport *t, void *context)
{
    static const double still[3];
    const uint32_t first = 0;
    (void)context;
    if (transport_rank(t) > 0) return;
    play p = play_try(text.text, NULL, NULL);
    transport *const alone = p.sim->workers.transport;
    p.sim->workers.transport = t;
    ck_assert_int_eq(carom_sim_set_velocities(p.sim, 1, &first, still), CAROM_USAGE);
    ck_assert_msg(strstr(carom_sim_message(p.sim), "several ranks") != NULL, "%s", carom_sim_message(p.sim));
    ck_assert_int_eq(carom_sim_change(p.sim, "fields.gravity=[0, 0, -1]"), CAROM_USAGE);
    ck_assert_msg(strstr(carom_sim_message(p.sim), "several ranks") != NULL, "%s", carom_sim_message(p.sim));
    ck_assert_int_eq(carom_sim_observe(p.sim, "{what: impact_separation, every: 0.1}"), CAROM_USAGE);
    ck_assert_msg(strstr(carom_sim_message(p.sim), "several ranks") != NULL, "%s", carom_sim_message(p.sim));
    p.sim->workers.transport = alone;
    play_run(&p, CAROM_STOP_TIME);
    play_close(&p);
}

/* The other ranks would not have them: changes of the state, and tallies of an observable that is added. */
START_TEST(changes_on_one_of_several_ranks_are_refused)
{
    text.length = 0;
    play_add(&text, GAS, "periodic");
    ck_assert_int_eq(fake_run(2, 1, change_rank, NULL, 0, NULL), 2);
}
END_TEST

int main(int argc, char **argv)
{
    uint64_t first = 0, count = 0;
    suite_scenes(argc, argv, &first, &count);
    TCase *c = tcase_create("domains"), *given = tcase_create("given"), *more = suite_ci_case(),
          *rest = suite_long_case();
    if (count > 0) {
        tcase_add_loop_test(c, several_threads_give_the_bits_of_one, (int)first, (int)(first + count));
        tcase_add_loop_test(c, several_ranks_give_the_bits_of_one, (int)first, (int)(first + count));
        return suite_run("test_domains", c);
    }
    tcase_add_loop_test(c, several_threads_give_the_bits_of_one, 0, QUICK / 2);
    tcase_add_loop_test(more, several_threads_give_the_bits_of_one, QUICK / 2, QUICK);
    tcase_add_loop_test(rest, several_threads_give_the_bits_of_one, QUICK, ALL);
    suite_split_loop(c, rest, several_ranks_give_the_bits_of_one, RANKS_QUICK, RANKS_ALL);
    tcase_add_loop_test(given, ranks_continue_a_loaded_state, 0, 3);
    tcase_add_loop_test(given, limits_at_a_rebasing, 0, 2);
    tcase_add_loop_test(given, a_state_of_one_thread_continues_on_domains, 0, 2);
    tcase_add_loop_test(given, large_bodies_cross_domains, 0, 3);
    suite_split_loop(given, more, few_bodies_at_equal_times, 4, FEW_CASES);
    tcase_add_loop_test(given, sizes_of_a_power_law_cross_domains, 0, 3);
    suite_split_loop(given, more, runs_without_a_limit_of_time, 2, ENDLESS_CASES);
    tcase_add_loop_test(given, states_after_the_last_event, 0, 4);
    tcase_add_test(given, times_beyond_numbers_end_a_run);
    tcase_add_loop_test(given, what_domains_cannot_execute_is_refused, 0, REFUSALS);
    tcase_add_test(given, a_recording_is_refused);
    tcase_add_test(given, changes_on_one_of_several_ranks_are_refused);
    tcase_add_test(given, windows_of_a_dilute_gas_are_not_short);
    tcase_set_timeout(c, 60);
    tcase_set_timeout(given, 60);
    return suite_run("test_domains", c, given, more, rest);
}
