/* Detects drives with a delayed start (when all is at rest) that begin at the wrong time, depend on halts or threads,
 * or follow another clock afterwards. */
#include "../support/expect.h"
#include "../support/oracle.h"
#include "../support/suite.h"

#include <math.h>

/* A damped sheet falls on a plate; then one of its sides is drawn away, and stops. A rod of particles waits, too. */
static const char *const SCENE =
    "carom: 1\nengine: variational\nbox: {size: [6, 4, 4], boundary: open}\nspecies: {a: {diameter: 0.2}}\n"
    "meshes:\n"
    "  - {name: plate, shape: {rectangle: {length: 3, width: 3, along: 3, across: 3}}, place: {at: [2, 2, 1]},\n"
    "     thickness: 0.1, rigid: true}\n"
    "  - {name: sheet, shape: {rectangle: {length: 1, width: 1, along: 4, across: 4, rough: true}},\n"
    "     place: {at: [2, 2, 1.15]}, thickness: 0.1, density: 10, stretch: 50, bend: 0.05,\n"
    "     damping: {stretch: 1, bend: 0.002}}\n"
    "drives:\n"
    "  - {name: side, mesh: sheet, within: {from: [2.49, 0, 0], to: [2.51, 4, 4]},\n"
    "     motion: [{velocity: [0.5, 0, 0.5]}, {time: 0.25, velocity: [0, 0, 0]}],\n"
    "     start: {when: {slower: 0.1, for: 0.1, every: 0.02, meshes: [sheet]}}}\n"
    "  - {name: never, particles: [0], motion: [{velocity: [0, 0, 1]}], start: {when: {slower: 1e-9, every: 0.05}}}\n"
    "  - {name: turner, mesh: plate, motion: [{turn: {axis: [0, 0, 1], through: [2, 2, 1], rate: 0.5}}],\n"
    "     start: {when: {slower: 0.12, for: 0.05, every: 0.05}}}\n"
    "particles: [{species: a, place: {at: [[5, 2, 2]]}}]\n"
    "contacts: [{between: [a, a], restitution: 0.1, friction: 0.3}]\n"
    "fields: {gravity: [0, 0, -1]}\nrun: {until: {time: 1.2}}\n";

static double start_of(play *p, const char *name)
{
    char path[60];
    json_t *summary = play_summary(p);
    snprintf(path, sizeof path, "starts.%s", name);
    const json_t *time = json_object_get(json_object_get(summary, "starts"), name);
    ck_assert_ptr_nonnull(time);
    const double result = json_is_number(time) ? json_number_value(time) : NAN;
    json_decref(summary);
    return result;
}

