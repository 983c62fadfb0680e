/* Detects runs with `run.until.rest` that end at another check than the first at which the system is at rest, that depend on
 * halts, threads or resuming, or that count what is held or absent. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include <unistd.h>

/* The end of a run is a check: a multiple of the interval, to the bit. */
static void expect_check(play *p, double every, int number)
{
    printf("ends at %.17g, expected check %d of %g\n", carom_sim_time(p->sim), number, every);
    ck_assert_double_eq(carom_sim_time(p->sim), number * every);
}

/* ---- exact motions ------------------------------------------------------------------------------------------------- */

/* A ball thrown up at 3: its speed at t is |3 - t|. */
#define THROWN(engine, x, more)                                                                                        \
    "carom: 1\nengine: " engine "\ndimension: 2\nbox: {size: [20, 40], boundary: open}\n"                              \
    "species: {a: {diameter: 1, mass: 1}}\n"                                                                           \
    "particles: [{species: a, place: {at: " x "}, velocity: {each: [0, 3]}}]\n"                                        \
    "planes: [{name: floor, point: [0, 0], normal: [0, 1]}]\nfields: {gravity: [0, -1]}\n" more

static const char *const engines[] = {
    THROWN("hard", "[[5, 1]]", "run: {until: {time: 5.5}}\n"),
    THROWN("variational", "[[5, 1]]", "variational: {step: 1e-3}\nrun: {until: {time: 5.5}}\n"),
};

START_TEST(about_the_top)
{
    static const struct {
        const char *rest;
        int number; /* of the check at which the run ends; 0: at its time */
        double every;
    } cases[] = {
        {"run.until.rest={slower: 0.25, every: 0.1}", 28, 0.1},
        {"run.until.rest={slower: 0.25, for: 0.3, every: 0.1}", 31, 0.1},
        {"run.until.rest={slower: 0.25, for: 0.31, every: 0.1}", 32, 0.1},
        {"run.until.rest={slower: 0.25, for: 0.41, every: 0.1}", 0, 0},
        {"run.until.rest={slower: 0.02, every: 0.75}", 4, 0.75},
        {"run.until.rest={slower: 0.02, every: 0.7}", 0, 0},
        {"run.until.rest={slower: 9, every: 0.7, for: 1.4}", 3, 0.7}, /* not at the start */
        {"run.until.rest={slower: 0.25, every: 0.1, particles: 1}", 28, 0.1},
        {"run.until={time: 12, rest: {slower: 0.25, for: 0.41, every: 0.1}}", 0, 0}, /* nor two tops together */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        play p = play_open(engines[_i], cases[k].rest);
        play_run(&p, cases[k].number > 0 ? CAROM_STOP_REST : CAROM_STOP_TIME);
        if (cases[k].number > 0)
            expect_check(&p, cases[k].every, cases[k].number);
        else
            ck_assert_double_ge(carom_sim_time(p.sim), 5.5);
        play_close(&p);
    }
}
END_TEST

/* A ball without rotation slides on a plane: its speed at t is 2 - t / 2. The contact carries its weight by kicks, so that
 * the speed differs by those of a few steps. */
static const char *const SLIDES =
    "carom: 1\nengine: variational\nbox: {size: [20, 20, 20], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, place: {at: [[5, 5, 0.5]]}, velocity: {each: [2, 0, 0]}}]\n"
    "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
    "contacts: [{between: [a, floor], restitution: 0, friction: 0.5}]\nfields: {gravity: [0, 0, -1]}\n"
    "variational: {courant: 0.05}\nrun: {until: {time: 6}}\n";

START_TEST(slides_to_rest)
{
    static const double limits[] = {1.33, 0.71, 0.33, 0.06};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        char rest[100];
        snprintf(rest, sizeof rest, "run.until.rest={slower: %g, every: 0.1}", limits[k]);
        play p = play_open(SLIDES, rest);
        play_run(&p, CAROM_STOP_REST);
        expect_check(&p, 0.1, (int)ceil((2 - limits[k]) / 0.5 / 0.1));
        play_close(&p);
    }
    play p = play_open(SLIDES, "run.until.rest={slower: 1e-3, for: 0.5, every: 0.1}");
    play_run(&p, CAROM_STOP_REST);
    EXPECT_CLOSE("rest since", carom_sim_time(p.sim) - 0.5, 4, 0.1 + 1e-9); /* v / (mu g), at the next check */
    play_close(&p);
}
END_TEST