/* The largest speed of the sheet's vertices that nothing holds. */
static double largest_speed(const carom_frame *f, size_t first)
{
    double most = 0;
    for (size_t i = first; i < f->count; i++) {
        const double *v = f->velocity + 3 * i;
        if (fabs(f->position[3 * i] - 2.5) > 1e-9) most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return most;
}

/* The first look at the end of 0.1 of slow ones, of a run that is looked at from outside. */
START_TEST(begins_when_it_should)
{
    const double every = 0.02;
    play p = play_open(SCENE, NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    const size_t sheet = f->count - 25 > 0 ? 1 + 16 : 0; /* a particle, the plate's 16 vertices, the sheet's */
    int slow = 0, look = 0;
    while (slow < 6 && look < 60) {
        play_advance(&p, ++look * every);
        slow = largest_speed(carom_sim_frame(p.sim), sheet) < 0.1 ? slow + 1 : 0;
    }
    const double expected = look * every;
    printf("begins at %.9g, expected %.9g\n", start_of(&p, "side"), expected);
    ck_assert_double_gt(expected, 0.2); /* it falls first */
    ck_assert_double_lt(expected, 0.9);
    ck_assert_double_eq_tol(start_of(&p, "side"), expected, 1e-12);
    ck_assert(isnan(start_of(&p, "never")));
    /* and has gone its way, and no further, at the end */
    double before = 0, after = 0;
    f = carom_sim_frame(p.sim);
    for (size_t i = sheet; i < f->count; i++) before = fmax(before, f->position[3 * i]);
    play_run(&p, CAROM_STOP_TIME);
    f = carom_sim_frame(p.sim);
    for (size_t i = sheet; i < f->count; i++) after = fmax(after, f->position[3 * i]);
    EXPECT_CLOSE("way of the side", after - before, 0.125, 1e-12);
    play_close(&p);
}
END_TEST

/* Halts 40 times, two threads, the paper's algorithms, and resumed before and after it begins: the same bits. */
START_TEST(whatever_halts)
{
    play whole = play_open(SCENE, NULL), slices = play_open(SCENE, NULL);
    play early = play_open(SCENE, NULL), oracle = play_open(SCENE, "variational.reference=true");
    play threads = play_try(SCENE, NULL, &(carom_options){.threads = 2});
    play_run(&whole, CAROM_STOP_TIME);
    for (int n = 1; n < 40; n++) play_advance(&slices, 0.0293 * n);
    play_run(&slices, CAROM_STOP_TIME);
    play_advance(&oracle, 0.12); /* the plate turns by then */
    play_advance(&early, 0.12);
    play_run(&threads, CAROM_STOP_TIME);
    ck_assert(play_hash(&slices) == play_hash(&whole));
    ck_assert(play_hash(&oracle) == play_hash(&early));
    ck_assert(play_hash(&threads) == play_hash(&whole));
    ck_assert(start_of(&slices, "side") == start_of(&whole, "side"));
    ck_assert_double_lt(start_of(&early, "turner"), 0.12);
    oracle_resume(&(oracle_case){.text = SCENE, .ending = "none", .time = 1.2}, "starts");
    play_close(&whole);
    play_close(&slices);
    play_close(&oracle);
    play_close(&early);
    play_close(&threads);
}
END_TEST

/* Two sheets are thrown up, and slow about the tops of their ways: the first at 0.6, the other at 1. One plate waits for the
 * first alone, one for the other alone, and one for both, but not for what other drives move. */
#define PLATE(name, x)                                                                                                 \
    "  - {name: " name ", shape: {rectangle: {length: 1, width: 1, along: 1, across: 1}}, place: {at: [" x             \
    ", 14, 9]}, thickness: 0.1, rigid: true}\n"
#define SHEET(name, x, speed)                                                                                          \
    "  - {name: " name ", shape: {rectangle: {length: 1, width: 1, along: 1, across: 1}}, place: {at: [" x             \
    ", 4, 9]}, thickness: 0.1, density: 10, stretch: 50, bend: 0.05, velocity: [0, 0, " speed "]}\n"

static const char *const THROWN =
    "carom: 1\nengine: variational\nbox: {size: [20, 20, 20], boundary: open}\nspecies: {a: {diameter: "
    "0.2}}\nmeshes:\n" SHEET("first", "4", "0.6") SHEET("other", "8",
                                                        "1") PLATE("turns", "4") PLATE("moves", "8") PLATE("last", "12")
        PLATE("named", "16") "drives:\n"
                             "  - {name: turns, mesh: turns, motion: [{turn: {axis: [0, 0, 2], through: [5, 14, 9], "
                             "rate: 0.5}}],\n"
                             "     start: {when: {slower: 0.11, for: 0.1, every: 0.02, meshes: [other]}}}\n"
                             "  - {name: moves, mesh: moves, motion: [{velocity: [0.3, 0, 0]}, {time: 0.25, velocity: "
                             "[0, 0, 0.1]}],\n"
                             "     start: {when: {slower: 0.11, for: 0.1, every: 0.02, meshes: [first]}}}\n"
                             "  - {name: last, mesh: last, motion: [{velocity: [0, 0.2, 0]}],\n"
                             "     start: {when: {slower: 0.25, for: 0.04, every: 0.02}}}\n"
                             "  - {name: named, mesh: named, motion: [{velocity: [0, 0.2, 0]}],\n"
                             "     start: {when: {slower: 0.25, for: 0.04, every: 0.02, meshes: [first, other]}}}\n"
                             "fields: {gravity: [0, 0, -1]}\nrun: {until: {time: 2}}\n";

START_TEST(waits_for_what_it_names)
{
    play p = play_open(THROWN, NULL);
    double start[24][3];
    memcpy(start, carom_sim_frame(p.sim)->position, sizeof start);
    ck_assert_uint_eq(carom_sim_frame(p.sim)->count, 24);
    play_run(&p, CAROM_STOP_TIME);
    const double *x = carom_sim_frame(p.sim)->position;
    EXPECT_CLOSE("the first is slow", start_of(&p, "moves"), 0.6, 1e-14);
    EXPECT_CLOSE("the other is", start_of(&p, "turns"), 1, 1e-14);
    EXPECT_CLOSE("both are", start_of(&p, "last"), 0.8, 1e-14);
    EXPECT_CLOSE("both that it names are", start_of(&p, "named"), 0.8, 1e-14);
    const double c = cos(0.5), s = sin(0.5); /* at a corner of the polygon, 50 of 0.01 after the start */
    for (int i = 0; i < 4; i++) {
        const double *of = start[8 + i], r[2] = {of[0] - 5, of[1] - 14};
        const double turned[3] = {5 + c * r[0] - s * r[1], 14 + s * r[0] + c * r[1], of[2]};
        for (int k = 0; k < 3; k++) {
            EXPECT_CLOSE("turned", x[3 * (8 + i) + k], turned[k], 1e-14);
            EXPECT_CLOSE("moved", x[3 * (12 + i) + k], start[12 + i][k] + (k == 0 ? 0.075 : k == 2 ? 0.115 : 0), 1e-14);
            EXPECT_CLOSE("moved last", x[3 * (16 + i) + k], start[16 + i][k] + (k == 1 ? 0.24 : 0), 1e-14);
        }
    }
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, begins_when_it_should);
    tcase_add_test(all, whatever_halts);
    tcase_add_test(all, waits_for_what_it_names);
    tcase_set_timeout(all, 600);
    return suite_run("variational, starts", all);
}