/* Two pairs merge, at times 1 and 2, into clusters of speeds 0.05 and 0.025. */
static const char *const PAIRS =
    "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [40, 40], boundary: periodic}\n"
    "species: {a: {diameter: 1, mass: 1}}\nparticles: [{species: a, place: {at: [[2, 5], [4.9, 5], [2, 25], [6.9, "
    "25]]},\n"
    "  velocity: {each: [[1, 0], [-0.9, 0], [1, 0], [-0.95, 0]]}}]\n"
    "run: {until: {time: 30, rest: {slower: 0.051, every: 0.3, for: 0.6}}}\n";

START_TEST(clusters_become_slow)
{
    play p = play_open(PAIRS, NULL);
    play_run(&p, CAROM_STOP_REST);
    expect_check(&p, 0.3, 9); /* 2.1, the first after 2, and 0.6 */
    play_close(&p);
}
END_TEST

/* ---- what counts --------------------------------------------------------------------------------------------------- */

/* A driven ball moves all the time; another one, driven from the moment on at which all are slow, is free until then and
 * counts. The sheet is thrown up at 0.5, the rigid plate is at rest. */
static const char *const HELD =
    "carom: 1\nengine: variational\nbox: {size: [40, 40, 40], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, place: {at: [[5, 5, 5], [15, 5, 5]]}, velocity: {each: [[0, 0, 0], [0, 0, 0.8]]}}]\n"
    "meshes:\n"
    "  - {name: sheet, shape: {rectangle: {length: 1, width: 1, along: 1, across: 1}}, place: {at: [10, 20, 9]},\n"
    "     thickness: 0.1, density: 10, stretch: 50, bend: 0.05, velocity: [0, 0, 0.5]}\n"
    "  - {name: plate, shape: {rectangle: {length: 1, width: 1, along: 1, across: 1}}, place: {at: [20, 20, 20]},\n"
    "     thickness: 0.1, rigid: true}\n"
    "drives:\n"
    "  - {name: always, particles: [0], motion: [{velocity: [3, 0, 0]}]}\n"
    "  - {name: plate, mesh: plate, motion: [{velocity: [0, 2, 0]}]}\n"
    "  - {name: later, particles: [1], motion: [{velocity: [2, 0, 0]}],\n"
    "     start: {free: true, when: {slower: 0.35, every: 0.1}}}\n"
    "fields: {gravity: [0, 0, -1]}\nrun: {until: {time: 3}}\n";

START_TEST(held_bodies_do_not_count)
{
    play p = play_open(HELD, "run.until.rest={slower: 0.35, every: 0.01}");
    play_run(&p, CAROM_STOP_REST); /* sheet: from 0.15 on; the ball: from 0.45 on */
    expect_check(&p, 0.01, 46);
    play_close(&p);
    p = play_open(HELD, "run.until.rest={slower: 0.35, for: 0.29, every: 0.01}");
    play_run(&p, CAROM_STOP_REST); /* the ball is held from 0.5 on and fast, the sheet slow up to 0.85 */
    expect_check(&p, 0.01, 75);
    play_close(&p);
    p = play_open(HELD, "run.until.rest={slower: 0.35, for: 0.4, every: 0.01}");
    play_run(&p, CAROM_STOP_TIME);
    play_close(&p);
}
END_TEST

/* Particles enter at 1, 2, 3, 4, slowly and without gravity. */
#define ENTERING(engine)                                                                                               \
    "carom: 1\nengine: " engine "\nbox: {size: [9, 9, 9], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"     \
    "particles: [{species: a, count: 4, velocity: {each: [0, 0, 0.05]}, place: {inflow: {region: {box: {from: [0, 0, " \
    "0],\n"                                                                                                            \
    "  to: [9, 9, 9]}}, rate: 1, start: 1}}}]\nrun: {until: {time: 9}}\n"

START_TEST(waits_for_particles)
{
    static const char *const texts[] = {ENTERING("hard"), ENTERING("variational")};
    play p = play_open(texts[_i], "run.until.rest={slower: 0.1, every: 0.4, for: 0.8}");
    play_run(&p, CAROM_STOP_REST);
    expect_check(&p, 0.4, 3);
    play_close(&p);
    p = play_open(texts[_i], "run.until.rest={slower: 0.1, every: 0.4, for: 0.8, particles: 3}");
    play_run(&p, CAROM_STOP_REST);
    expect_check(&p, 0.4, 10); /* 3.2, and 0.8 */
    play_close(&p);
}
END_TEST

/* ---- the end of the events ------------------------------------------------------------------------------------------ */

START_TEST(without_further_events)
{
    static const char *const flight =
        "carom: 1\nengine: hard\ndimension: 2\nbox: {size: 10, boundary: open}\nspecies: {a: {diameter: 1}}\n"
        "particles: [{species: a, place: {at: [[1, 2]]}, velocity: {each: [0.1, 0]}}]\nrun: {until: {events: 9}}\n";
    play p = play_open(flight, "run.until.rest={slower: 0.2, every: 0.7, for: 2.1}");
    play_run(&p, CAROM_STOP_REST);
    expect_check(&p, 0.7, 4);
    play_close(&p);
    p = play_open(flight, "run.until.rest={slower: 0.05, every: 0.7, for: 2.1}"); /* never */
    play_run(&p, CAROM_STOP_NO_EVENTS);
    play_close(&p);
}
END_TEST

/* ---- halts, threads, files ------------------------------------------------------------------------------------------ */

static const char *const piles[] = {
    "carom: 1\nengine: hard\nseed: 3\nbox: {size: [5, 5, 14], boundary: wall}\n"
    "species: {grain: {diameter: {uniform: [0.9, 1.1]}}}\n"
    "particles: [{species: grain, count: 60, place: random, velocity: {maxwell: 0.1}}]\n"
    "contacts: [{between: [grain, grain], restitution: 0.6}, {between: [grain, wall], restitution: 0.6}]\n"
    "fields: {gravity: [0, 0, -1]}\nhard: {collapse: {policy: sleep, speed: 0.2}}\n"
    "run: {until: {time: 60, rest: {slower: 0.15, for: 0.7, every: 0.1}}}\n",
    "carom: 1\nengine: variational\nseed: 3\ndimension: 2\nbox: {size: [6, 14], boundary: wall}\n"
    "species: {grain: {diameter: {uniform: [0.9, 1.1]}}}\n"
    "particles: [{species: grain, count: 12, place: random}]\n"
    "contacts: [{between: [grain, grain], restitution: 0.2, friction: 0.4}, {between: [grain, wall], restitution: 0.2, "
    "friction: 0.4}]\n"
    "fields: {gravity: [0, -1]}\nvariational: {step: 2e-3}\n"
    "run: {until: {time: 40, rest: {slower: 0.1, for: 0.5, every: 0.1}}}\n",
};

/* The same, and a gas that cools, in domains. */
static const char *const cooling =
    "carom: 1\nengine: hard\nseed: 3\ndimension: 2\nbox: {packing_fraction: 0.3}\nspecies: {grain: {diameter: 1}}\n"
    "particles: [{species: grain, count: 400, place: square, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [grain, grain], restitution: 0.7}]\n"
    "run: {until: {collisions: 100000, rest: {slower: 0.5, for: 0.5, every: 0.1}}}\n";
enum { HALTED = 3 };
static const char *halted[HALTED];
static const char *const references[] = {"hard.reference=true", "variational.reference=true", "hard.reference=true"};

START_TEST(whatever_halts)
{
    play whole = play_open(halted[_i], NULL), slices = play_open(halted[_i], NULL);
    play threads = play_try(halted[_i], NULL, &(carom_options){.threads = _i == 0 ? 1 : 2});
    play slow = play_open(halted[_i], references[_i]);
    play_run(&whole, CAROM_STOP_REST);
    const double end = carom_sim_time(whole.sim);
    printf("at rest at %.17g\n", end);
    ck_assert_double_lt(end, 39);
    for (int n = 1; n < 50; n++) play_advance(&slices, end * n / 49.5);
    play_run(&slices, CAROM_STOP_REST);
    play_run(&threads, CAROM_STOP_REST);
    play_run(&slow, CAROM_STOP_REST);
    play *others[] = {&slices, &threads, &slow};
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq(carom_sim_time(others[k]->sim), end);
        ck_assert(play_hash(others[k]) == play_hash(&whole));
        play_close(others[k]);
    }
    play_close(&whole);
}
END_TEST

static play resume(const char *text, const char *set, const char *path, bool again)
{
    const carom_options options = {.output = path, .force = !again, .resume = again};
    play p = play_try(text, set, &options);
    if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    return p;
}

/* A run that is halted at once by a signal, resumed at the end of parts, some within the time of `for`; and once more after
 * its end. */
START_TEST(resumed)
{
    char path[60], until[60];
    snprintf(path, sizeof path, "rest-%d-%ld.h5", _i, (long)getpid());
    play halt = resume(piles[_i], NULL, path, false);
    carom_sim_request_stop(halt.sim);
    ck_assert_int_eq(carom_sim_run(halt.sim), CAROM_EARLY);
    play_close(&halt);
    play whole = play_open(piles[_i], NULL);
    play_run(&whole, CAROM_STOP_REST);
    const double end = carom_sim_time(whole.sim);
    const double parts[] = {0.3 * end, end - 0.45, end - 0.2, end - 0.1};
    for (size_t k = 0; k < 4; k++) {
        snprintf(until, sizeof until, "run.until.time=%.17g", parts[k]);
        play p = resume(piles[_i], until, path, true);
        play_run(&p, CAROM_STOP_TIME);
        play_close(&p);
    }
    play p = resume(piles[_i], NULL, path, true);
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = end - 0.05}), CAROM_OK);
    ck_assert_int_eq(carom_sim_finish(p.sim), CAROM_OK);
    play_close(&p);
    for (int k = 0; k < 2; k++) { /* the second time it is finished */
        p = resume(piles[_i], k == 0 ? NULL : "run.until.time=50", path, true);
        play_run(&p, CAROM_STOP_REST);
        ck_assert_double_eq(carom_sim_time(p.sim), end);
        ck_assert(play_hash(&p) == play_hash(&whole));
        play_close(&p);
    }
    p = resume(piles[_i], "run.until.rest.for=1", path, true); /* goes on */
    play_run(&p, CAROM_STOP_REST);
    play longer = play_open(piles[_i], "run.until.rest.for=1");
    play_run(&longer, CAROM_STOP_REST);
    ck_assert_double_gt(carom_sim_time(p.sim), end);
    ck_assert_double_eq(carom_sim_time(p.sim), carom_sim_time(longer.sim));
    ck_assert(play_hash(&p) == play_hash(&longer));
    play_close(&longer);
    play_close(&p);
    play_close(&whole);
    remove(path);
}
END_TEST

/* ---- changes from outside -------------------------------------------------------------------------------------------- */

START_TEST(changed_at_rest)
{
    play p = play_open(engines[_i], "run.until.rest={slower: 0.25, for: 0.3, every: 0.1}");
    play_run(&p, CAROM_STOP_REST);
    expect_check(&p, 0.1, 31);
    play_run(&p, CAROM_STOP_REST); /* no change: no motion */
    expect_check(&p, 0.1, 31);
    const double up[] = {0, 1};
    ck_assert_int_eq(carom_sim_set_velocities(p.sim, 1, NULL, up), CAROM_OK);
    ck_assert_int_eq(carom_sim_run_to(p.sim, NULL), CAROM_OK); /* slow from 3.1 + 0.75 on */
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_REST);
    expect_check(&p, 0.1, 42);
    /* limits of a call replace those of the scene; checks go on */
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = 4.25}), CAROM_OK);
    ck_assert_double_eq(carom_sim_time(p.sim), 4.25);
    ck_assert_int_eq(carom_sim_change(p.sim, "run.until.rest.slower=0.5"), CAROM_OK);
    ck_assert_int_eq(carom_sim_run_to(p.sim, NULL), CAROM_OK); /* |4.1 - t| < 0.5: 4.3 ... 4.5, too short */
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_TIME);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case();
    tcase_add_loop_test(all, about_the_top, 0, 2);
    tcase_add_test(all, slides_to_rest);
    tcase_add_test(all, clusters_become_slow);
    tcase_add_test(all, held_bodies_do_not_count);
    tcase_add_loop_test(all, waits_for_particles, 0, 2);
    tcase_add_test(all, without_further_events);
    halted[0] = piles[0], halted[1] = piles[1], halted[2] = cooling;
    tcase_add_loop_test(more, whatever_halts, 0, 1);
    tcase_add_loop_test(all, whatever_halts, 1, HALTED);
    tcase_add_loop_test(all, resumed, 0, 2);
    tcase_add_loop_test(all, changed_at_rest, 0, 2);
    tcase_set_timeout(all, 600);
    return suite_run("rest", all, more);
}
